/* tune.c - trials of combinations of parameters, and their ranking. */
#include "eval/tune.h"

#include "core/arguments.h"
#include "core/cache.h"
#include "eval/plan.h"
#include "eval/summary.h"
#include "eval/task_pool.h"
#include "eval/trial_reader.h"
#include "eval/trial_score.h"
#include "model/kernel_fit.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tuning {
    const pen_trials *trials;
    pen_candidate *candidates; /* [count] in the order of the grid */
    int64_t count, dim_count;
    int64_t dims[PEN_MOST_TUNED_DIMS + 1];
    double *accuracy; /* [count x trials x dim_count] */
    int64_t *given;   /* [count x trials] the last number of dimensions, as the method gives it */
    double *weight;   /* [trials] held-out rows */
};

static pen_status try_once(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct tuning *t = context;
    const int64_t candidate = piece / t->trials->count, trial = piece % t->trials->count;
    const pen_trial_scores scores = { .accuracy = t->accuracy + piece * t->dim_count,
                                      .given = t->given + piece };
    pen_trial c;

    PEN_TRY(pen_trial_open(run, t->trials, trial, &c));
    return pen_trial_score(run, &c, t->candidates[candidate].spec, t->dim_count, t->dims, control,
                           &scores);
}

/* Dimensions 1 to most_dims, and all of them if that is 0; for an unnested method or a given `dim`
 * only that one. */
static void choose_dims(const pen_spec *spec, int64_t d, int64_t most_dims, struct tuning *t)
{
    if (spec->common.dim > 0 || (spec->method->traits & PEN_UNNESTED)) {
        t->dims[0] = spec->common.dim;
        t->dim_count = 1;
        return;
    }
    t->dim_count =
        pen_min(pen_min(most_dims > 0 ? most_dims : PEN_MOST_TUNED_DIMS, PEN_MOST_TUNED_DIMS), d);
    for (int64_t i = 0; i < t->dim_count; i++)
        t->dims[i] = i + 1;
    if (most_dims == 0)
        t->dims[t->dim_count++] = 0;
}

/* The accuracy over all held-out rows in dims[i] dimensions, NaN unless every trial gives that
 * many; *deviation is the standard deviation over the trials. */
static double score_of(const struct tuning *t, int64_t candidate, int64_t i, double *deviation)
{
    const double *const accuracy = t->accuracy + candidate * t->trials->count * t->dim_count + i;
    const int64_t trials = t->trials->count;
    double correct = 0, held = 0, mean = 0, sum = 0;

    for (int64_t r = 0; r < trials; r++) {
        /* whole rows, so that equal scores compare equal */
        correct += round(t->weight[r] * accuracy[r * t->dim_count]);
        held += t->weight[r];
        mean += accuracy[r * t->dim_count] / (double)trials;
    }
    for (int64_t r = 0; r < trials; r++)
        sum += (accuracy[r * t->dim_count] - mean) * (accuracy[r * t->dim_count] - mean);
    *deviation = trials > 1 ? sqrt(sum / (double)(trials - 1)) : (double)NAN;
    return correct / held;
}

/* The fewest dimensions that score within one standard error of the best; -1: every trial gives
 * other dimensions. */
static int64_t choose_dim(const struct tuning *t, int64_t candidate)
{
    double best = -1, deviation;
    int64_t i;

    for (i = 0; i < t->dim_count; i++)
        best = fmax(best, score_of(t, candidate, i, &deviation));
    const double least =
        best - pen_standard_error(best, t->trials->classes.labelled) - PEN_SAME_SCORE;
    for (i = 0; best >= 0 && i < t->dim_count; i++)
        if (score_of(t, candidate, i, &deviation) >= least)
            return i;
    return -1;
}

/* Set score, deviation and dim of a candidate from its trials, or the reason there are none.
 * Returns 1 if all its trials finished. */
static int judge(const struct tuning *t, int64_t candidate, const char *state, const pen_error *why)
{
    pen_candidate *const c = &t->candidates[candidate];
    const int64_t first = candidate * t->trials->count;

    c->score = (double)NAN;
    for (int64_t r = 0; r < t->trials->count; r++) {
        if (state[first + r] == 0)
            return 0;
        if (state[first + r] == TASK_FAILED && !*c->failure)
            snprintf(c->failure, sizeof c->failure, "%.*s", (int)sizeof c->failure - 1,
                     why[first + r].message);
    }
    if (*c->failure)
        return 1;
    const int64_t i = choose_dim(t, candidate);
    if (i < 0) {
        snprintf(c->failure, sizeof c->failure,
                 "no number of dimensions is available in every trial");
        return 1;
    }
    c->score = score_of(t, candidate, i, &c->deviation);
    c->spec->common.dim = t->dims[i];
    /* the fewest of its trials where the method decides */
    c->dim = t->dims[i] > 0 ? t->dims[i]
                            : pen_least(t->given + candidate * t->trials->count, t->trials->count);
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
static void rank(struct tuning *t, const char *state, const pen_error *why, pen_tuning *out)
{
    for (int64_t c = 0; c < t->count; c++)
        if (judge(t, c, state, why))
            out->candidates[out->count++] = t->candidates[c];
        else
            drop(&t->candidates[c]);
    for (int64_t c = out->count; c < t->count; c++)
        out->candidates[c].spec = NULL;
    qsort(out->candidates, (size_t)out->count, sizeof *out->candidates, by_score);
}

static pen_status try_all(pen_run *run, struct tuning *t, double until, pen_tuning *out)
{
    const pen_task_pool tasks = { "tuning", pen_times(t->count, t->trials->count), try_once, t,
                                  until };
    char *state;
    pen_error *why;

    PEN_TRY(PEN_NEW(run, state, tasks.pieces));
    PEN_TRY(PEN_NEW(run, why, tasks.pieces));
    PEN_TRY(PEN_NEW(run, t->accuracy, pen_times(tasks.pieces, t->dim_count)));
    PEN_TRY(PEN_NEW(run, t->given, tasks.pieces));
    const pen_status status = pen_tasks_run(run, &tasks, state, why);
    rank(t, state, why, out);
    if (status == PEN_CANCELLED && out->count > 0)
        return PEN_OK;
    PEN_TRY(status);
    PEN_REQUIRE(run, out->count > 0, PEN_CANCELLED,
                "time limit reached before any of %lld combinations was tried",
                (long long)out->planned);
    PEN_REQUIRE(run, !isnan(out->candidates[0].score),
                why[0].code ? why[0].code : PEN_RANK_TOO_SMALL, "%s", out->candidates[0].failure);
    return PEN_OK;
}

static pen_status weigh_trials(pen_run *run, const pen_trials *trials, double **weight)
{
    const int64_t n = trials->data->x.rows;

    PEN_TRY(PEN_NEW(run, *weight, trials->count));
    for (int64_t r = 0; r < trials->count; r++) {
        const int32_t *const fold = trials->folds + r / trials->protocol.folds * n;
        (*weight)[r] = 0;
        for (int64_t i = 0; i < n; i++)
            (*weight)[r] += fold[i] == r % trials->protocol.folds;
    }
    return PEN_OK;
}

/* The most columns that the method sees. */
static int64_t columns_of(const pen_data *data, const pen_spec *spec)
{
    return pen_kernel_fit_columns(&spec->common.kernel, data->x.rows, data->x.cols);
}

static pen_status tune_in(pen_run *run, const pen_trials *trials, const pen_spec *spec,
                          const pen_spec *kernel, int64_t most_dims, int64_t most, double until,
                          pen_tuning *out)
{
    struct tuning t = { .trials = trials, .candidates = out->candidates };
    const int64_t first = pen_grid_size(spec);

    choose_dims(
        spec,
        pen_max(columns_of(trials->data, spec), kernel ? columns_of(trials->data, kernel) : 0),
        most_dims, &t);
    PEN_TRY(weigh_trials(run, trials, &t.weight));
    for (; t.count < most; t.count++) {
        const int second = t.count >= first;
        out->candidates[t.count] = (pen_candidate){ .order = t.count };
        PEN_TRY(pen_grid_spec(run, second ? kernel : spec, t.count - (second ? first : 0),
                              &out->candidates[t.count].spec));
    }
    return try_all(run, &t, until, out);
}

/* A copy of the spec without a kernel: what is set of kernels is for candidates that have one. */
static pen_status copy_without_kernel(const pen_spec *spec, pen_spec **out, pen_error *err)
{
    pen_spec *usual;

    PEN_TRY(pen_spec_copy(spec, out, err));
    PEN_TRY(pen_spec_new(spec->method->name, &usual, err));
    (*out)->common.kernel = usual->common.kernel;
    pen_spec_free(usual);
    return PEN_OK;
}

/* The method without a kernel, and the same with the rbf kernel, whose combinations come after the
 * others; both NULL: not asked for, or the kernel is given. */
static pen_status add_kernel(pen_run *run, const pen_trials *trials, const pen_spec *spec,
                             pen_spec **plain, pen_spec **out)
{
    pen_error err;

    if (!trials->protocol.kernels || pen_spec_is_set(spec, "kernel"))
        return PEN_OK;
    if (copy_without_kernel(spec, plain, &err) != PEN_OK
        || pen_spec_copy(spec, out, &err) != PEN_OK)
        return pen_fail_as(run, &err);
    return pen_plan_kernel(run, &trials->data->x, pen_trials_fewest_rows(trials), PEN_KERNEL_RBF,
                           *out);
}

pen_status pen_tune_over(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                         const pen_spec *spec, int64_t most_dims, int64_t most, double until,
                         pen_tuning **out)
{
    pen_protocol usual = protocol ? *protocol : (pen_protocol){ .folds = 0 };
    pen_trials trials;

    usual.runs = usual.runs ? usual.runs : PEN_TUNE_RUNS;
    *out = NULL;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_trials_open(run, data, &usual, &trials));
    PEN_TRY(pen_trial_readers_check(run, spec, &trials.protocol, 1, &spec->common.reader));
    pen_tuning *const result = pen_keep(run, 1, sizeof *result);
    if (!result)
        return PEN_NO_MEMORY;
    pen_spec *plain = NULL, *kernel = NULL;
    pen_status status = add_kernel(run, &trials, spec, &plain, &kernel);
    result->planned = pen_grid_size(spec) + (kernel ? pen_grid_size(kernel) : 0);
    result->held_out = pen_trials_held_out(&trials, trials.count);
    most = pen_min(most, result->planned);
    result->candidates = pen_keep(run, most, sizeof *result->candidates);
    if (status == PEN_OK)
        status = result->candidates ? PEN_OK : PEN_NO_MEMORY;
    result->room = most;
    if (status == PEN_OK)
        status =
            tune_in(run, &trials, plain ? plain : spec, kernel, most_dims, most, until, result);
    pen_spec_free(plain);
    pen_spec_free(kernel);
    pen_release(run, mark);
    if (status != PEN_OK) {
        pen_tuning_free(result);
        return status;
    }
    *out = result;
    return PEN_OK;
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

static pen_status check_and_tune(pen_run *run, const pen_spec *spec, const pen_data *data,
                                 const pen_protocol *protocol, int64_t most_dims, double seconds,
                                 pen_tuning **out)
{
    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_REQUIRE(run, most_dims >= 0 && most_dims <= PEN_MOST_TUNED_DIMS, PEN_BAD_ARGUMENT,
                "dims must be in [1, %d], got %lld", PEN_MOST_TUNED_DIMS, (long long)most_dims);
    PEN_REQUIRE(run, seconds >= 0, PEN_BAD_ARGUMENT, "seconds must be >= 0, got %g", seconds);
    return pen_tune_over(run, data, protocol, spec, most_dims, INT64_MAX,
                         seconds > 0 ? pen_task_clock() + seconds : 0, out);
}

pen_status pen_tune(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                    int64_t most_dims, double seconds, const pen_control *control, pen_tuning **out,
                    pen_error *err)
{
    pen_cache *cache;
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(control, err, &run));
    pen_status status = pen_cache_new(run, &cache);
    if (status == PEN_OK) {
        pen_run_share(run, cache);
        status = check_and_tune(run, spec, data, protocol, most_dims, seconds, out);
        pen_cache_free(cache);
    }
    pen_run_close(run);
    if (status == PEN_OK && err)
        *err = (pen_error){ .code = PEN_OK }; /* stopped after some candidates: no error */
    return status;
}
