/* tune.c - trials of combinations of parameters, and their ranking. */
#include "eval/tune.h"

#include "eval/summary.h"
#include "eval/task_pool.h"
#include "eval/trial_score.h"
#include "model/kernel_fit.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one classifier says of the combinations. */
struct classifier_trials {
    enum pen_classifier_kind kind;
    pen_candidate *candidates; /* [count] in the order of the grid */
    int64_t dim_count;
    int64_t dims[PEN_MOST_TUNED_DIMS + 1];
    double *accuracy; /* [count x trials x dim_count] */
    int64_t *given;   /* [count x trials] the last number of dimensions, as the method gives it */
    pen_error *why;   /* [count x trials] code PEN_OK: the classifier did not fail */
};

struct tuning {
    const pen_trial_set *trials;
    int64_t count, classifier_count;
    struct classifier_trials *classifiers; /* [classifier_count] */
    int64_t *hidden;                       /* [trials] rows held out */
};

static pen_status try_once(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct tuning *t = context;
    const int64_t candidate = piece / t->trials->count, trial = piece % t->trials->count;
    const pen_spec *const spec = t->classifiers[0].candidates[candidate].spec;
    pen_classifier_params classifier = spec->common.classifier;
    pen_trial_reading *readings;
    pen_trial c;

    PEN_TRY(PEN_NEW(run, readings, t->classifier_count));
    for (int64_t q = 0; q < t->classifier_count; q++) {
        const struct classifier_trials *const r = &t->classifiers[q];
        classifier.kind = r->kind;
        readings[q] =
            (pen_trial_reading){ .classifier = classifier,
                                 .dim_count = r->dim_count,
                                 .dims = r->dims,
                                 .scores = { .accuracy = r->accuracy + piece * r->dim_count,
                                             .given = r->given + piece } };
    }
    PEN_TRY(pen_trial_open(run, t->trials, trial, &c));
    PEN_TRY(pen_trial_read(run, &c, spec, t->classifier_count, readings, control));
    for (int64_t q = 0; q < t->classifier_count; q++)
        t->classifiers[q].why[piece] = readings[q].failure;
    return PEN_OK;
}

/* Dimensions 1 to PEN_MOST_TUNED_DIMS, and all of them; for an unnested method or a given `dim`
 * only that one. */
static void choose_dims(const pen_spec *spec, int64_t d, struct classifier_trials *r)
{
    if (spec->common.dim > 0 || (spec->method->traits & PEN_UNNESTED)) {
        r->dims[0] = spec->common.dim;
        r->dim_count = 1;
        return;
    }
    r->dim_count = pen_min(PEN_MOST_TUNED_DIMS, d);
    for (int64_t i = 0; i < r->dim_count; i++)
        r->dims[i] = i + 1;
    r->dims[r->dim_count++] = 0;
}

/* The accuracy over all held-out rows in dims[i] dimensions, NaN unless every trial gives that
 * many. */
static double score_of(const struct tuning *t, const struct classifier_trials *q, int64_t candidate,
                       int64_t i)
{
    const double *const accuracy = q->accuracy + candidate * t->trials->count * q->dim_count + i;
    const int64_t trials = t->trials->count;
    double correct = 0, held = 0;

    for (int64_t r = 0; r < trials; r++) {
        const double hidden = (double)t->hidden[r];
        /* whole rows, so that equal scores compare equal */
        correct += round(hidden * accuracy[r * q->dim_count]);
        held += hidden;
    }
    return correct / held;
}

/* The fewest dimensions that score within one standard error of the best; -1: every trial gives
 * other dimensions. */
static int64_t choose_dim(const struct tuning *t, const struct classifier_trials *q,
                          int64_t candidate)
{
    double best = -1;
    int64_t i;

    for (i = 0; i < q->dim_count; i++)
        best = fmax(best, score_of(t, q, candidate, i));
    const double least =
        best - pen_standard_error(best, t->trials->classes.labelled) - PEN_SAME_SCORE;
    for (i = 0; best >= 0 && i < q->dim_count; i++)
        if (score_of(t, q, candidate, i) >= least)
            return i;
    return -1;
}

/* Note the first failure of the fits or of the classifier. Returns 0 unless all trials finished. */
static int note_failure(const struct tuning *t, const struct classifier_trials *q, pen_candidate *c,
                        const char *state, const pen_error *why)
{
    const int64_t first = c->order * t->trials->count;

    for (int64_t r = first; r < first + t->trials->count; r++) {
        if (state[r] == 0)
            return 0;
        const pen_error *const failure = state[r] == TASK_FAILED ? &why[r] : &q->why[r];
        if (failure->code != PEN_OK && !*c->failure)
            snprintf(c->failure, sizeof c->failure, "%.*s", (int)sizeof c->failure - 1,
                     failure->message);
    }
    return 1;
}

/* Set score and dim of a candidate from its trials, or the reason there are none.
 * Returns 1 if all its trials finished. */
static int judge(const struct tuning *t, const struct classifier_trials *q, int64_t candidate,
                 const char *state, const pen_error *why)
{
    pen_candidate *const c = &q->candidates[candidate];

    c->score = (double)NAN;
    if (!note_failure(t, q, c, state, why))
        return 0;
    if (*c->failure)
        return 1;
    const int64_t i = choose_dim(t, q, candidate);
    if (i < 0) {
        snprintf(c->failure, sizeof c->failure,
                 "no number of dimensions is available in every trial");
        return 1;
    }
    c->score = score_of(t, q, candidate, i);
    c->spec->common.dim = q->dims[i];
    /* the fewest of its trials where the method decides */
    c->dim = q->dims[i] > 0 ? q->dims[i]
                            : pen_least(q->given + candidate * t->trials->count, t->trials->count);
    return 1;
}

static int by_score(const void *a, const void *b)
{
    const pen_candidate *p = a, *q = b;

    if (isnan(p->score) != isnan(q->score))
        return isnan(p->score) - isnan(q->score);
    if (!isnan(p->score) && p->score != q->score)
        return p->score < q->score ? 1 : -1;
    if (p->dim != q->dim)
        return p->dim > q->dim ? 1 : -1;
    return (p->order > q->order) - (p->order < q->order);
}

static void drop(pen_candidate *candidate)
{
    pen_spec_free(candidate->spec);
    candidate->spec = NULL;
}

/* Move finished candidates to the front and sort them. */
static void rank(const struct tuning *t, const struct classifier_trials *q, const char *state,
                 const pen_error *why, pen_tuning *out)
{
    for (int64_t c = 0; c < t->count; c++)
        if (judge(t, q, c, state, why))
            out->candidates[out->count++] = q->candidates[c];
        else
            drop(&q->candidates[c]);
    for (int64_t c = out->count; c < t->count; c++)
        out->candidates[c].spec = NULL;
    qsort(out->candidates, (size_t)out->count, sizeof *out->candidates, by_score);
}

/* One combination works for one classifier, or the first failure. */
static pen_status check_any(pen_run *run, const struct tuning *t, const pen_error *why,
                            pen_tuning *const *out)
{
    const pen_error *const classifier = &t->classifiers[0].why[0], *const first =
                                                                       why[0].code != PEN_OK
                                                                           ? &why[0]
                                                                           : classifier;

    for (int64_t q = 0; q < t->classifier_count; q++)
        if (!isnan(out[q]->candidates[0].score))
            return PEN_OK;
    return pen_fail(run, first->code != PEN_OK ? first->code : PEN_RANK_TOO_SMALL, "%s",
                    out[0]->candidates[0].failure);
}

static pen_status new_trials(pen_run *run, struct tuning *t, int64_t pieces)
{
    for (int64_t q = 0; q < t->classifier_count; q++) {
        struct classifier_trials *const r = &t->classifiers[q];
        PEN_TRY(PEN_NEW(run, r->accuracy, pen_times(pieces, r->dim_count)));
        PEN_TRY(PEN_NEW(run, r->given, pieces));
        PEN_TRY(PEN_NEW(run, r->why, pieces));
        for (int64_t i = 0; i < pieces; i++)
            r->why[i].code = PEN_OK; /* of those that do not run, too */
    }
    return PEN_OK;
}

static pen_status try_all(pen_run *run, struct tuning *t, pen_tuning **out)
{
    const pen_task_pool tasks = { "tuning", pen_times(t->count, t->trials->count), try_once, t };
    char *state;
    pen_error *why;

    PEN_TRY(PEN_NEW(run, state, tasks.pieces));
    PEN_TRY(PEN_NEW(run, why, tasks.pieces));
    PEN_TRY(new_trials(run, t, tasks.pieces));
    const pen_status status = pen_tasks_run(run, &tasks, state, why);
    for (int64_t q = 0; q < t->classifier_count; q++)
        rank(t, &t->classifiers[q], state, why, out[q]);
    if (status == PEN_CANCELLED && out[0]->count > 0)
        return PEN_OK;
    PEN_TRY(status);
    return check_any(run, t, why, out);
}

/* The most columns that the method sees in any of the combinations. */
static int64_t most_columns(const pen_data *data, int64_t count, const pen_candidate *candidates)
{
    int64_t most = 0;

    for (int64_t c = 0; c < count; c++)
        most = pen_max(most, pen_kernel_fit_columns(&candidates[c].spec->common.kernel,
                                                    data->x.rows, data->x.cols));
    return most;
}

/* The combinations, a copy of each spec for each classifier. */
static pen_status list_candidates(pen_run *run, const pen_grid *grid, int64_t most, pen_tuning *out)
{
    for (int64_t c = 0; c < most; c++) {
        out->candidates[c] = (pen_candidate){ .order = c };
        PEN_TRY(pen_grid_spec(run, grid, c, &out->candidates[c].spec));
    }
    return PEN_OK;
}

static pen_status new_tuning(pen_run *run, int64_t most, pen_tuning **out)
{
    PEN_TRY(PEN_KEEP(run, *out, 1));
    PEN_TRY(PEN_KEEP(run, (*out)->candidates, most));
    (*out)->room = most;
    return PEN_OK;
}

static pen_status tune(pen_run *run, struct tuning *t, const pen_spec *spec, int64_t most,
                       const enum pen_classifier_kind *kinds, pen_tuning **found)
{
    pen_grid grid;

    PEN_TRY(pen_grid_open(run, spec, &grid));
    t->count = pen_min(most, grid.size);
    PEN_TRY(PEN_NEW(run, t->classifiers, t->classifier_count));
    PEN_TRY(PEN_NEW(run, t->hidden, t->trials->count));
    for (int64_t r = 0; r < t->trials->count; r++)
        t->hidden[r] = pen_trials_hidden(t->trials, r);
    for (int64_t q = 0; q < t->classifier_count; q++) {
        PEN_TRY(new_tuning(run, t->count, &found[q]));
        pen_candidate *const candidates = found[q]->candidates;
        t->classifiers[q] =
            (struct classifier_trials){ .kind = kinds[q], .candidates = candidates };
        PEN_TRY(list_candidates(run, &grid, t->count, found[q]));
        choose_dims(spec, most_columns(t->trials->data, t->count, candidates), &t->classifiers[q]);
    }
    return try_all(run, t, found);
}

pen_status pen_tune_classifiers(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                                const pen_spec *spec, int64_t count,
                                const enum pen_classifier_kind *kinds, int64_t most,
                                pen_tuning **found)
{
    pen_trial_set trials;
    struct tuning t = { .trials = &trials, .classifier_count = count };

    for (int64_t q = 0; q < count; q++)
        found[q] = NULL;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_trials_open(run, data, protocol, &trials));
    const pen_status status = tune(run, &t, spec, most, kinds, found);
    pen_release(run, mark);
    for (int64_t q = 0; status != PEN_OK && q < count; q++) {
        pen_tuning_free(found[q]);
        found[q] = NULL;
    }
    return status;
}

void pen_tuning_free(pen_tuning *tuning)
{
    if (!tuning)
        return;
    for (int64_t i = 0; tuning->candidates && i < tuning->room; i++)
        drop(&tuning->candidates[i]);
    free(tuning->candidates);
    free(tuning);
}
