/* trial_score.c - scores methods in trials: classifies the held-out rows by several
 * classifiers. */
#include "eval/trials/trial_score.h"

#include "eval/trials/task_pool.h"
#include "eval/trials/trial_classifier.h"
#include "model/spec.h"

#include <math.h>
#include <string.h>

/* The probabilities and classes that a classifier predicts for rows of known class. */
struct reading {
    int64_t count;
    double *p; /* [count x classes] */
    int32_t *classes;
};

static double share_right(const pen_trial_set *t, const struct reading *read, const int64_t *rows)
{
    int64_t right = 0;

    for (int64_t i = 0; i < read->count; i++)
        right += read->classes[i] == t->class_of[rows[i]];
    return (double)right / (double)read->count;
}

/* Predicts like a model, tempered by a given temperature. */
static pen_status read_rows(pen_run *run, const pen_trial_classifier *classifier,
                            double temperature, int64_t count, const int64_t *rows,
                            struct reading *out)
{
    const int64_t c = classifier->trial->trials->classes.classes;

    out->count = count;
    PEN_TRY(PEN_NEW(run, out->p, pen_times(count, c)));
    PEN_TRY(PEN_NEW(run, out->classes, count));
    PEN_TRY(pen_trial_classifier_apply(run, classifier, count, rows, out->p, out->classes));
    for (int64_t i = 0; i < count; i++)
        pen_temper(c, temperature, out->p + i * c);
    return PEN_OK;
}

static pen_status answer(pen_run *run, const pen_trial *c, const pen_trial_classifier *classifier,
                         const struct reading *hidden, pen_trial_reading *to)
{
    pen_embedding fitted = *classifier->embedding;
    pen_trial_classifier own = *classifier;
    struct reading of_fit;

    PEN_TRY(pen_trial_answer(run, c, hidden->p, hidden->classes, &to->answer));
    if (classifier->kind != PEN_CLASSIFIER_SCORES || !fitted.fitted)
        return PEN_OK;
    fitted.scores = fitted.fitted;
    own.embedding = &fitted;
    PEN_TRY(read_rows(run, &own, 0, c->hidden, c->hidden_rows, &of_fit));
    return pen_trial_answer(run, c, of_fit.p, of_fit.classes, &to->of_fit);
}

/* Makes the results that only the last number of dimensions has. */
static pen_status read_last(pen_run *run, const pen_trial *c,
                            const pen_trial_classifier *classifier, const struct reading *hidden,
                            pen_trial_reading *to)
{
    const pen_trial_set *const t = c->trials;
    const size_t classes = (size_t)t->classes.classes;
    struct reading more;

    if (to->classes)
        memcpy(to->classes, hidden->classes, (size_t)c->hidden * sizeof *hidden->classes);
    if (to->p)
        memcpy(to->p, hidden->p, (size_t)c->hidden * classes * sizeof *hidden->p);
    if (to->with_answers)
        PEN_TRY(answer(run, c, classifier, hidden, to));
    if (c->dropped > 0) {
        PEN_TRY(read_rows(run, classifier, 0, c->dropped, c->dropped_rows, &more));
        to->dropped = share_right(t, &more, c->dropped_rows);
    }
    if (!to->sampled || t->stability_count == 0)
        return PEN_OK;
    PEN_TRY(read_rows(run, classifier, 0, t->stability_count, t->stability_rows, &more));
    memcpy(to->sampled, more.classes, (size_t)more.count * sizeof *more.classes);
    return PEN_OK;
}

/* Scores entry i, whose number of dimensions is r. */
static pen_status read_at(pen_run *run, const pen_trial *c, pen_trial_reading *to,
                          const pen_embedding *e, int64_t r, int64_t i)
{
    struct reading hidden;
    pen_trial_classifier classifier;

    PEN_TRY(pen_trial_classifier_open(run, c, e, r, &to->classifier, &classifier));
    PEN_TRY(read_rows(run, &classifier, fmax(0, to->classifier.temperature), c->hidden,
                      c->hidden_rows, &hidden));
    if (to->accuracy)
        to->accuracy[i] = share_right(c->trials, &hidden, c->hidden_rows);
    return i + 1 == to->dim_count ? read_last(run, c, &classifier, &hidden, to) : PEN_OK;
}

/* ---- several classifiers of the same fits ---- */

static void clear(int64_t classes, pen_predictions *to)
{
    pen_bins *const bins = to->bins;

    pen_predictions_open(classes, to);
    to->bins = bins;
}

static void clear_reading(const pen_trial *c, pen_trial_reading *to)
{
    to->failure = (pen_error){ .code = PEN_OK };
    to->dropped = (double)NAN;
    to->given = to->succeeded = 0;
    clear(c->trials->classes.classes, &to->answer);
    clear(c->trials->classes.classes, &to->of_fit);
    for (int64_t i = 0; to->sampled && i < c->trials->stability_count; i++)
        to->sampled[i] = -1;
    for (int64_t i = 0; to->classes && i < c->hidden; i++)
        to->classes[i] = -1;
}

/* A fit with this number of dimensions, for all requested numbers or for this one only. */
struct fit {
    const pen_spec *spec;
    int64_t dim;
    int nested;
};

/* Does the fit serve entry i of a reading? */
static int is_for(const struct fit *fit, const pen_trial_reading *reading, int64_t i)
{
    return fit->nested || reading->dims[i] == fit->dim;
}

/* Sets scores in the numbers of dimensions that the embedding has; an error if it has none of
 * them. */
static pen_status read_dims(pen_run *run, const pen_trial *c, const struct fit *fit,
                            const pen_embedding *e, pen_trial_reading *reading)
{
    int64_t given = 0, least = INT64_MAX;

    for (int64_t i = 0; i < reading->dim_count; i++) {
        const int64_t dim = reading->dims[i], r = dim > 0 ? pen_min(dim, e->k) : e->k;
        if (!is_for(fit, reading, i))
            continue;
        least = pen_min(least, dim);
        if (dim > e->k && !reading->fewer)
            continue;
        given++;
        if (i + 1 == reading->dim_count)
            reading->given = r;
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(read_at(run, c, reading, e, r, i));
        pen_release(run, mark);
    }
    PEN_REQUIRE(run, given > 0, PEN_RANK_TOO_SMALL,
                "requested %lld dimensions, the method gives %lld on these rows", (long long)least,
                (long long)e->k);
    return PEN_OK;
}

/* A missing number of dimensions is a failure only if all are missing. */
static void note_failure(pen_trial_reading *reading, int is_last, const pen_error *why)
{
    const int no_such_dim = why->code == PEN_RANK_TOO_SMALL || why->code == PEN_BAD_ARGUMENT;

    reading->succeeded |= why->code == PEN_OK;
    if (why->code != PEN_OK && reading->failure.code == PEN_OK
        && !(no_such_dim && (reading->succeeded || !is_last)))
        reading->failure = *why;
}

/* Reads with a separate run, so that a failure does not stop other readings. */
static pen_status read_one(pen_run *run, const pen_trial *c, const struct fit *fit,
                           const pen_embedding *e, const pen_control *control,
                           pen_trial_reading *reading, pen_error *why)
{
    pen_run *own;

    PEN_TRY(pen_run_open(control, why, &own));
    pen_run_share(own, pen_run_cache(run), NULL);
    const pen_status status = read_dims(own, c, fit, e, reading);
    pen_run_close(own);
    return status;
}

/* Does any reading need all rows? */
static int need_all(const pen_trial *c, int64_t count, const pen_trial_reading *readings)
{
    for (int64_t q = 0; q < count; q++)
        if (readings[q].dim_count > 0 && pen_trial_classifier_needs_all(c, &readings[q].classifier))
            return 1;
    return 0;
}

/* Makes a fit with a separate run, and its readings. */
static pen_status make_fit(pen_run *run, const pen_trial *c, const struct fit *fit, int64_t count,
                           pen_trial_reading *readings, const pen_control *control)
{
    pen_embedding e;
    pen_error failure, why;
    pen_model *model = NULL;
    pen_run *own;

    if (pen_run_open(control, &failure, &own) != PEN_OK)
        return pen_fail_as(run, &failure);
    pen_run_share(own, pen_run_cache(run), NULL);
    pen_status status = pen_trial_model(own, c, fit->spec, fit->dim, control, &model);
    if (status == PEN_OK)
        status =
            pen_trial_apply(own, model, c, fit->spec, need_all(c, count, readings), control, &e);
    pen_model_free(model);
    why = failure;
    for (int64_t q = 0; q < count && !pen_ends_call(status); q++) {
        int64_t last = readings[q].dim_count - 1;
        while (last >= 0 && !is_for(fit, &readings[q], last))
            last--;
        if (last < 0)
            continue;
        if (failure.code == PEN_OK)
            status = read_one(own, c, fit, &e, control, &readings[q], &why);
        note_failure(&readings[q], last + 1 == readings[q].dim_count, &why);
    }
    pen_run_close(own);
    return pen_ends_call(status) ? pen_fail_as(run, &why) : PEN_OK;
}

/* Did an earlier entry have the number of dimensions i of reading q? */
static int is_made(const pen_trial_reading *readings, int64_t q, int64_t i)
{
    for (int64_t o = 0; o <= q; o++)
        for (int64_t j = 0; j < (o < q ? readings[o].dim_count : i); j++)
            if (readings[o].dims[j] == readings[q].dims[i])
                return 1;
    return 0;
}

static pen_status make_fits(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t count,
                            pen_trial_reading *readings, const pen_control *control)
{
    struct fit fit = { spec, 0, !(spec->method->traits & PEN_UNNESTED) };
    int64_t most = PEN_DIM_HELD_OUT;
    int all = 0;

    for (int64_t q = 0; q < count; q++)
        for (int64_t i = 0; i < readings[q].dim_count; i++) {
            fit.dim = readings[q].dims[i];
            most = pen_max(most, fit.dim);
            all |= fit.dim == 0;
            if (!fit.nested && !is_made(readings, q, i))
                PEN_TRY(make_fit(run, c, &fit, count, readings, control));
        }
    fit.dim = all ? 0 : most;
    return fit.nested ? make_fit(run, c, &fit, count, readings, control) : PEN_OK;
}

pen_status pen_trial_read(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t count,
                          pen_trial_reading *readings, const pen_control *control)
{
    pen_spec asked = *spec;
    int with_scores = 0, wanted = 0;

    for (int64_t q = 0; q < count; q++) {
        if (readings[q].dim_count == 0)
            continue;
        clear_reading(c, &readings[q]);
        with_scores |= readings[q].classifier.kind == PEN_CLASSIFIER_SCORES;
        wanted = 1;
    }
    if (!wanted)
        return PEN_OK;
    PEN_REQUIRE(run, c->hidden > 0, PEN_NO_LABELS,
                "fold %lld of run %lld holds out no labelled row", (long long)c->fold + 1,
                (long long)c->run + 1);
    pen_spec_read_by(&asked, with_scores ? PEN_CLASSIFIER_SCORES : PEN_CLASSIFIER_NONE);
    return make_fits(run, c, &asked, count, readings, control);
}

/* ---- all trials ---- */

pen_status pen_trial_table_open(pen_run *run, const pen_trial_set *trials, int64_t count,
                                int64_t most, unsigned wanted, pen_trial_table *out)
{
    const int64_t all = pen_times(trials->count, count), classes = trials->classes.classes,
                  sampled = wanted & PEN_WANT_SAMPLED ? trials->stability_count : 0,
                  bins = wanted & PEN_WANT_BINS ? PEN_TEMPERATURES + 1 : 0;
    pen_trial_table *const t = out;
    pen_bins *of_all;
    int32_t *of_sample;
    double *accuracy;

    *t = (pen_trial_table){ .trials = trials,
                            .count = count,
                            .held = trials->starts[trials->count] };
    PEN_TRY(PEN_NEW(run, t->readings, all));
    PEN_TRY(PEN_NEW(run, t->fits, count));
    PEN_TRY(PEN_NEW(run, accuracy, pen_times(all, most)));
    for (int64_t i = 0; i < all * most; i++)
        accuracy[i] = (double)NAN;
    PEN_TRY(PEN_NEW(run, of_sample, pen_times(all, sampled)));
    PEN_TRY(PEN_FILLED(run, of_all, pen_times(all, bins), 0));
    if (wanted & PEN_WANT_CLASSES)
        PEN_TRY(PEN_NEW(run, t->classes, pen_times(count, t->held)));
    if (wanted & PEN_WANT_SHARES)
        PEN_TRY(PEN_NEW(run, t->p, pen_times(pen_times(count, t->held), classes)));
    for (int64_t i = 0; i < all; i++) {
        const int64_t before = i % count * t->held + trials->starts[i / count];
        pen_trial_reading *const r = &t->readings[i];
        *r = (pen_trial_reading){ .failure = { .code = PEN_CANCELLED },
                                  .with_answers = (wanted & PEN_WANT_ANSWERS) != 0,
                                  .accuracy = most ? accuracy + i * most : NULL,
                                  .sampled = sampled ? of_sample + i * sampled : NULL,
                                  .classes = t->classes ? t->classes + before : NULL,
                                  .p = t->p ? t->p + before * classes : NULL };
        pen_predictions_open(classes, &r->answer);
        pen_predictions_open(classes, &r->of_fit);
        r->answer.bins = bins ? of_all + i * bins : NULL;
    }
    return PEN_OK;
}

void pen_trial_table_ask(pen_trial_table *t, int64_t c, pen_classifier_params classifier,
                         int64_t dim_count, const int64_t *dims, int fewer)
{
    for (int64_t trial = 0; trial < t->trials->count; trial++) {
        pen_trial_reading *const r = &t->readings[trial * t->count + c];
        r->classifier = classifier;
        r->dim_count = dim_count;
        r->dims = dims;
        r->fewer = fewer;
    }
}

void pen_trial_table_fit(pen_trial_table *t, const pen_spec *spec, int64_t first, int64_t count)
{
    t->fits[t->fit_count++] = (pen_trial_fit){ spec, first, count };
}

static const pen_trial_fit *fit_of(const pen_trial_table *t, int64_t piece, int64_t *trial,
                                   pen_trial_reading **readings)
{
    const pen_trial_fit *const fit = &t->fits[piece % t->fit_count];

    *trial = piece / t->fit_count;
    *readings = t->readings + *trial * t->count + fit->first;
    return fit;
}

static pen_status try_fit(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const pen_trial_table *const t = context;
    pen_trial_reading *readings;
    int64_t trial;
    const pen_trial_fit *const fit = fit_of(t, piece, &trial, &readings);
    const double begun = pen_task_clock();
    pen_trial c;

    PEN_TRY(pen_trial_open(run, t->trials, trial, &c));
    const pen_status status = pen_trial_read(run, &c, fit->spec, fit->count, readings, control);
    for (int64_t i = 0; i < fit->count; i++)
        readings[i].seconds = pen_task_clock() - begun;
    return status;
}

pen_status pen_trials_try(pen_run *run, const char *phase, pen_trial_table *t)
{
    const pen_task_pool tasks = { phase, pen_times(t->trials->count, t->fit_count), try_fit, t };
    pen_trial_reading *readings;
    pen_error *why;
    int64_t trial;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, why, tasks.pieces));
    const pen_status status = pen_tasks_run(run, &tasks, why);
    for (int64_t piece = 0; piece < tasks.pieces; piece++) {
        const pen_trial_fit *const fit = fit_of(t, piece, &trial, &readings);
        for (int64_t i = 0; i < fit->count; i++)
            if (why[piece].code != PEN_OK || readings[i].dim_count == 0)
                readings[i].failure = why[piece];
    }
    pen_release(run, mark);
    return status;
}

pen_predictions pen_trials_sum(const pen_trial_table *t, int64_t c)
{
    pen_predictions sum;

    pen_predictions_open(t->trials->classes.classes, &sum);
    for (int64_t trial = 0; trial < t->trials->count; trial++)
        pen_predictions_merge(&t->readings[trial * t->count + c].answer, &sum);
    return sum;
}

int64_t pen_trials_least_given(const pen_trial_table *t, int64_t c)
{
    int64_t least = INT64_MAX;

    for (int64_t trial = 0; trial < t->trials->count; trial++)
        least = pen_min(least, t->readings[trial * t->count + c].given);
    return least;
}

double pen_trials_temperature(const pen_trial_set *t, const pen_classifier_params *classifier,
                              const pen_predictions *sum)
{
    const int64_t runs = (t->count + t->protocol.folds - 1) / t->protocol.folds;

    return classifier->temperature < 0
               ? pen_predictions_temperature(sum, runs, pen_usual_temperature(classifier->kind))
               : 0;
}
