/* compare.c - comparing methods: first with default parameters, then tuned within each trial on the
 * rows not held out, as far as the budget allows.
 *
 * What is tried is decided before the first trial, from the costs of the methods (eval/plan.h): the
 * result depends on the data, the seed and the settings only. A time limit, where one is set, cuts
 * that short. */
#include "core/arguments.h"
#include "core/cache.h"
#include "eval/plan.h"
#include "eval/ranking.h"
#include "eval/summary.h"
#include "eval/task_pool.h"
#include "eval/trial_score.h"
#include "eval/tune.h"
#include "kernels/kernel.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INNER_FOLDS = 3, CURVE = 9, STABILITY_ROWS = 500 };

/* What a candidate is: a method, and its kernel. */
struct named {
    const pen_method *method;
    enum pen_kernel_kind kernel;
};

struct comparison {
    pen_trials *trials;
    int64_t room; /* the number of trials planned; trials->count is the number completed in time */
    const pen_protocol *inner; /* with 0 folds: too few labels to tune */
    const struct named *named; /* [count] */
    pen_compared *candidates;  /* [count] */
    pen_spec **defaults;       /* [count] */
    pen_share *shares;         /* [count] */
    int64_t *order;            /* [count] methods, cheapest first; the first `listed` are tried */
    int64_t count, listed, dim_count;
    int64_t dims[CURVE + 1]; /* the last is the method's own */
    double *curves;          /* [count x trials x (dim_count + 1)] */
    double *seconds;         /* [count x trials] taken in the first pass */
    int64_t *given;          /* [count x trials] the method's own number of dimensions */
    /* predicted classes with default parameters, and tuned: of the stability sample
     * [count x trials x stability_count], and of the held-out rows [count x starts[trials]] */
    int32_t *predicted[2], *told[2];
    int64_t *starts; /* [trials + 1] trial t holds out rows starts[t] .. starts[t + 1] - 1 of all */
    /* [count] the number of combinations to try; 0: none, or they score lower than the defaults */
    int64_t *most;
    int64_t *tuned_dims; /* [count] dimensions, tuned on all labelled rows */
    int64_t tuned;       /* the number of methods tuned in time */
    int stopped;         /* the caller requested a stop before tuning began */
    int late;            /* the time limit was reached before all was tried */
    double until;
};

/* ---- first pass: default parameters ---- */

static int32_t *predicted_of(const struct comparison *k, int tuned, int64_t method, int64_t trial)
{
    return k->predicted[tuned] + (method * k->room + trial) * k->trials->stability_count;
}

static int32_t *told_of(const struct comparison *k, int tuned, int64_t method, int64_t trial)
{
    return k->told[tuned] + method * k->starts[k->room] + k->starts[trial];
}

/* Piece p: trial p / listed, the method at p % listed, so that rounds are completed one after the
 * other. */
static pen_status try_default(void *context, pen_run *run, const pen_control *control,
                              int64_t piece)
{
    const struct comparison *k = context;
    const int64_t method = k->order[piece % k->listed], trial = piece / k->listed,
                  at = method * k->room + trial;
    const double begun = pen_task_clock();
    const pen_trial_scores scores = { .accuracy = k->curves + at * (k->dim_count + 1),
                                      .predicted = predicted_of(k, 0, method, trial),
                                      .told = told_of(k, 0, method, trial),
                                      .given = k->given + at };
    const int unnested = (k->defaults[method]->method->traits & PEN_UNNESTED) != 0;
    pen_trial c;

    for (int64_t i = 0; i <= k->dim_count; i++)
        scores.accuracy[i] = (double)NAN;
    PEN_TRY(pen_trial_open(run, k->trials, trial, &c));
    /* a fit for each number of dimensions would take too long */
    const int64_t first = unnested ? k->dim_count : 0;
    pen_trial_scores some = scores;
    some.accuracy += first;
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

static void note_default(const struct comparison *k, int64_t m)
{
    pen_compared *const e = &k->candidates[m];

    for (int64_t i = 0; i < k->dim_count; i++)
        e->curve[i] = curve_mean(k, m, i);
    e->untuned = curve_mean(k, m, k->dim_count);
    e->score = e->untuned;
    e->dim = pen_least(k->given + m * k->room, k->trials->count);
    for (int64_t t = 0; t < k->trials->count; t++)
        e->trials[t] = k->curves[(m * k->room + t) * (k->dim_count + 1) + k->dim_count];
}

static void note_first_pass(const struct comparison *k, const char *state, const pen_error *why)
{
    for (int64_t m = 0; m < k->count; m++) {
        pen_compared *const e = &k->candidates[m];
        e->untuned = e->score = e->stability = e->deviation = (double)NAN;
        for (int64_t i = 0; i < k->dim_count; i++)
            e->curve[i] = (double)NAN;
        if (!k->shares[m].tried) {
            e->tried = PEN_LEFT_OUT;
            fail(e, "its trials cost too much for the budget");
        }
    }
    for (int64_t i = 0; i < k->listed; i++) {
        const int64_t m = k->order[i];
        pen_compared *const e = &k->candidates[m];
        e->tried = state[i] != 0 ? PEN_TRIED : PEN_NOT_REACHED;
        for (int64_t t = 0; t < k->trials->count; t++) {
            const int64_t piece = t * k->listed + i;
            e->seconds += k->seconds[m * k->room + t];
            if (state[piece] != TASK_DONE && !*e->failure)
                fail(e, state[piece] == TASK_FAILED ? why[piece].message
                        : k->stopped                ? "interrupted"
                                                    : "time limit reached");
        }
        if (!*e->failure)
            note_default(k, m);
    }
}

/* Trials run in rounds. Only rounds that every method completed count; methods without any
 * completed trial are disregarded. */
static pen_status count_rounds(pen_run *run, struct comparison *k, const char *state)
{
    int64_t rounds = k->room, tried = 0;

    for (int64_t i = 0; i < k->listed; i++) {
        int64_t t = 0;
        while (t < k->room && state[t * k->listed + i] != 0)
            t++;
        tried += t > 0;
        rounds = t > 0 ? pen_min(rounds, t) : rounds;
        k->late |= t < k->room && !k->stopped;
    }
    PEN_REQUIRE(run, tried > 0, PEN_CANCELLED,
                "time limit reached before any method had completed a trial; allow more time");
    k->trials->count = rounds;
    return PEN_OK;
}

static pen_status try_defaults(pen_run *run, struct comparison *k)
{
    const pen_task_pool tasks = { "default parameters", pen_times(k->listed, k->room), try_default,
                                  k, k->until };
    char *state;
    pen_error *why;

    PEN_TRY(PEN_NEW(run, state, tasks.pieces));
    PEN_TRY(PEN_NEW(run, why, tasks.pieces));
    memset(k->seconds, 0, (size_t)(k->count * k->room) * sizeof *k->seconds);
    const pen_status status = pen_tasks_run(run, &tasks, state, why);
    k->stopped = status == PEN_CANCELLED;
    if (!k->stopped)
        PEN_TRY(status);
    PEN_TRY(count_rounds(run, k, state));
    note_first_pass(k, state, why);
    return PEN_OK;
}

/* ---- second pass: tuning ---- */

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

/* The method and the trial of a piece: by method, cheapest first, so that when time runs out some
 * methods are tuned completely rather than all of them in part. The trial after the last one tunes
 * on all labelled rows. */
static int64_t method_of(const struct comparison *k, int64_t piece, int64_t *trial)
{
    *trial = piece % (k->trials->count + 1);
    return k->order[piece / (k->trials->count + 1)];
}

static pen_status tune_one(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct comparison *k = context;
    int64_t trial;
    const int64_t method = method_of(k, piece, &trial);
    pen_compared *const e = &k->candidates[method];
    pen_tuning *found;
    pen_trial c;

    if (k->most[method] == 0)
        return PEN_OK;
    if (trial == k->trials->count) {
        const pen_data all = everything(k->trials);
        PEN_TRY(tune_all(run, k, &all, method, &found));
        e->spec = found->candidates[0].spec;
        k->tuned_dims[method] = found->candidates[0].dim;
        found->candidates[0].spec = NULL;
        pen_tuning_free(found);
        return PEN_OK;
    }
    PEN_TRY(pen_trial_open(run, k->trials, trial, &c));
    PEN_TRY(tune_all(run, k, &c.data, method, &found));
    const int64_t dim = found->candidates[0].spec->common.dim;
    const pen_trial_scores scores = { .accuracy = e->trials + trial,
                                      .predicted = predicted_of(k, 1, method, trial),
                                      .told = told_of(k, 1, method, trial) };
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
static void note_second_pass(struct comparison *k, const char *state, int stopped)
{
    const int64_t pieces = k->trials->count + 1;

    for (int64_t i = 0; i < k->listed; i++) {
        const int64_t m = k->order[i];
        pen_compared *const e = &k->candidates[m];
        e->combinations = k->most[m];
        for (int64_t t = 0; t < pieces && e->combinations > 0; t++) {
            k->late |= state[i * pieces + t] == 0 && !stopped;
            if (state[i * pieces + t] != TASK_DONE)
                k->most[m] = 0;
        }
        if (k->most[m] > 0)
            *e->failure = '\0';
        else
            e->combinations = 0;
        k->tuned += k->most[m] > 0;
        if (k->most[m] > 0 && !isnan(e->untuned)
            && mean_of_trials(k, e) < e->untuned - PEN_SAME_SCORE)
            k->most[m] = 0;
        if (k->most[m] > 0)
            e->dim = k->tuned_dims[m];
        for (int64_t t = 0; k->most[m] == 0 && t < k->trials->count; t++)
            e->trials[t] = k->curves[(m * k->room + t) * (k->dim_count + 1) + k->dim_count];
        if (*e->failure)
            continue;
        pen_summarize(e->trials, 1, k->trials->count, &e->score, &e->deviation);
        e->stability = stability_of(k, m);
    }
}

/* Methods with the same answers for all held-out rows name the first of them in the list. */
static void note_same_answers(const struct comparison *k)
{
    const size_t size = (size_t)k->starts[k->trials->count] * sizeof(int32_t);

    for (int64_t m = 0; m < k->count; m++) {
        pen_compared *const e = &k->candidates[m];
        for (int64_t o = 0; o <= m && !e->same_as && !*e->failure; o++)
            if (!*k->candidates[o].failure
                && memcmp(told_of(k, k->most[m] > 0, m, 0), told_of(k, k->most[o] > 0, o, 0), size)
                       == 0)
                e->same_as = k->candidates[o].name;
    }
}

static pen_status tune_methods(pen_run *run, struct comparison *k)
{
    const pen_task_pool tasks = { "tuning methods", pen_times(k->listed, k->trials->count + 1),
                                  tune_one, k, k->until };
    char *state;
    pen_error *why;

    PEN_TRY(PEN_NEW(run, state, tasks.pieces));
    PEN_TRY(PEN_NEW(run, why, tasks.pieces));
    memset(state, 0, (size_t)tasks.pieces);
    const pen_status status = k->stopped ? PEN_CANCELLED : pen_tasks_run(run, &tasks, state, why);
    if (status != PEN_CANCELLED)
        PEN_TRY(status);
    note_second_pass(k, state, status == PEN_CANCELLED);
    note_same_answers(k);
    for (int64_t m = 0; m < k->count; m++)
        if (!*k->candidates[m].failure) /* there is a result, even if stopped */
            return PEN_OK;
    PEN_REQUIRE(run, status != PEN_CANCELLED, PEN_CANCELLED, "cancelled");
    const int64_t first = k->order[0];
    return pen_fail(run, PEN_BAD_DATA, "no method works on these data; %s: %s",
                    k->candidates[first].name, k->candidates[first].failure);
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

/* self, or self+rbf. */
static pen_status read_name(pen_run *run, const char *name, struct named *out)
{
    const char *const plus = strchr(name, '+');
    char method[40] = "";
    int kind = PEN_KERNEL_NONE;

    if (!plus || (size_t)(plus - name) < sizeof method)
        snprintf(method, sizeof method, "%.*s", plus ? (int)(plus - name) : 39, name);
    out->method = pen_method_named(method);
    PEN_REQUIRE(run, out->method, PEN_UNKNOWN_NAME, "unknown method \"%.40s\"", name);
    for (kind += plus != NULL; plus && kind < PEN_KERNEL_PRECOMPUTED; kind++)
        if (strcmp(plus + 1, pen_kernel_names[kind]) == 0)
            break;
    PEN_REQUIRE(run, kind < PEN_KERNEL_PRECOMPUTED, PEN_UNKNOWN_NAME,
                "\"%.40s\": the kernel after + must be one of linear, rbf, laplacian, polynomial, "
                "cosine",
                name);
    out->kernel = (enum pen_kernel_kind)kind;
    return PEN_OK;
}

static int is_listed(const struct named *list, int64_t count, struct named candidate)
{
    for (int64_t i = 0; i < count; i++)
        if (list[i].method == candidate.method && list[i].kernel == candidate.kernel)
            return 1;
    return 0;
}

/* Those named, or all methods; with `kernels` each with the rbf kernel, too. */
static pen_status choose_methods(pen_run *run, const char *const *names, int64_t count, int kernels,
                                 struct named **out, int64_t *chosen)
{
    struct named *list, candidate = { .kernel = PEN_KERNEL_NONE };
    const int64_t given = names ? count : pen_method_count();

    *chosen = 0;
    PEN_TRY(PEN_NEW(run, list, pen_times(2, given)));
    for (int64_t i = 0; i < given; i++) {
        candidate.method = pen_method_at(i);
        if (names)
            PEN_TRY(read_name(run, names[i], &candidate));
        PEN_REQUIRE(run, !is_listed(list, *chosen, candidate), PEN_BAD_ARGUMENT,
                    "%s is named twice", names[i]);
        list[(*chosen)++] = candidate;
    }
    for (int64_t i = 0; kernels && i < given; i++) {
        candidate = (struct named){ list[i].method, PEN_KERNEL_RBF };
        if (!is_listed(list, *chosen, candidate))
            list[(*chosen)++] = candidate;
    }
    *out = list;
    return PEN_OK;
}

/* The most columns that a method sees: coordinates of a kernel are as many as rows, or more than a
 * curve shows. */
static int64_t most_columns(const struct named *list, int64_t count, const pen_data *data)
{
    int64_t most = data->x.cols;

    for (int64_t m = 0; m < count; m++)
        if (list[m].kernel != PEN_KERNEL_NONE)
            most = pen_max(most, data->x.rows);
    return most;
}

static void name_candidate(const struct named *named, pen_compared *e)
{
    const int plain = named->kernel == PEN_KERNEL_NONE;

    e->method = named->method;
    snprintf(e->name, sizeof e->name, "%s%s%s", named->method->name, plain ? "" : "+",
             plain ? "" : pen_kernel_names[named->kernel]);
}

static pen_status new_comparison(pen_run *run, const struct named *methods, int64_t count,
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
        name_candidate(&methods[m], &c->candidates[m]);
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

/* Default parameters, with principal components first where there are many columns. */
static pen_status make_default(pen_run *run, const struct comparison *k, int64_t m, int64_t fewest,
                               const char *pca, pen_spec **out)
{
    const struct named *const named = &k->named[m];
    pen_error err;

    pen_status status = pen_spec_new(named->method->name, out, &err);
    if (status == PEN_OK && named->kernel != PEN_KERNEL_NONE)
        return pen_plan_kernel(run, &k->trials->data->x, fewest, named->kernel, *out);
    if (status == PEN_OK && pca && !named->method->wide)
        status = pen_spec_set(*out, "pca", pca, &err);
    PEN_REQUIRE(run, status == PEN_OK, status, "%s", err.message);
    return PEN_OK;
}

static pen_status make_defaults(pen_run *run, struct comparison *k, pen_spec **defaults)
{
    const pen_trials *const t = k->trials;
    const int64_t fewest = pen_trials_fewest_rows(t);
    const char *pca;

    k->defaults = defaults;
    PEN_TRY(pen_plan_components(run, &t->data->x, fewest, NULL, &pca));
    for (int64_t m = 0; m < k->count; m++)
        PEN_TRY(make_default(run, k, m, fewest, pca, &defaults[m]));
    return PEN_OK;
}

/* The folds for tuning without the held-out rows: no more than the largest class then has rows in
 * any trial; 0: it has one. */
static pen_status inner_folds(pen_run *run, const pen_trials *trials, int64_t *folds)
{
    *folds = INNER_FOLDS;
    for (int64_t t = 0; t < trials->count; t++) {
        pen_rows known = { .n = 0 };
        pen_trial c;
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(pen_trial_open(run, trials, t, &c));
        PEN_TRY(pen_rows_label(run, c.data.labels, c.data.x.rows, &known));
        *folds = pen_min(*folds, pen_class_largest(&known));
        pen_release(run, mark);
    }
    *folds = *folds < 2 ? 0 : *folds;
    return PEN_OK;
}

/* Decide what is tried. */
static pen_status plan(pen_run *run, struct comparison *k, pen_comparison *out)
{
    const pen_protocol *const p = &k->trials->protocol;
    const double budget = PEN_COMPARE_BUDGET * (p->effort > 0 ? p->effort : 1);
    const int64_t classified = k->trials->classes.labelled / p->folds + k->trials->stability_count;
    pen_costs costs;

    PEN_TRY(PEN_NEW(run, k->shares, k->count));
    PEN_TRY(PEN_NEW(run, k->order, k->count));
    PEN_TRY(pen_costs_open(run, k->trials->data, &costs));
    costs.shared = !p->inductive;
    for (int64_t m = 0; m < k->count; m++)
        k->shares[m] = (pen_share){ .trial = pen_costs_trial(&costs, k->defaults[m], classified),
                                    .grid = pen_grid_size(k->defaults[m]) };
    pen_plan_shares(budget, k->inner->folds, k->count, k->shares, k->order, &k->trials->count);
    k->room = k->trials->count;
    for (int64_t m = 0; m < k->count; m++) {
        out->candidates[m].cost = k->shares[m].trial * (double)k->room / budget;
        out->candidates[m].grid = k->shares[m].grid;
    }
    /* those left out may stand between the others */
    for (int64_t i = 0; i < k->count; i++)
        if (k->shares[k->order[i]].tried)
            k->order[k->listed++] = k->order[i];
    return PEN_OK;
}

static pen_status new_lists(pen_run *run, struct comparison *k)
{
    const int64_t pieces = pen_times(k->count, k->room);
    const pen_trials *const t = k->trials;
    const int64_t n = t->data->x.rows;

    PEN_TRY(PEN_NEW(run, k->starts, k->room + 1));
    k->starts[0] = 0;
    for (int64_t r = 0; r < k->room; r++) {
        k->starts[r + 1] = k->starts[r];
        for (int64_t i = 0; i < n; i++)
            k->starts[r + 1] += t->folds[r / t->protocol.folds * n + i] == r % t->protocol.folds;
    }
    PEN_TRY(PEN_NEW(run, k->curves, pen_times(pieces, k->dim_count + 1)));
    PEN_TRY(PEN_NEW(run, k->seconds, pieces));
    PEN_TRY(PEN_NEW(run, k->given, pieces));
    PEN_TRY(PEN_NEW(run, k->most, k->count));
    PEN_TRY(PEN_NEW(run, k->tuned_dims, k->count));
    for (int64_t m = 0; m < k->count; m++)
        k->most[m] = k->shares[m].combinations;
    for (int tuned = 0; tuned < 2; tuned++) {
        PEN_TRY(PEN_NEW(run, k->predicted[tuned], pen_times(pieces, t->stability_count)));
        PEN_TRY(PEN_NEW(run, k->told[tuned], pen_times(k->count, k->starts[k->room])));
    }
    return PEN_OK;
}

static pen_status run_comparison(pen_run *run, struct comparison *k, pen_comparison *out)
{
    PEN_TRY(try_defaults(run, k));
    PEN_TRY(tune_methods(run, k));
    PEN_TRY(settle_specs(run, k));
    out->trials = k->trials->count;
    out->held_out = pen_trials_held_out(k->trials, out->trials);
    out->tuned = k->tuned;
    out->cut_short = k->late;
    pen_ranking_make(k->trials, out);
    return PEN_OK;
}

static pen_status check_arguments(pen_run *run, const char *const *names, int64_t count,
                                  const pen_protocol *protocol, double seconds,
                                  pen_comparison **out)
{
    PEN_TRY(pen_check_given(run, out, "out"));
    const int64_t most = pen_method_count() * PEN_KERNEL_PRECOMPUTED; /* with and without kernels */

    PEN_REQUIRE(run, !names || (count >= 1 && count <= most), PEN_BAD_ARGUMENT,
                "count must be in [1, %lld], the number of methods with and without kernels, got "
                "%lld",
                (long long)most, (long long)count);
    PEN_TRY(pen_check_names(run, names, count, "names"));
    PEN_REQUIRE(run, !protocol || protocol->effort >= 0, PEN_BAD_ARGUMENT,
                "effort must be >= 0, got %g", protocol->effort);
    PEN_REQUIRE(run, seconds >= 0, PEN_BAD_ARGUMENT, "seconds must be >= 0, got %g", seconds);
    return PEN_OK;
}

static pen_status plan_and_run(pen_run *run, struct comparison *k, pen_comparison *out)
{
    pen_spec **defaults;

    PEN_TRY(PEN_NEW(run, defaults, k->count));
    memset(defaults, 0, (size_t)k->count * sizeof(pen_spec *));
    k->candidates = out->candidates;
    pen_status status = make_defaults(run, k, defaults);
    if (status == PEN_OK)
        status = plan(run, k, out);
    if (status == PEN_OK)
        status = new_lists(run, k);
    if (status == PEN_OK)
        status = run_comparison(run, k, out);
    for (int64_t m = 0; m < k->count; m++)
        pen_spec_free(defaults[m]);
    return status;
}

static pen_status compare(pen_run *run, const char *const *names, int64_t count,
                          const pen_data *data, const pen_protocol *protocol, double seconds,
                          pen_comparison **out)
{
    pen_protocol outer = protocol ? *protocol : (pen_protocol){ .folds = 0 }, inner;
    struct comparison k = { .until = seconds > 0 ? pen_task_clock() + seconds : 0 };
    struct named *methods = NULL;
    pen_trials trials;

    PEN_TRY(check_arguments(run, names, count, protocol, seconds, out));
    outer.runs = outer.runs ? outer.runs : PEN_COMPARE_RUNS;
    PEN_TRY(pen_trials_open(run, data, &outer, &trials));
    PEN_TRY(pen_trials_sample_for_stability(run, &trials, STABILITY_ROWS));
    PEN_TRY(choose_methods(run, names, count, trials.protocol.kernels, &methods, &k.count));
    inner = trials.protocol;
    PEN_TRY(inner_folds(run, &trials, &inner.folds));
    inner.runs = 1;
    inner.labels = (pen_label_sample){ .seed = 0 };
    inner.shuffle = 0;
    inner.kernels = 0;
    k.trials = &trials;
    k.inner = &inner;
    k.named = methods;
    k.dim_count = pen_min(CURVE, most_columns(methods, k.count, data));
    for (int64_t i = 0; i < k.dim_count; i++)
        k.dims[i] = i + 1;
    k.dims[k.dim_count] = 0;
    PEN_TRY(new_comparison(run, methods, k.count, trials.count, k.dim_count, out));
    (*out)->folds = trials.protocol.folds;
    (*out)->inner_folds = inner.folds;
    return plan_and_run(run, &k, *out);
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
