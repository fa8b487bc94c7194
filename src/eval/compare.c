/* compare.c - comparing methods: first with default parameters, then tuned within each trial on the
 * rows not held out, as far as the time limit allows.
 *
 * The number of combinations tried for a method follows from the time its first trials took, so
 * that all methods get a similar share of the time. Without a limit all combinations are tried, and
 * the result depends only on the data and the seed. */
#include "core/arguments.h"
#include "core/cache.h"
#include "eval/trials.h"
#include "eval/ranking.h"
#include "eval/summary.h"
#include "eval/task_pool.h"
#include "eval/tune.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INNER_FOLDS = 3, CURVE = 9, STABILITY_ROWS = 500 };

/* The fraction of the time left after the trials with default parameters that tuning may take,
 * within the trials and on all rows. */
static const double TUNING = 0.85;

/* The fraction of the time left after the first trial of every method that the other trials with
 * default parameters may take. */
static const double FIRST_PASS = 0.5;

/* Scores closer than this are equal: summing in another order changes the rounding. */
static const double SAME = 1e-12;

struct comparison {
    pen_trials *trials;
    int64_t room; /* the number of trials planned; trials->count is the number completed in time */
    const pen_protocol *inner;
    pen_compared *candidates; /* [count] */
    pen_spec **defaults;      /* [count] */
    int64_t count, dim_count;
    int64_t dims[CURVE + 1]; /* the last is the method's own */
    double *curves;          /* [count x trials x (dim_count + 1)] */
    double *seconds;         /* [count x trials] taken in the first pass */
    /* [count x trials x stability_count] predicted classes of the stability sample: with default
     * parameters, and tuned */
    int32_t *predicted[2];
    int64_t first; /* the trial with which the pieces of the first pass begin */
    /* [count] 1: its first trial took so long that the time limit allows no more */
    char *slow;
    /* [count] the number of combinations to try; 0: none, or they score lower than the defaults */
    int64_t *most;
    int64_t tuned; /* the number of methods tuned in time */
    int stopped;   /* the caller requested a stop before tuning began */
    double until;
};

/* ---- first pass: default parameters ---- */

/* The time a method needs. */
struct need {
    int64_t method, size; /* size: the number of combinations */
    /* seconds for one trial; or for one combination, which is INNER_FOLDS fits in every trial and
     * on all rows */
    double each;
};

static int32_t *predicted_of(const struct comparison *k, int tuned, int64_t method, int64_t trial)
{
    return k->predicted[tuned] + (method * k->room + trial) * k->trials->stability_count;
}

static pen_status try_default(void *context, pen_run *run, const pen_control *control,
                              int64_t piece)
{
    const struct comparison *k = context;
    const int64_t method = piece % k->count, trial = k->first + piece / k->count,
                  at = method * k->room + trial;
    const double begun = pen_task_clock();
    const pen_trial_scores scores = { .accuracy = k->curves + at * (k->dim_count + 1),
                                      .predicted = predicted_of(k, 0, method, trial) };
    const int unnested = (k->defaults[method]->method->traits & PEN_UNNESTED) != 0;
    pen_trial c;

    for (int64_t i = 0; i <= k->dim_count; i++)
        scores.accuracy[i] = (double)NAN;
    if (k->slow[method])
        return PEN_OK;
    PEN_TRY(pen_trial_open(run, k->trials, trial, &c));
    /* a fit for each number of dimensions would take too long */
    const int64_t first = unnested ? k->dim_count : 0;
    const pen_trial_scores some = { .accuracy = scores.accuracy + first,
                                    .predicted = scores.predicted };
    const pen_status status = pen_trial_score(
        run, &c, k->defaults[method], k->dim_count + 1 - first, k->dims + first, control, &some);
    k->seconds[at] = pen_task_clock() - begun;
    return status;
}

static void fail(pen_compared *e, const char *why)
{
    snprintf(e->failure, sizeof e->failure, "%.*s", (int)sizeof e->failure - 1, why);
}

/* The mean of entry i of the curve over the trials. */
static double curve_mean(const struct comparison *k, int64_t method, int64_t i)
{
    double sum = 0;
    for (int64_t t = 0; t < k->trials->count; t++)
        sum += k->curves[(method * k->room + t) * (k->dim_count + 1) + i];
    return sum / (double)k->trials->count;
}

static void note_first_pass(const struct comparison *k, const char *state, const pen_error *why)
{
    for (int64_t m = 0; m < k->count; m++) {
        pen_compared *const e = &k->candidates[m];
        e->untuned = e->score = e->stability = (double)NAN;
        for (int64_t t = 0; t < k->trials->count; t++) {
            const int64_t piece = t * k->count + m;
            e->seconds += k->seconds[m * k->room + t];
            if (k->slow[m] && !*e->failure)
                fail(e, "too slow for the time limit");
            if (state[piece] != TASK_DONE && !*e->failure)
                fail(e, state[piece] == TASK_FAILED ? why[piece].message : "time limit reached");
        }
        for (int64_t i = 0; i < k->dim_count; i++)
            e->curve[i] = *e->failure ? (double)NAN : curve_mean(k, m, i);
        if (*e->failure)
            continue;
        e->untuned = curve_mean(k, m, k->dim_count);
        e->score = e->untuned;
        for (int64_t t = 0; t < k->trials->count; t++)
            e->trials[t] = k->curves[(m * k->room + t) * (k->dim_count + 1) + k->dim_count];
    }
}

/* Trials run in rounds. Only rounds that every method completed count; slow methods and those
 * without any completed trial are disregarded. */
static pen_status count_rounds(pen_run *run, struct comparison *k, const char *state)
{
    int64_t rounds = k->room, tried = 0;

    for (int64_t m = 0; m < k->count; m++) {
        int64_t t = 0;
        while (t < k->room && state[t * k->count + m] != 0)
            t++;
        tried += t > 0;
        rounds = t > 0 && !k->slow[m] ? pen_min(rounds, t) : rounds;
    }
    PEN_REQUIRE(run, tried > 0, PEN_CANCELLED,
                "time limit reached before any method had completed a trial; allow more time");
    k->trials->count = rounds;
    return PEN_OK;
}

static int by_time(const void *a, const void *b)
{
    const struct need *p = a, *q = b;
    return p->each != q->each ? (p->each > q->each) - (p->each < q->each)
                              : (p->method > q->method) - (p->method < q->method);
}

/* The number of methods, fastest first, that can run that many more rounds within the seconds. */
static int64_t affordable(const struct need *needs, int64_t count, int64_t rounds, double seconds)
{
    int64_t fits = 0;
    while (fits < count && (seconds -= needs[fits].each * (double)rounds) >= 0)
        fits++;
    return fits;
}

/* Plan the number of rounds, one of which is done: all, or as many as at least half of the methods
 * can complete in time. The other methods are marked slow. */
static pen_status plan_rounds(pen_run *run, const struct comparison *k, int64_t *rounds)
{
    const double left = k->until > 0 ? FIRST_PASS * (k->until - pen_task_clock()) * pen_threads(run)
                                     : (double)INFINITY;
    struct need *needs;

    PEN_TRY(PEN_NEW(run, needs, k->count));
    for (int64_t m = 0; m < k->count; m++)
        needs[m] = (struct need){ .method = m, .each = k->seconds[m * k->room] };
    qsort(needs, (size_t)k->count, sizeof *needs, by_time);
    *rounds = k->room;
    int64_t fits = affordable(needs, k->count, *rounds - 1, left);
    while (*rounds > 1 && 2 * fits < k->count)
        fits = affordable(needs, k->count, --*rounds - 1, left);
    for (int64_t i = fits; *rounds > 1 && i < k->count; i++)
        k->slow[needs[i].method] = 1;
    return PEN_OK;
}

static pen_status try_defaults(pen_run *run, struct comparison *k)
{
    pen_task_pool tasks = { "default parameters", k->count, try_default, k, k->until };
    int64_t rounds;
    char *state;
    pen_error *why;

    PEN_TRY(PEN_NEW(run, state, pen_times(k->count, k->room)));
    PEN_TRY(PEN_NEW(run, why, pen_times(k->count, k->room)));
    memset(k->seconds, 0, (size_t)(k->count * k->room) * sizeof *k->seconds);
    memset(state, 0, (size_t)(k->count * k->room));
    memset(k->slow, 0, (size_t)k->count);
    pen_status status = pen_tasks_run(run, &tasks, state, why);
    if (status == PEN_OK) {
        PEN_TRY(plan_rounds(run, k, &rounds));
        k->first = 1;
        tasks.pieces = pen_times(k->count, rounds - 1);
        status = pen_tasks_run(run, &tasks, state + k->count, why + k->count);
    }
    k->stopped = status == PEN_CANCELLED;
    if (!k->stopped)
        PEN_TRY(status);
    PEN_TRY(count_rounds(run, k, state));
    note_first_pass(k, state, why);
    return PEN_OK;
}

/* ---- second pass: tuning ---- */

static int by_need(const void *a, const void *b)
{
    const struct need *p = a, *q = b;
    const double p_all = p->each * (double)p->size, q_all = q->each * (double)q->size;

    if (p_all != q_all)
        return p_all < q_all ? -1 : 1;
    return (p->method > q->method) - (p->method < q->method);
}

/* Decide the number of combinations to try for each method. Time that methods with few combinations
 * do not need is shared by the others. */
static pen_status share_time(pen_run *run, const struct comparison *k)
{
    double left = TUNING * (k->until - pen_task_clock()) * pen_threads(run);
    struct need *needs;

    PEN_TRY(PEN_NEW(run, needs, k->count));
    for (int64_t m = 0; m < k->count; m++) {
        const double tried = k->slow[m] ? 1 : (double)k->trials->count,
                     fit = fmax(k->candidates[m].seconds / tried, 1e-6);
        needs[m] = (struct need){ m, pen_grid_size(k->defaults[m]),
                                  fit * INNER_FOLDS * (double)(k->trials->count + 1) };
    }
    qsort(needs, (size_t)k->count, sizeof *needs, by_need);
    for (int64_t i = 0; i < k->count; i++) {
        const double fits = k->until > 0
                                ? floor(fmax(left, 0) / (double)(k->count - i) / needs[i].each)
                                : (double)INT32_MAX;
        k->most[needs[i].method] = pen_min((int64_t)fmin(fits, INT32_MAX), needs[i].size);
        left -= needs[i].each * (double)k->most[needs[i].method];
    }
    return PEN_OK;
}

/* The data with all labels, or with the shuffled ones and then without listed pairs, which would
 * reveal the true classes. */
static pen_data everything(const pen_trials *trials)
{
    pen_data all = *trials->data;

    all.labels = trials->labels;
    if (trials->protocol.shuffle)
        all.must_link_count = all.cannot_link_count = 0;
    return all;
}

/* Tune over the planned combinations; PEN_CANCELLED if time runs out before all are tried. */
static pen_status tune_all(pen_run *run, const struct comparison *k, const pen_data *data,
                           int64_t method, pen_tuning **found)
{
    PEN_TRY(pen_tune_over(run, data, k->inner, k->defaults[method], 0, k->most[method], 0, found));
    if ((*found)->count == k->most[method])
        return PEN_OK;
    pen_tuning_free(*found);
    return pen_fail(run, PEN_CANCELLED, "time limit reached");
}

/* Piece p: method p / (trials + 1), trial p % (trials + 1); the one after the last trial tunes on
 * all labelled rows. The order is by method, so that when time runs out some methods are tuned
 * completely rather than all of them in part. */
static pen_status tune_one(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct comparison *k = context;
    const int64_t method = piece / (k->trials->count + 1), trial = piece % (k->trials->count + 1);
    pen_compared *const e = &k->candidates[method];
    pen_tuning *found;
    pen_trial c;

    if (k->most[method] == 0)
        return PEN_OK;
    if (trial == k->trials->count) {
        const pen_data all = everything(k->trials);
        PEN_TRY(tune_all(run, k, &all, method, &found));
        e->spec = found->candidates[0].spec;
        found->candidates[0].spec = NULL;
        pen_tuning_free(found);
        return PEN_OK;
    }
    PEN_TRY(pen_trial_open(run, k->trials, trial, &c));
    PEN_TRY(tune_all(run, k, &c.data, method, &found));
    const int64_t dim = found->candidates[0].spec->common.dim;
    const pen_trial_scores scores = { .accuracy = e->trials + trial,
                                      .predicted = predicted_of(k, 1, method, trial) };
    const pen_status status =
        pen_trial_score(run, &c, found->candidates[0].spec, 1, &dim, control, &scores);
    pen_tuning_free(found);
    return status;
}

static double mean_of_trials(const struct comparison *k, const pen_compared *e)
{
    double mean, deviation;

    pen_summarize(e->trials, 1, k->trials->count, &mean, &deviation);
    return mean;
}

/* The fraction of the stability sample classified alike in two trials, averaged over all pairs of
 * trials; NaN if the sample is empty or a trial has no predictions. */
static double stability_of(const struct comparison *k, int64_t method)
{
    const int tuned = k->most[method] > 0;
    const int64_t stability_count = k->trials->stability_count, count = k->trials->count;
    int64_t same = 0;

    for (int64_t t = 0; stability_count > 0 && t < count; t++)
        if (predicted_of(k, tuned, method, t)[0] < 0)
            return (double)NAN;
    for (int64_t t = 1; t < count; t++)
        for (int64_t u = 0; u < t; u++) {
            const int32_t *const a = predicted_of(k, tuned, method, t), *const b = predicted_of(
                                                                            k, tuned, method, u);
            for (int64_t i = 0; i < stability_count; i++)
                same += a[i] == b[i];
        }
    return stability_count > 0 && count > 1
               ? (double)same / ((double)stability_count * (double)count * (double)(count - 1) / 2)
               : (double)NAN;
}

/* A method with a piece that failed or did not run is scored with default parameters, if these
 * work, and so is one that tuning made worse. A method that works only with other parameters has
 * not failed. */
static void note_second_pass(struct comparison *k, const char *state)
{
    for (int64_t m = 0; m < k->count; m++) {
        pen_compared *const e = &k->candidates[m];
        for (int64_t t = 0; t <= k->trials->count; t++)
            if (state[m * (k->trials->count + 1) + t] != TASK_DONE)
                k->most[m] = 0;
        if (k->most[m] > 0)
            *e->failure = '\0';
        k->tuned += k->most[m] > 0;
        if (k->most[m] > 0 && !isnan(e->untuned) && mean_of_trials(k, e) < e->untuned - SAME)
            k->most[m] = 0;
        for (int64_t t = 0; k->most[m] == 0 && t < k->trials->count; t++)
            e->trials[t] = k->curves[(m * k->room + t) * (k->dim_count + 1) + k->dim_count];
        if (*e->failure)
            continue;
        pen_summarize(e->trials, 1, k->trials->count, &e->score, &e->deviation);
        e->stability = stability_of(k, m);
    }
}

static pen_status tune_methods(pen_run *run, struct comparison *k)
{
    const pen_task_pool tasks = { "tuning methods", pen_times(k->count, k->trials->count + 1),
                                  tune_one, k, k->until };
    char *state;
    pen_error *why;

    PEN_TRY(PEN_NEW(run, state, tasks.pieces));
    PEN_TRY(PEN_NEW(run, why, tasks.pieces));
    memset(state, 0, (size_t)tasks.pieces);
    memset(k->most, 0, (size_t)k->count * sizeof *k->most);
    pen_status status = PEN_CANCELLED;
    if (!k->stopped) {
        PEN_TRY(share_time(run, k));
        status = pen_tasks_run(run, &tasks, state, why);
    }
    if (status != PEN_CANCELLED)
        PEN_TRY(status);
    note_second_pass(k, state);
    for (int64_t m = 0; m < k->count; m++)
        if (!*k->candidates[m].failure) /* there is a result, even if stopped */
            return PEN_OK;
    PEN_REQUIRE(run, status != PEN_CANCELLED, PEN_CANCELLED, "cancelled");
    return pen_fail(run, PEN_BAD_DATA, "no method works on these data; %s: %s",
                    k->candidates[0].method->name, k->candidates[0].failure);
}

/* Methods whose tuned parameters are not used get the defaults; failed methods get no spec. */
static pen_status settle_specs(pen_run *run, const struct comparison *k)
{
    pen_error err;

    for (int64_t m = 0; m < k->count; m++) {
        if (k->most[m] > 0 && !*k->candidates[m].failure)
            continue;
        pen_spec_free(k->candidates[m].spec);
        k->candidates[m].spec = NULL;
        if (!*k->candidates[m].failure) {
            const pen_status status = pen_spec_copy(k->defaults[m], &k->candidates[m].spec, &err);
            PEN_REQUIRE(run, status == PEN_OK, status, "%s", err.message);
        }
    }
    return PEN_OK;
}

/* ---- the call ---- */

static pen_status choose_methods(pen_run *run, const char *const *names, int64_t count,
                                 const pen_method ***out, int64_t *chosen)
{
    const pen_method **list;

    *chosen = 0;
    PEN_TRY(PEN_NEW(run, list, pen_max(count, pen_method_count())));
    for (int64_t i = 0; names && i < count; i++) {
        list[*chosen] = pen_method_named(names[i]);
        PEN_REQUIRE(run, list[*chosen], PEN_UNKNOWN_NAME, "unknown method \"%.40s\"", names[i]);
        for (int64_t j = 0; j < *chosen; j++)
            PEN_REQUIRE(run, list[j] != list[*chosen], PEN_BAD_ARGUMENT, "%s is named twice",
                        names[i]);
        ++*chosen;
    }
    for (int64_t i = 0; !names && i < pen_method_count(); i++)
        list[(*chosen)++] = pen_method_at(i);
    *out = list;
    return PEN_OK;
}

static pen_status new_comparison(pen_run *run, const pen_method **methods, int64_t count,
                                 int64_t trials, int64_t dim_count, pen_comparison **out)
{
    pen_comparison *const c = *out = pen_keep(run, 1, sizeof *c);

    if (!c)
        return PEN_NO_MEMORY;
    c->trials = trials;
    c->dim_count = dim_count;
    c->dims = pen_keep(run, dim_count, sizeof *c->dims);
    c->candidates = pen_keep(run, count, sizeof *c->candidates);
    if (!c->dims || !c->candidates)
        return PEN_NO_MEMORY;
    c->count = count;
    for (int64_t i = 0; i < dim_count; i++)
        c->dims[i] = i + 1;
    for (int64_t m = 0; m < count; m++) {
        c->candidates[m].method = methods[m];
        c->candidates[m].trials = pen_keep(run, trials, sizeof(double));
        c->candidates[m].curve = pen_keep(run, dim_count, sizeof(double));
        if (!c->candidates[m].trials || !c->candidates[m].curve)
            return PEN_NO_MEMORY;
    }
    return PEN_OK;
}

void pen_comparison_free(pen_comparison *comparison)
{
    if (!comparison)
        return;
    for (int64_t m = 0; comparison->candidates && m < comparison->count; m++) {
        pen_spec_free(comparison->candidates[m].spec);
        free(comparison->candidates[m].trials);
        free(comparison->candidates[m].curve);
    }
    free(comparison->candidates);
    free(comparison->dims);
    free(comparison);
}

static pen_status make_defaults(pen_run *run, struct comparison *k, pen_spec **defaults)
{
    pen_error err;

    k->defaults = defaults;
    for (int64_t m = 0; m < k->count; m++) {
        const pen_status status = pen_spec_new(k->candidates[m].method->name, &defaults[m], &err);
        PEN_REQUIRE(run, status == PEN_OK, status, "%s", err.message);
    }
    return PEN_OK;
}

static pen_status run_comparison(pen_run *run, struct comparison *k, pen_comparison *out)
{
    const int64_t pieces = pen_times(k->count, k->room);

    k->candidates = out->candidates;
    PEN_TRY(PEN_NEW(run, k->curves, pen_times(pieces, k->dim_count + 1)));
    PEN_TRY(PEN_NEW(run, k->seconds, pieces));
    PEN_TRY(PEN_NEW(run, k->predicted[0], pen_times(pieces, k->trials->stability_count)));
    PEN_TRY(PEN_NEW(run, k->predicted[1], pen_times(pieces, k->trials->stability_count)));
    PEN_TRY(PEN_NEW(run, k->most, k->count));
    PEN_TRY(PEN_NEW(run, k->slow, k->count));
    PEN_TRY(try_defaults(run, k));
    out->trials = k->trials->count;
    PEN_TRY(tune_methods(run, k));
    PEN_TRY(settle_specs(run, k));
    out->tuned = k->tuned;
    pen_ranking_make(k->trials, out);
    return PEN_OK;
}

static pen_status compare(pen_run *run, const char *const *names, int64_t count,
                          const pen_data *data, const pen_protocol *protocol, double seconds,
                          pen_comparison **out)
{
    pen_protocol outer = protocol ? *protocol : (pen_protocol){ .folds = 0 }, inner;
    struct comparison k = { .until = seconds > 0 ? pen_task_clock() + seconds : 0 };
    const pen_method **methods = NULL;
    pen_trials trials;
    pen_spec **defaults;

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_REQUIRE(run, !names || (count >= 1 && count <= pen_method_count()), PEN_BAD_ARGUMENT,
                "count must be in [1, %lld], the number of methods, got %lld",
                (long long)pen_method_count(), (long long)count);
    PEN_TRY(pen_check_names(run, names, count, "names"));
    PEN_REQUIRE(run, seconds >= 0, PEN_BAD_ARGUMENT, "seconds must be >= 0, got %g", seconds);
    outer.runs = outer.runs ? outer.runs : PEN_COMPARE_RUNS;
    PEN_TRY(pen_trials_open(run, data, &outer, &trials));
    PEN_TRY(pen_trials_sample_for_stability(run, &trials, STABILITY_ROWS));
    PEN_TRY(choose_methods(run, names, count, &methods, &k.count));
    inner = trials.protocol;
    inner.folds = INNER_FOLDS;
    inner.runs = 1;
    inner.plain = 1; /* without the held-out rows a class may have fewer rows than folds */
    inner.labels = (pen_label_sample){ .seed = 0 };
    inner.shuffle = 0;
    k.trials = &trials;
    k.room = trials.count;
    k.inner = &inner;
    k.dim_count = pen_min(CURVE, data->x.cols);
    for (int64_t i = 0; i < k.dim_count; i++)
        k.dims[i] = i + 1;
    k.dims[k.dim_count] = 0;
    PEN_TRY(new_comparison(run, methods, k.count, trials.count, k.dim_count, out));
    PEN_TRY(PEN_NEW(run, defaults, k.count));
    memset(defaults, 0, (size_t)k.count * sizeof(pen_spec *));
    k.candidates = (*out)->candidates;
    pen_status status = make_defaults(run, &k, defaults);
    if (status == PEN_OK)
        status = run_comparison(run, &k, *out);
    for (int64_t m = 0; m < k.count; m++)
        pen_spec_free(defaults[m]);
    return status;
}

pen_status pen_compare(const char *const *names, int64_t count, const pen_data *data,
                       const pen_protocol *protocol, double seconds, const pen_control *control,
                       pen_comparison **out, pen_error *err)
{
    pen_cache *cache;
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(control, err, &run));
    pen_status status = pen_cache_new(run, &cache);
    if (status == PEN_OK) {
        pen_run_share(run, cache);
        status = compare(run, names, count, data, protocol, seconds, out);
        pen_cache_free(cache);
    }
    pen_run_close(run);
    if (status != PEN_OK && out) {
        pen_comparison_free(*out);
        *out = NULL;
    }
    if (status == PEN_OK && err)
        *err = (pen_error){ .code = PEN_OK }; /* stopped during tuning: no error */
    return status;
}
