/* classifier_fit.c - the classifier of a fit: its kind, its rows, and its place in the model. */
#include "model/classifier_fit.h"

#include "classifiers/class_prior.h"
#include "core/row_order.h"
#include "linalg/packed.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK_ROWS = 4096, LEAST_OTHERS = 2000, OTHERS_OF_LABEL = 4, DRAW_TAG = 6200 };

static const char *name_of(enum pen_classifier_kind kind)
{
    return pen_classifier_names[kind];
}

pen_status pen_classifier_params_check(pen_run *run, const pen_spec *spec)
{
    const pen_common *const common = &spec->common;
    const enum pen_classifier_kind kind = common->classifier.kind;
    const int affine = kind == PEN_CLASSIFIER_LDA || kind == PEN_CLASSIFIER_SELF_TRAINING
                       || kind == PEN_CLASSIFIER_LOGISTIC,
              weigh = affine || kind == PEN_CLASSIFIER_SCORES || kind == PEN_CLASSIFIER_AUTO,
              scores = (spec->method->traits & PEN_PROPAGATES) != 0;

    PEN_REQUIRE(run,
                weigh || scores
                    || pen_param_is_usual(pen_param_find(pen_common_params, "prior"), common),
                PEN_BAD_ARGUMENT,
                "prior applies to the classifiers scores, lda, self-training and logistic, got "
                "classifier %s",
                name_of(kind));
    PEN_REQUIRE(run, common->classifier.prior != PEN_PRIOR_NONE || (scores && !affine),
                PEN_BAD_ARGUMENT,
                "prior none applies only to class scores, got %s with classifier %s: it needs "
                "auto, labels or uniform",
                spec->method->name, name_of(kind));
    PEN_REQUIRE(run, kind != PEN_CLASSIFIER_NONE || common->classifier.temperature <= 0,
                PEN_BAD_ARGUMENT, "temperature is set, but classifier is none");
    PEN_REQUIRE(run, kind != PEN_CLASSIFIER_SCORES || scores, PEN_BAD_ARGUMENT,
                "classifier scores needs a method that scores classes, and %s does not; lda works "
                "with any embedding",
                spec->method->name);
    return PEN_OK;
}

pen_status pen_classifier_fit_check(pen_run *run, const pen_spec *spec, const pen_view *x)
{
    const enum pen_classifier_kind kind = spec->common.classifier.kind;
    const int named = kind != PEN_CLASSIFIER_AUTO && kind != PEN_CLASSIFIER_NONE;

    PEN_TRY(pen_classifier_params_check(run, spec));
    PEN_REQUIRE(run, !named || x->labelled > 0, PEN_NO_LABELS,
                "classifier %s needs labelled rows, got none", name_of(kind));
    PEN_REQUIRE(run, !named || x->classes >= 2, PEN_ONE_CLASS,
                "classifier %s needs labelled rows of at least 2 classes, got 1", name_of(kind));
    return PEN_OK;
}

/* ---- the rows it learns from ---- */

/* Embeds rows [count] of the data, a block at a time: z [count x k]. */
static pen_status embed_some(pen_run *run, const pen_model *model, const pen_array *x,
                             int64_t count, const int64_t *rows, double *z)
{
    for (int64_t first = 0; first < count; first += BLOCK_ROWS) {
        const int64_t some = pen_min(BLOCK_ROWS, count - first);
        const pen_mark_t mark = pen_mark(run);
        pen_array picked;
        PEN_TRY(pen_array_pick(run, x, some, rows + first, &picked));
        PEN_TRY(pen_model_embed(run, model, &picked, z + first * model->k, model->k));
        pen_release(run, mark);
    }
    return PEN_OK;
}

/* Embeds the labelled rows and `others` [n] in row order; NULL: only the labelled ones. */
static pen_status embed_known(pen_run *run, const pen_model *model, const pen_array *x,
                              const char *others, pen_embedded_rows *e)
{
    int64_t *rows, count = 0;
    int32_t *labels;
    double *z;

    PEN_TRY(PEN_NEW2(run, rows, labels, e->n));
    for (int64_t i = 0; i < e->n; i++)
        if (e->labels[i] >= 0 || (others && others[i])) {
            labels[count] = e->labels[i];
            rows[count++] = i;
        }
    PEN_TRY(PEN_NEW(run, z, pen_times(count, model->k)));
    PEN_TRY(embed_some(run, model, x, count, rows, z));
    e->n = count;
    e->labels = labels;
    e->z = z;
    return PEN_OK;
}

/* Draws some of the unlabelled rows: with many, a part suffices to estimate class frequencies. */
static pen_status draw_others(pen_run *run, const pen_view *x, int64_t most, char **others)
{
    int64_t *rows;

    PEN_TRY(pen_rows_draw(run, x, most, DRAW_TAG, &rows));
    PEN_TRY(PEN_FILLED(run, *others, x->n, 0));
    for (int64_t i = 0; i < most; i++)
        (*others)[rows[i]] = 1;
    return PEN_OK;
}

static pen_status embed_all(pen_run *run, const pen_model *model, const pen_array *x,
                            pen_embedded_rows *e)
{
    double *z;

    PEN_TRY(PEN_NEW(run, z, pen_times(e->n, model->k)));
    e->z = z;
    return pen_model_embed(run, model, x, z, model->k);
}

/* The mean and the spread of all rows, most of which are absent. */
static pen_status embed_moments(pen_run *run, const pen_model *model, const pen_view *x,
                                pen_embedded_rows *e)
{
    const int64_t d = x->d, k = model->k;
    const pen_view plain = { .d = d };
    double *mean, *basis; /* [k x d] */
    pen_sym S, of_z;

    PEN_TRY(PEN_NEW(run, mean, k));
    PEN_TRY(PEN_NEW(run, basis, pen_times(k, d)));
    for (int64_t c = 0; c < k; c++) {
        mean[c] = 0;
        for (int64_t j = 0; j < d; j++) {
            basis[c * d + j] = model->projection[j * k + c];
            mean[c] += (x->moments->mean[j] - model->mean[j]) * basis[c * d + j];
        }
    }
    PEN_TRY(pen_sym_zero(run, d, &S));
    pen_packed_add(&plain, 1, x->moments->scatter, &S);
    PEN_TRY(pen_sym_project(run, &S, basis, k, &of_z));
    e->mean = mean;
    e->spread = pen_sym_trace(&of_z) / (double)x->moments->n / (double)k;
    return PEN_OK;
}

static pen_status embed(pen_run *run, const pen_data *data, const pen_view *x,
                        const pen_classifier_params *params, const pen_model *model,
                        pen_embedded_rows *e)
{
    const enum pen_classifier_kind kind = params->kind;
    const int counts = pen_classifier_needs_all(params);
    const int64_t most = pen_max(LEAST_OTHERS, pen_times(OTHERS_OF_LABEL, x->labelled));
    int32_t *labels;
    char *others = NULL;

    PEN_REQUIRE(run, x->members, PEN_BAD_ARGUMENT,
                "classifier %s needs the labelled rows, which the statistics do not keep; set "
                "classifier none",
                name_of(kind));
    PEN_REQUIRE(run, kind != PEN_CLASSIFIER_SELF_TRAINING || !x->moments, PEN_BAD_ARGUMENT,
                "classifier self-training needs every row, and statistics do not keep them");
    PEN_TRY(pen_rows_classes(run, x, &labels));
    *e = (pen_embedded_rows){ .n = x->n,
                              .k = model->k,
                              .labels = labels,
                              .classes = x->classes,
                              .rounding = model->rounding };
    if (x->moments) {
        PEN_TRY(embed_moments(run, model, x, e));
        return embed_known(run, model, &data->x, NULL, e);
    }
    /* lda needs unlabelled rows only to estimate class frequencies. With one label per class it
     * also needs them for the units, as other classifiers do */
    if (kind != PEN_CLASSIFIER_LDA || x->labelled <= x->classes
        || x->n - x->labelled <= (counts ? most : 0))
        return embed_all(run, model, &data->x, e);
    if (counts)
        PEN_TRY(draw_others(run, x, most, &others));
    return embed_known(run, model, &data->x, others, e);
}

/* ---- its place in the model ---- */

pen_status pen_classifier_keep(pen_run *run, const pen_classifier *r, pen_model *model)
{
    pen_classifier *const own = &model->classifier;

    *own = *r;
    own->center = own->rows = own->weights = own->bias = own->votes = NULL;
    own->of = NULL;
    own->prior = NULL;
    PEN_TRY(pen_model_numbers(run, r->center, r->k, &own->center));
    PEN_TRY(pen_model_numbers(run, r->rows, pen_times(r->count, r->k), &own->rows));
    PEN_TRY(pen_model_numbers(run, r->weights, pen_times(r->k, r->classes), &own->weights));
    PEN_TRY(pen_model_numbers(run, r->bias, r->classes, &own->bias));
    PEN_TRY(pen_model_numbers(run, r->votes, pen_times(r->count, r->classes), &own->votes));
    if (!r->of)
        return PEN_OK;
    PEN_TRY(PEN_KEEP(run, model->classifier_classes, r->count));
    for (int64_t i = 0; i < r->count; i++)
        model->classifier_classes[i] = r->of[i];
    return pen_model_number_classes(run, model);
}

/* Keeps the class probabilities of a row far from every landmark: `prior` [classes], or with NULL
 * the fractions of the labels. */
static pen_status keep_shares(pen_run *run, const pen_view *x, const double *prior,
                              pen_model *model)
{
    const enum pen_kernel_kind kernel = model->kernel.form.kind;

    if (kernel == PEN_KERNEL_NONE || kernel == PEN_KERNEL_LINEAR || kernel == PEN_KERNEL_POLYNOMIAL)
        return PEN_OK;
    PEN_TRY(PEN_KEEP(run, model->class_shares, x->classes));
    for (int64_t c = 0; c < x->classes; c++)
        model->class_shares[c] =
            prior ? prior[c] : (double)pen_class_size(x, c) / (double)x->labelled;
    return PEN_OK;
}

static pen_status fit_to_rows(pen_run *run, const pen_spec *spec, const pen_data *data,
                              const pen_view *x, enum pen_classifier_kind kind, pen_model *model)
{
    pen_classifier_params params = spec->common.classifier;
    const pen_mark_t mark = pen_mark(run);
    pen_embedded_rows e;
    pen_classifier classifier;

    params.kind = kind;
    PEN_TRY(embed(run, data, x, &params, model, &e));
    PEN_TRY(pen_classifier_fit(run, &e, &params, &classifier));
    PEN_TRY(pen_classifier_keep(run, &classifier, model));
    PEN_TRY(keep_shares(run, x, classifier.prior, model));
    pen_release(run, mark);
    return PEN_OK;
}

enum pen_classifier_kind pen_classifier_of(const pen_spec *spec)
{
    const enum pen_classifier_kind kind = spec->common.classifier.kind;

    return kind != PEN_CLASSIFIER_AUTO           ? kind
           : spec->method->traits & PEN_PREDICTS ? PEN_CLASSIFIER_SCORES
                                                 : PEN_CLASSIFIER_LDA;
}

void pen_model_temper(int64_t classes, double temperature, pen_model *model)
{
    model->temperature = temperature;
    for (int64_t i = 0; model->propagated && i < model->rows; i++)
        pen_temper(classes, temperature, model->propagated + i * classes);
}

pen_status pen_classifier_fit_open(pen_run *run, const pen_spec *spec, const pen_data *data,
                                   const pen_view *x, pen_model *model)
{
    const enum pen_classifier_kind asked = pen_classifier_of(spec),
                                   kind = x->classes >= 2
                                                  || (asked == PEN_CLASSIFIER_SCORES && model->bias)
                                              ? asked /* also scores of a single class */
                                              : PEN_CLASSIFIER_NONE;
    const double *prior = model->class_mass ? model->class_mass + x->classes : NULL;

    if (kind != PEN_CLASSIFIER_NONE) {
        pen_model_temper(x->classes, fmax(0, spec->common.classifier.temperature), model);
        pen_note_text(run, "classifier", name_of(kind));
    }
    if (kind == PEN_CLASSIFIER_SCORES) { /* scores of new rows need the bias */
        model->classifier.kind = model->bias ? kind : PEN_CLASSIFIER_NONE;
        return model->bias ? keep_shares(run, x, prior, model) : PEN_OK;
    }
    free(model->bias); /* otherwise the model would also score by it */
    model->bias = NULL;
    return kind == PEN_CLASSIFIER_NONE ? PEN_OK : fit_to_rows(run, spec, data, x, kind, model);
}
