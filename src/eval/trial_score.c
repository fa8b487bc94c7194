/* trial_score.c - how a method scores in a trial: the classes of the rows held out, by a
 * classifier. */
#include "eval/trial_score.h"

#include "eval/trial_classifier.h"
#include "model/spec.h"

#include <math.h>
#include <string.h>

/* The shares and classes that a classifier gives rows of known class. */
struct reading {
    int64_t count;
    double *p; /* [count x classes] */
    int32_t *told;
};

/* The share of these rows that were told their class. */
static double share_right(const pen_trial_set *t, const struct reading *read, const int64_t *rows)
{
    int64_t right = 0;

    for (int64_t i = 0; i < read->count; i++)
        right += read->told[i] == t->class_of[rows[i]];
    return (double)right / (double)read->count;
}

/* As a model predicts them, tempered by a given temperature. */
static pen_status read_rows(pen_run *run, const pen_trial_classifier *classifier,
                            double temperature, int64_t count, const int64_t *rows,
                            struct reading *out)
{
    const int64_t c = classifier->trial->trials->classes.classes;

    out->count = count;
    PEN_TRY(PEN_NEW(run, out->p, pen_times(count, c)));
    PEN_TRY(PEN_NEW(run, out->told, count));
    PEN_TRY(pen_trial_classifier_apply(run, classifier, count, rows, out->p, out->told));
    for (int64_t i = 0; i < count; i++)
        pen_temper(c, temperature, out->p + i * c);
    return PEN_OK;
}

/* What is wanted of the last number of dimensions alone. */
static pen_status read_last(pen_run *run, const pen_trial *c,
                            const pen_trial_classifier *classifier, const struct reading *hidden,
                            const pen_trial_scores *scores)
{
    const pen_trial_set *const t = c->trials;
    struct reading dropped, sample;

    if (scores->told)
        memcpy(scores->told, hidden->told, (size_t)c->hidden * sizeof *hidden->told);
    if (scores->answer)
        PEN_TRY(pen_trial_answer(run, c, hidden->p, hidden->told, scores->answer));
    if (scores->dropped && c->dropped > 0) {
        PEN_TRY(read_rows(run, classifier, 0, c->dropped, c->dropped_rows, &dropped));
        *scores->dropped = share_right(t, &dropped, c->dropped_rows);
    }
    if (!scores->predicted || t->stability_count == 0)
        return PEN_OK;
    PEN_TRY(read_rows(run, classifier, 0, t->stability_count, t->stability_rows, &sample));
    memcpy(scores->predicted, sample.told, (size_t)sample.count * sizeof *sample.told);
    return PEN_OK;
}

/* The scores of entry i, whose number of dimensions is r. */
static pen_status read_at(pen_run *run, const pen_trial *c, const pen_trial_reading *reading,
                          const pen_embedding *e, int64_t r, int64_t i)
{
    const pen_trial_scores *const scores = &reading->scores;
    struct reading hidden;
    pen_trial_classifier classifier;

    PEN_TRY(pen_trial_classifier_open(run, c, e, r, &reading->classifier, &classifier));
    PEN_TRY(read_rows(run, &classifier, fmax(0, reading->classifier.temperature), c->hidden,
                      c->hidden_rows, &hidden));
    scores->accuracy[i] = share_right(c->trials, &hidden, c->hidden_rows);
    return i + 1 == reading->dim_count ? read_last(run, c, &classifier, &hidden, scores) : PEN_OK;
}

/* Set scores for dims[from] .. dims[to - 1], where the embedding has that many dimensions. */
static pen_status set_scores(pen_run *run, const pen_trial *c, const pen_embedding *e, int64_t from,
                             int64_t to, const pen_trial_reading *reading)
{
    for (int64_t i = from; i < to; i++) {
        const int64_t r = reading->dims[i] ? reading->dims[i] : e->k;
        if (r > e->k)
            continue;
        if (i + 1 == reading->dim_count && reading->scores.given)
            *reading->scores.given = r;
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(read_at(run, c, reading, e, r, i));
        pen_release(run, mark);
    }
    return PEN_OK;
}

double pen_trials_temperature(const pen_trial_set *t, const pen_classifier_params *classifier,
                              int64_t done, const pen_predictions *sum)
{
    const int64_t runs = (done + t->protocol.folds - 1) / t->protocol.folds;

    return classifier->temperature < 0
               ? pen_predictions_temperature(sum, runs, pen_usual_temperature(classifier->kind))
               : 0;
}

/* ---- several classifiers of the same fits ---- */

static void clear_reading(const pen_trial *c, pen_trial_reading *reading)
{
    const pen_trial_scores *const scores = &reading->scores;

    reading->failure = (pen_error){ .code = PEN_OK };
    for (int64_t i = 0; i < reading->dim_count; i++)
        scores->accuracy[i] = (double)NAN;
    if (scores->dropped)
        *scores->dropped = (double)NAN;
    if (scores->answer) {
        pen_bins *const bins = scores->answer->bins;
        pen_predictions_open(c->trials->classes.classes, scores->answer);
        scores->answer->bins = bins;
    }
    for (int64_t i = 0; scores->predicted && i < c->trials->stability_count; i++)
        scores->predicted[i] = -1;
    for (int64_t i = 0; scores->told && i < c->hidden; i++)
        scores->told[i] = -1;
    if (scores->given)
        *scores->given = 0;
}

/* With a run of its own, so that a failure does not stop the others. */
static pen_status read_one(pen_run *run, const pen_trial *c, const pen_embedding *e, int64_t from,
                           int64_t to, const pen_control *control, const pen_trial_reading *reading,
                           pen_error *why)
{
    pen_run *own;

    PEN_TRY(pen_run_open(control, why, &own));
    pen_run_share(own, pen_run_cache(run), NULL);
    const pen_status status = set_scores(own, c, e, from, to, reading);
    pen_run_close(own);
    return status;
}

/* How many of the numbers of dimensions the embedding has. */
static pen_status count_given(const pen_embedding *e, const pen_trial_reading *reading,
                              pen_error *why)
{
    for (int64_t i = 0; i < reading->dim_count; i++)
        if (reading->dims[i] <= e->k)
            return PEN_OK;
    return pen_error_set(why, PEN_RANK_TOO_SMALL,
                         "requested %lld dimensions or more, the method gives %lld on these rows",
                         (long long)reading->dims[0], (long long)e->k);
}

/* Does any of them look at all rows? */
static int need_all(const pen_trial *c, int64_t count, const pen_trial_reading *readings)
{
    for (int64_t q = 0; q < count; q++)
        if (pen_trial_classifier_needs_all(c, &readings[q].classifier))
            return 1;
    return 0;
}

static pen_status read_nested(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t count,
                              pen_trial_reading *readings, const pen_control *control)
{
    int64_t most = 0;
    pen_embedding e;
    int all = 0;

    for (int64_t q = 0; q < count; q++)
        for (int64_t i = 0; i < readings[q].dim_count; i++) {
            most = pen_max(most, readings[q].dims[i]);
            all |= readings[q].dims[i] == 0;
        }
    PEN_TRY(
        pen_trial_embed(run, c, spec, all ? 0 : most, need_all(c, count, readings), control, &e));
    for (int64_t q = 0; q < count; q++) {
        pen_trial_reading *const reading = &readings[q];
        pen_status status = count_given(&e, reading, &reading->failure);
        if (status == PEN_OK)
            status =
                read_one(run, c, &e, 0, reading->dim_count, control, reading, &reading->failure);
        if (pen_ends_call(status))
            return pen_fail_as(run, &reading->failure);
    }
    return PEN_OK;
}

static int64_t place_of(const pen_trial_reading *reading, int64_t dim)
{
    for (int64_t i = 0; i < reading->dim_count; i++)
        if (reading->dims[i] == dim)
            return i;
    return -1;
}

/* A number of dimensions that is not given is no failure unless none is. */
static void note_each(pen_trial_reading *reading, int64_t at, const pen_error *why, int64_t *given)
{
    const int no_such_dim = why->code == PEN_RANK_TOO_SMALL || why->code == PEN_BAD_ARGUMENT;

    *given += why->code == PEN_OK;
    if (why->code != PEN_OK && reading->failure.code == PEN_OK
        && !(no_such_dim && (*given > 0 || at + 1 < reading->dim_count)))
        reading->failure = *why;
}

/* A fit of this number of dimensions, for all that want it. */
static pen_status read_dim(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t dim,
                           int64_t count, pen_trial_reading *readings, int64_t *given,
                           const pen_control *control)
{
    pen_embedding e;
    pen_error fit, why;
    pen_run *own;

    if (pen_run_open(control, &fit, &own) != PEN_OK)
        return pen_fail_as(run, &fit);
    pen_run_share(own, pen_run_cache(run), NULL);
    pen_status status =
        pen_trial_embed(own, c, spec, dim, need_all(c, count, readings), control, &e);
    why = fit;
    for (int64_t q = 0; q < count && !pen_ends_call(status); q++) {
        const int64_t at = place_of(&readings[q], dim);
        if (at < 0)
            continue;
        if (fit.code == PEN_OK)
            status = read_one(own, c, &e, at, at + 1, control, &readings[q], &why);
        note_each(&readings[q], at, &why, &given[q]);
    }
    pen_run_close(own);
    return pen_ends_call(status) ? pen_fail_as(run, &why) : PEN_OK;
}

static pen_status read_each(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t count,
                            pen_trial_reading *readings, const pen_control *control)
{
    int64_t *given;

    PEN_TRY(PEN_FILLED(run, given, count, 0));
    for (int64_t q = 0; q < count; q++)
        for (int64_t i = 0; i < readings[q].dim_count; i++) {
            const int64_t dim = readings[q].dims[i];
            int64_t before = 0;
            while (before < q && place_of(&readings[before], dim) < 0)
                before++;
            if (before == q && place_of(&readings[q], dim) == i)
                PEN_TRY(read_dim(run, c, spec, dim, count, readings, given, control));
        }
    return PEN_OK;
}

pen_status pen_trial_read(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t count,
                          pen_trial_reading *readings, const pen_control *control)
{
    pen_spec asked = *spec;
    int with_scores = 0;

    for (int64_t q = 0; q < count; q++) {
        clear_reading(c, &readings[q]);
        with_scores |= readings[q].classifier.kind == PEN_CLASSIFIER_SCORES;
    }
    PEN_REQUIRE(run, c->hidden > 0, PEN_NO_LABELS,
                "fold %lld of run %lld holds out no labelled row", (long long)c->fold + 1,
                (long long)c->run + 1);
    pen_spec_read_by(&asked, with_scores ? PEN_CLASSIFIER_SCORES : PEN_CLASSIFIER_NONE);
    return spec->method->traits & PEN_UNNESTED
               ? read_each(run, c, &asked, count, readings, control)
               : read_nested(run, c, &asked, count, readings, control);
}
