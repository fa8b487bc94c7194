/* trial_classifier.c - classifies rows in a trial. */
#include "eval/trials/trial_classifier.h"

#include "classifiers/affine_classifier.h"
#include "classifiers/class_mass.h"
#include "eval/trials/sample_rows.h"

/* ---- which classifiers ---- */

pen_status pen_trial_classifier_named(pen_run *run, const char *name, pen_classifier_params *to)
{
    pen_common common = { .classifier = *to };

    PEN_REQUIRE(run, name, PEN_BAD_ARGUMENT, "the name of a classifier must not be NULL");
    PEN_TRY(pen_param_read(pen_param_find(pen_common_params, "classifier"), &common, name,
                           pen_run_error(run)));
    *to = common.classifier;
    return PEN_OK;
}

/* ---- fitting ---- */

/* Lists the rows of the fit with their known classes; all 0: only labelled rows. */
static pen_status list_rows(pen_run *run, const pen_trial *c, int all, int64_t **rows,
                            int64_t *count, int32_t **labels)
{
    PEN_TRY(PEN_NEW2(run, *rows, *labels, c->count));
    *count = 0;
    for (int64_t i = 0; i < c->count; i++) {
        const int known = c->data.labels[i] != PEN_UNLABELLED;
        if (!known && !all)
            continue;
        (*labels)[*count] = known ? c->trials->class_of[c->rows[i]] : -1;
        (*rows)[(*count)++] = c->rows[i];
    }
    return PEN_OK;
}

/* With one label a class, lda must use the units of all rows. */
int pen_trial_classifier_needs_all(const pen_trial *c, const pen_classifier_params *params)
{
    return params->kind != PEN_CLASSIFIER_SCORES /* scores exist already */
           && (pen_classifier_needs_all(params) || c->known == c->present);
}

static pen_status fit(pen_run *run, const pen_trial *c, const pen_classifier_params *params,
                      pen_trial_classifier *out)
{
    pen_embedded_rows rows = { .k = out->r, .classes = c->trials->classes.classes };
    int64_t *list;
    int32_t *labels;
    double *z;

    /* as in pen_classifier_fit_open, except that lda uses all rows, which are few */
    PEN_TRY(list_rows(run, c, pen_trial_classifier_needs_all(c, params), &list, &rows.n, &labels));
    PEN_TRY(pen_rows_pick(run, out->embedding->z, out->embedding->k, out->r, rows.n, list, &z));
    rows.z = z;
    rows.rounding = out->embedding->rounding;
    rows.labels = labels;
    return pen_classifier_fit(run, &rows, params, &out->classifier);
}

pen_status pen_trial_classifier_open(pen_run *run, const pen_trial *c, const pen_embedding *e,
                                     int64_t r, const pen_classifier_params *params,
                                     pen_trial_classifier *out)
{
    *out = (pen_trial_classifier){ .trial = c, .embedding = e, .r = r, .kind = params->kind };
    if (params->kind == PEN_CLASSIFIER_SCORES) {
        PEN_REQUIRE(run, e->scores, PEN_BAD_ARGUMENT,
                    "classifier scores: the model has no class scores for rows outside the fit");
        PEN_REQUIRE(run, r == e->k, PEN_BAD_ARGUMENT,
                    "classifier scores needs all %lld dimensions, got %lld", (long long)e->k,
                    (long long)r);
        return PEN_OK;
    }
    return fit(run, c, params, out);
}

/* ---- reading ---- */

static void read_scores(const pen_trial_classifier *classifier, int64_t count, const int64_t *rows,
                        double *p, int32_t *classes)
{
    const int64_t c = classifier->trial->trials->classes.classes, *const place =
                                                                      classifier->trial->place;

    for (int64_t i = 0; i < count; i++) {
        const double *const row =
            classifier->embedding->scores + rows[i] * classifier->embedding->classes;
        double sum = 0;
        for (int64_t k = 0; k < c; k++) /* raw scores (prior none) become fractions of their sum */
            sum += p[i * c + k] = place[k] < 0 ? 0 : pen_score_above_zero(row[place[k]]);
        for (int64_t k = 0; k < c; k++)
            p[i * c + k] /= sum;
        classes[i] = pen_largest_share(c, p + i * c);
    }
}

pen_status pen_trial_classifier_apply(pen_run *run, const pen_trial_classifier *classifier,
                                      int64_t count, const int64_t *rows, double *p,
                                      int32_t *classes)
{
    double *z;

    if (classifier->kind == PEN_CLASSIFIER_SCORES) {
        read_scores(classifier, count, rows, p, classes);
        return PEN_OK;
    }
    PEN_TRY(pen_rows_pick(run, classifier->embedding->z, classifier->embedding->k, classifier->r,
                          count, rows, &z));
    return pen_classifier_apply(run, &classifier->classifier, count, z, classifier->r, p, classes);
}

pen_status pen_trial_answer(pen_run *run, const pen_trial *c, const double *p,
                            const int32_t *predicted, pen_predictions *to)
{
    const int64_t classes = c->trials->classes.classes;
    const pen_mark_t mark = pen_mark(run);
    double *work;

    PEN_TRY(PEN_NEW(run, work, classes));
    for (int64_t i = 0; i < c->hidden; i++) {
        const double *const row = p + i * classes;
        pen_predictions_add(to, row, predicted ? predicted[i] : pen_largest_share(classes, row),
                            c->trials->class_of[c->hidden_rows[i]], work);
    }
    pen_release(run, mark);
    return PEN_OK;
}
