/* trial_score.c - how methods score in trials: the classes of the rows held out, by
 * classifiers. */
#include "eval/trials/trial_score.h"

#include "eval/trials/task_pool.h"
#include "eval/trials/trial_classifier.h"
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

static pen_status answer(pen_run *run, const pen_trial *c, const pen_trial_classifier *classifier,
                         const struct reading *hidden, pen_trial_reading *to)
{
    pen_embedding fitted = *classifier->embedding;
    pen_trial_classifier own = *classifier;
    struct reading of_fit;

    PEN_TRY(pen_trial_answer(run, c, hidden->p, hidden->told, &to->answer));
    if (classifier->kind != PEN_CLASSIFIER_SCORES || !fitted.fitted)
        return PEN_OK;
    fitted.scores = fitted.fitted;
    own.embedding = &fitted;
    PEN_TRY(read_rows(run, &own, 0, c->hidden, c->hidden_rows, &of_fit));
    return pen_trial_answer(run, c, of_fit.p, of_fit.told, &to->of_fit);
}

/* What is wanted of the last number of dimensions alone. */
static pen_status read_last(pen_run *run, const pen_trial *c,
                            const pen_trial_classifier *classifier, const struct reading *hidden,
                            pen_trial_reading *to)
{
    const pen_trial_set *const t = c->trials;
    const size_t classes = (size_t)t->classes.classes;
    struct reading more;

    if (to->told)
        memcpy(to->told, hidden->told, (size_t)c->hidden * sizeof *hidden->told);
    if (to->p)
        memcpy(to->p, hidden->p, (size_t)c->hidden * classes * sizeof *hidden->p);
    if (to->with_answers)
        PEN_TRY(answer(run, c, classifier, hidden, to));
    if (c->dropped > 0) {
        PEN_TRY(read_rows(run, classifier, 0, c->dropped, c->dropped_rows, &more));
        to->dropped = share_right(t, &more, c->dropped_rows);
    }
    if (!to->predicted || t->stability_count == 0)
        return PEN_OK;
    PEN_TRY(read_rows(run, classifier, 0, t->stability_count, t->stability_rows, &more));
    memcpy(to->predicted, more.told, (size_t)more.count * sizeof *more.told);
    return PEN_OK;
}

/* The scores of entry i, whose number of dimensions is r. */
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

/* Does the embedding have dims[i] dimensions? */
static int is_given(const pen_embedding *e, const pen_trial_reading *reading, int64_t i)
{
    return reading->dims[i] <= e->k || reading->fewer;
}

/* Set scores for dims[from] .. dims[to - 1], where the embedding has that many dimensions. */
static pen_status set_scores(pen_run *run, const pen_trial *c, const pen_embedding *e, int64_t from,
                             int64_t to, pen_trial_reading *reading)
{
    for (int64_t i = from; i < to; i++) {
        const int64_t r = reading->dims[i] ? pen_min(reading->dims[i], e->k) : e->k;
        if (!is_given(e, reading, i))
            continue;
        if (i + 1 == reading->dim_count)
            reading->given = r;
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(read_at(run, c, reading, e, r, i));
        pen_release(run, mark);
    }
    return PEN_OK;
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
    to->given = 0;
    clear(c->trials->classes.classes, &to->answer);
    clear(c->trials->classes.classes, &to->of_fit);
    for (int64_t i = 0; to->accuracy && i < to->dim_count; i++)
        to->accuracy[i] = (double)NAN;
    for (int64_t i = 0; to->predicted && i < c->trials->stability_count; i++)
        to->predicted[i] = -1;
    for (int64_t i = 0; to->told && i < c->hidden; i++)
        to->told[i] = -1;
}

/* With a run of its own, so that a failure does not stop the others. */
static pen_status read_one(pen_run *run, const pen_trial *c, const pen_embedding *e, int64_t from,
                           int64_t to, const pen_control *control, pen_trial_reading *reading,
                           pen_error *why)
{
    pen_run *own;

    PEN_TRY(pen_run_open(control, why, &own));
    pen_run_share(own, pen_run_cache(run), NULL);
    const pen_status status = set_scores(own, c, e, from, to, reading);
    pen_run_close(own);
    return status;
}

/* An error where the embedding has none of the numbers of dimensions. */
static pen_status check_given(const pen_embedding *e, const pen_trial_reading *reading,
                              pen_error *why)
{
    for (int64_t i = 0; i < reading->dim_count; i++)
        if (is_given(e, reading, i))
            return PEN_OK;
    return pen_error_set(why, PEN_RANK_TOO_SMALL,
                         "requested %lld dimensions or more, the method gives %lld on these rows",
                         (long long)reading->dims[0], (long long)e->k);
}

/* Does any of them look at all rows? */
static int need_all(const pen_trial *c, int64_t count, const pen_trial_reading *readings)
{
    for (int64_t q = 0; q < count; q++)
        if (readings[q].dim_count > 0 && pen_trial_classifier_needs_all(c, &readings[q].classifier))
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
        if (reading->dim_count == 0)
            continue;
        pen_status status = check_given(&e, reading, &reading->failure);
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
    return spec->method->traits & PEN_UNNESTED
               ? read_each(run, c, &asked, count, readings, control)
               : read_nested(run, c, &asked, count, readings, control);
}

/* ---- all trials ---- */

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

pen_status pen_trial_readings_new(pen_run *run, const pen_trial_set *trials, int64_t count,
                                  pen_trial_reading **out)
{
    const int64_t all = pen_times(trials->count, count);

    PEN_TRY(PEN_NEW(run, *out, all));
    for (int64_t i = 0; i < all; i++) {
        (*out)[i] = (pen_trial_reading){ .failure = { .code = PEN_CANCELLED } };
        pen_predictions_open(trials->classes.classes, &(*out)[i].answer);
        pen_predictions_open(trials->classes.classes, &(*out)[i].of_fit);
    }
    return PEN_OK;
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
