/* tune.c - trials of combinations of parameters, and their ranking. */
#include "eval/given_folds.h"
#include "eval/tune.h"

#include "core/arguments.h"
#include "core/cache.h"
#include "eval/plan.h"
#include "eval/summary.h"
#include "eval/task_pool.h"
#include "eval/trial_classifier.h"
#include "eval/trial_score.h"
#include "model/classifier_fit.h"
#include "model/kernel_fit.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one classifier says of the combinations. */
struct classifier_trials {
    pen_classifier_params classifier;
    pen_candidate *candidates; /* [count] in the order of the grid */
    int64_t dim_count;
    int64_t dims[PEN_MOST_TUNED_DIMS + 1];
    double *accuracy; /* [count x trials x dim_count] */
    int64_t *given;   /* [count x trials] the last number of dimensions, as the method gives it */
    pen_error *why;   /* [count x trials] code PEN_OK: the classifier did not fail */
};

struct tuning {
    const pen_trials *trials;
    int64_t count, classifier_count;
    struct classifier_trials *classifiers; /* [classifier_count] */
    int own_classifier;                    /* 1: one, the classifier of each combination */
    int64_t *hidden;                       /* [trials] rows held out */
};

static pen_status try_once(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct tuning *t = context;
    const int64_t candidate = piece / t->trials->count, trial = piece % t->trials->count;
    const pen_spec *const spec = t->classifiers[0].candidates[candidate].spec;
    pen_classifier_params own = spec->common.classifier;
    pen_trial_reading *readings;
    pen_trial c;

    own.kind = pen_classifier_of(spec);
    if (t->own_classifier)
        PEN_TRY(pen_trial_classifiers_check(run, spec, 1, &spec->common.classifier));
    PEN_TRY(PEN_NEW(run, readings, t->classifier_count));
    for (int64_t q = 0; q < t->classifier_count; q++) {
        const struct classifier_trials *const r = &t->classifiers[q];
        readings[q] =
            (pen_trial_reading){ .classifier = t->own_classifier ? own : r->classifier,
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

/* Dimensions 1 to most_dims, and all of them if that is 0; for an unnested method or a given `dim`
 * only that one. */
static void choose_dims(const pen_spec *spec, int64_t d, int64_t most_dims,
                        struct classifier_trials *r)
{
    if (spec->common.dim > 0 || (spec->method->traits & PEN_UNNESTED)) {
        r->dims[0] = spec->common.dim;
        r->dim_count = 1;
        return;
    }
    r->dim_count =
        pen_min(pen_min(most_dims > 0 ? most_dims : PEN_MOST_TUNED_DIMS, PEN_MOST_TUNED_DIMS), d);
    for (int64_t i = 0; i < r->dim_count; i++)
        r->dims[i] = i + 1;
    if (most_dims == 0)
        r->dims[r->dim_count++] = 0;
}

/* The accuracy over all held-out rows in dims[i] dimensions, NaN unless every trial gives that
 * many; *deviation is the standard deviation over the trials. */
static double score_of(const struct tuning *t, const struct classifier_trials *q, int64_t candidate,
                       int64_t i, double *deviation)
{
    const double *const accuracy = q->accuracy + candidate * t->trials->count * q->dim_count + i;
    const int64_t trials = t->trials->count;
    double correct = 0, held = 0, mean;

    for (int64_t r = 0; r < trials; r++) {
        const double hidden = (double)t->hidden[r];
        /* whole rows, so that equal scores compare equal */
        correct += round(hidden * accuracy[r * q->dim_count]);
        held += hidden;
    }
    pen_summarize(accuracy, q->dim_count, trials, &mean, deviation);
    return correct / held;
}

/* The fewest dimensions that score within one standard error of the best; -1: every trial gives
 * other dimensions. */
static int64_t choose_dim(const struct tuning *t, const struct classifier_trials *q,
                          int64_t candidate)
{
    double best = -1, deviation;
    int64_t i;

    for (i = 0; i < q->dim_count; i++)
        best = fmax(best, score_of(t, q, candidate, i, &deviation));
    const double least =
        best - pen_standard_error(best, t->trials->classes.labelled) - PEN_SAME_SCORE;
    for (i = 0; best >= 0 && i < q->dim_count; i++)
        if (score_of(t, q, candidate, i, &deviation) >= least)
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

/* Set score, deviation and dim of a candidate from its trials, or the reason there are none.
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
    c->score = score_of(t, q, candidate, i, &c->deviation);
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
static pen_status list_candidates(pen_run *run, const pen_grid *grid, const pen_grid *kernel,
                                  int64_t most, pen_tuning *out)
{
    for (int64_t c = 0; c < most; c++) {
        const int second = c >= grid->size;
        out->candidates[c] = (pen_candidate){ .order = c };
        PEN_TRY(pen_grid_spec(run, second ? kernel : grid, c - (second ? grid->size : 0),
                              &out->candidates[c].spec));
        out->candidates[c].classifier =
            pen_classifier_names[pen_classifier_of(out->candidates[c].spec)];
    }
    return PEN_OK;
}

static pen_status tune_in(pen_run *run, struct tuning *t, const pen_grid *grid,
                          const pen_grid *kernel, int64_t most_dims, pen_tuning **out)
{
    PEN_TRY(PEN_NEW(run, t->hidden, t->trials->count));
    for (int64_t r = 0; r < t->trials->count; r++)
        t->hidden[r] = pen_trials_hidden(t->trials, r);
    for (int64_t q = 0; q < t->classifier_count; q++) {
        pen_candidate *const candidates = t->classifiers[q].candidates = out[q]->candidates;
        PEN_TRY(list_candidates(run, grid, kernel, t->count, out[q]));
        choose_dims(grid->spec, most_columns(t->trials->data, t->count, candidates), most_dims,
                    &t->classifiers[q]);
    }
    return try_all(run, t, out);
}

/* A copy of the spec without a kernel: what is set of kernels is for candidates that have one. */
static pen_status copy_without_kernel(const pen_spec *spec, pen_spec **out, pen_error *err)
{
    const pen_param *param;
    pen_spec *usual;

    PEN_TRY(pen_spec_copy(spec, out, err));
    PEN_TRY(pen_spec_new(spec->method->name, &usual, err));
    (*out)->common.kernel = usual->common.kernel;
    pen_spec_free(usual);
    for (int64_t i = 0; (param = &spec->method->params[i])->name; i++)
        if (strncmp(param->name, "kernel", strlen("kernel")) == 0)
            pen_spec_drop_grid(*out, i);
    return PEN_OK;
}

/* The method without a kernel, and the same with the rbf kernel, whose combinations come after the
 * others; both NULL: not asked for, or the kernel is given. */
static pen_status add_kernel(pen_run *run, const pen_trials *trials, const pen_spec *spec,
                             pen_spec **plain, pen_spec **out)
{
    pen_error err;

    if (!trials->protocol.kernels || pen_spec_is_set(spec, "kernel")
        || pen_spec_given_grid(spec, "kernel"))
        return PEN_OK;
    if (copy_without_kernel(spec, plain, &err) != PEN_OK
        || pen_spec_copy(spec, out, &err) != PEN_OK)
        return pen_fail_as(run, &err);
    return pen_plan_kernel(run, &trials->data->x, pen_trials_fewest_rows(trials), PEN_KERNEL_RBF,
                           *out);
}

static pen_status new_tuning(pen_run *run, const pen_trials *trials, int64_t planned, int64_t most,
                             pen_tuning **out)
{
    PEN_TRY(PEN_KEEP(run, *out, 1));
    pen_tuning *const result = *out;
    result->planned = planned;
    result->held_out = pen_trials_held_out(trials, trials->count);
    PEN_TRY(PEN_KEEP(run, result->candidates, most));
    result->room = most;
    return PEN_OK;
}

static pen_status open_classifiers(pen_run *run, int64_t count,
                                   const pen_classifier_params *classifiers, struct tuning *t)
{
    PEN_TRY(PEN_NEW(run, t->classifiers, count));
    t->classifier_count = count;
    t->own_classifier = !classifiers;
    for (int64_t q = 0; q < count; q++)
        t->classifiers[q] = (struct classifier_trials){ .dim_count = 0 };
    for (int64_t q = 0; classifiers && q < count; q++)
        t->classifiers[q].classifier = classifiers[q];
    return PEN_OK;
}

static pen_status tune_grids(pen_run *run, struct tuning *t, const pen_spec *spec,
                             const pen_spec *kernel, int64_t most_dims, int64_t most,
                             pen_tuning **found)
{
    pen_grid grid, second = { .size = 0 };

    PEN_TRY(pen_grid_open(run, spec, &grid));
    if (kernel)
        PEN_TRY(pen_grid_open(run, kernel, &second));
    const int64_t planned = grid.size + second.size;
    t->count = pen_min(most, planned);
    for (int64_t q = 0; q < t->classifier_count; q++)
        PEN_TRY(new_tuning(run, t->trials, planned, t->count, &found[q]));
    return tune_in(run, t, &grid, &second, most_dims, found);
}

static pen_status tune_planned(pen_run *run, struct tuning *t, const pen_spec *spec,
                               int64_t most_dims, int64_t most, pen_tuning **found)
{
    pen_spec *plain = NULL, *kernel = NULL;

    pen_status status = add_kernel(run, t->trials, spec, &plain, &kernel);
    if (status == PEN_OK)
        status = tune_grids(run, t, plain ? plain : spec, kernel, most_dims, most, found);
    pen_spec_free(plain);
    pen_spec_free(kernel);
    return status;
}

pen_status pen_tune_classifiers(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                                const pen_spec *spec, int64_t count,
                                const pen_classifier_params *classifiers, int64_t most_dims,
                                int64_t most, pen_tuning **found)
{
    pen_protocol usual = protocol ? *protocol : (pen_protocol){ .folds = 0 };
    pen_trials trials;
    struct tuning t = { .trials = &trials };

    usual.runs = pen_runs_of(&usual, PEN_TUNE_RUNS);
    for (int64_t q = 0; q < count; q++)
        found[q] = NULL;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_trials_open(run, data, &usual, &trials));
    PEN_TRY(open_classifiers(run, count, classifiers, &t));
    const pen_status status = tune_planned(run, &t, spec, most_dims, most, found);
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

/* Are there values to try of what a classifier has? */
static int varies_classifier(const pen_spec *spec)
{
    const pen_param *param;

    for (param = spec->method->params; param->name; param++)
        if (strncmp(param->name, "classifier", strlen("classifier")) == 0
            && pen_spec_given_grid(spec, param->name))
            return 1;
    return 0;
}

static pen_status check_and_tune(pen_run *run, const pen_spec *spec, const pen_data *data,
                                 const pen_protocol *protocol, int64_t most_dims, pen_tuning **out)
{
    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_cache_open(run));
    PEN_REQUIRE(run, most_dims >= 0 && most_dims <= PEN_MOST_TUNED_DIMS, PEN_BAD_ARGUMENT,
                "dims must be in [1, %d], got %lld", PEN_MOST_TUNED_DIMS, (long long)most_dims);
    if (!varies_classifier(spec)) /* otherwise each combination is checked */
        PEN_TRY(pen_trial_classifiers_check(run, spec, 1, &spec->common.classifier));
    return pen_tune_classifiers(run, data, protocol, spec, 1, NULL, most_dims, INT64_MAX, out);
}

pen_status pen_tune(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                    int64_t most_dims, const pen_control *control, pen_tuning **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_tuning_free,
             check_and_tune(run, spec, data, protocol, most_dims, out));
}
