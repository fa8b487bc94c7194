/* evaluate.c - trials of one method. */
#include "core/arguments.h"
#include "core/cache.h"
#include "eval/neighborhoods.h"
#include "eval/task_pool.h"
#include "eval/trial_score.h"
#include "model/kernel_fit.h"
#include "model/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_DIMS = 9, MOST_DIM = INT32_MAX / 2 }; /* rows have no more columns than that */

struct evaluation {
    const pen_trials *trials;
    const pen_spec *spec;
    pen_scores *scores;
};

static double *entry(double *list, int64_t at)
{
    return list ? list + at : NULL;
}

static pen_status run_trial(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct evaluation *const e = context;
    const int64_t at = piece * e->scores->dim_count;
    pen_scores *const s = e->scores;
    const pen_trial_scores scores = { .accuracy = s->accuracy + at,
                                      .dropped = entry(s->dropped, at),
                                      .normalized_rand = entry(s->normalized_rand, at),
                                      .adjusted_rand = entry(s->adjusted_rand, at),
                                      .log_loss = entry(s->log_loss, at),
                                      .brier = entry(s->brier, at) };
    pen_trial c;

    PEN_TRY(pen_trial_open(run, e->trials, piece, &c));
    return pen_trial_score(run, &c, e->spec, s->dim_count, s->dims, control, &scores);
}

static pen_status new_list(pen_run *run, int wanted, int64_t count, double **out)
{
    *out = wanted ? pen_keep(run, count, sizeof **out) : NULL;
    for (int64_t i = 0; *out && i < count; i++)
        (*out)[i] = (double)NAN;
    return wanted && !*out ? PEN_NO_MEMORY : PEN_OK;
}

static pen_status new_scores(pen_run *run, const pen_trials *t, const pen_spec *spec,
                             int64_t dim_count, pen_scores **out)
{
    const int has_reader = spec->common.reader.kind != PEN_READER_AUTO;
    const pen_protocol *const p = &t->protocol;
    const int64_t count = pen_times(t->count, dim_count);
    pen_scores *const s = pen_keep(run, 1, sizeof *s);

    *out = s;
    if (!s)
        return PEN_NO_MEMORY;
    s->trials = t->count;
    s->dim_count = dim_count;
    s->dims = pen_keep(run, dim_count, sizeof *s->dims);
    if (!s->dims)
        return PEN_NO_MEMORY;
    PEN_TRY(new_list(run, 1, count, &s->accuracy));
    PEN_TRY(new_list(run, p->labels.per_class > 0 || p->labels.percent > 0, count, &s->dropped));
    PEN_TRY(new_list(run, p->clusters, count, &s->normalized_rand));
    PEN_TRY(new_list(run, p->clusters, count, &s->adjusted_rand));
    PEN_TRY(new_list(run, has_reader, count, &s->log_loss));
    PEN_TRY(new_list(run, has_reader, count, &s->brier));
    PEN_TRY(new_list(run, p->purity > 0, dim_count, &s->purity));
    return new_list(run, p->trust > 0, dim_count, &s->trustworthiness);
}

void pen_scores_free(pen_scores *scores)
{
    if (!scores)
        return;
    free(scores->dims);
    free(scores->accuracy);
    free(scores->dropped);
    free(scores->normalized_rand);
    free(scores->adjusted_rand);
    free(scores->log_loss);
    free(scores->brier);
    free(scores->purity);
    free(scores->trustworthiness);
    free(scores);
}

/* The dimensions tried by default: at most USUAL_DIMS numbers. */
static int64_t usual_dims(const pen_spec *spec, int64_t d, int64_t *dims)
{
    if (spec->common.dim > 0 || (spec->method->traits & PEN_UNNESTED)) {
        dims[0] = spec->common.dim;
        return 1;
    }
    for (int64_t i = 0; i < USUAL_DIMS; i++)
        dims[i] = i + 1;
    return pen_min(USUAL_DIMS, d);
}

static pen_status check_dims(pen_run *run, const int64_t *dims, int64_t count)
{
    PEN_REQUIRE(run, count >= 1 && count <= MOST_DIM, PEN_BAD_ARGUMENT,
                "dim_count must be in [1, %d], got %lld", MOST_DIM, (long long)count);
    for (int64_t i = 0; i < count; i++)
        PEN_REQUIRE(run, dims[i] >= 0 && dims[i] <= MOST_DIM, PEN_BAD_ARGUMENT,
                    "a number of dimensions must be in [1, %d], or 0, got %lld", MOST_DIM,
                    (long long)dims[i]);
    return PEN_OK;
}

/* Readers of `done` rely on the finished trials being the first ones, so trials after one that was
 * stopped do not count. */
static int64_t finished(const char *state, int64_t trials)
{
    int64_t done = 0;
    while (done < trials && state[done] == TASK_DONE)
        done++;
    return done;
}

static void forget_unfinished(pen_scores *s)
{
    double *const lists[] = { s->accuracy,      s->dropped,  s->normalized_rand,
                              s->adjusted_rand, s->log_loss, s->brier };

    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
        for (int64_t i = s->done * s->dim_count; lists[list] && i < s->trials * s->dim_count; i++)
            lists[list][i] = (double)NAN;
}

static pen_status fail_trial(pen_run *run, const pen_trials *trials, int64_t t,
                             const pen_error *why)
{
    pen_fail(run, why->code, "run %lld, fold %lld: %s", (long long)(t / trials->protocol.folds) + 1,
             (long long)(t % trials->protocol.folds) + 1, why->message);
    return pen_hint(run, why->code, why->hints | PEN_HINT_OTHER_METHOD);
}

static pen_status evaluate(pen_run *run, const pen_trials *trials, const pen_spec *spec,
                           pen_scores *scores)
{
    struct evaluation e = { trials, spec, scores };
    const pen_task_pool tasks = {
        .phase = "trials", .pieces = trials->count, .fn = run_trial, .context = &e
    };
    pen_error *why;
    char *state;

    PEN_TRY(PEN_NEW(run, state, trials->count));
    PEN_TRY(PEN_NEW(run, why, trials->count));
    const pen_status status = pen_tasks_run(run, &tasks, state, why);
    for (int64_t t = 0; t < trials->count; t++)
        if (state[t] == TASK_FAILED)
            return fail_trial(run, trials, t, &why[t]);
    scores->done = finished(state, trials->count);
    scores->held_out = pen_trials_held_out(trials, scores->done);
    forget_unfinished(scores);
    return status == PEN_CANCELLED && scores->done > 0 ? PEN_OK : status;
}

static pen_status open_and_evaluate(pen_run *run, const pen_spec *spec, const pen_data *data,
                                    const pen_protocol *protocol, const int64_t *dims,
                                    int64_t dim_count, const pen_control *control, pen_scores **out)
{
    int64_t usual[USUAL_DIMS];
    pen_trials trials;

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_trials_open(run, data, protocol, &trials));
    if (!dims) {
        dim_count = usual_dims(
            spec, pen_kernel_fit_columns(&spec->common.kernel, data->x.rows, data->x.cols), usual);
        dims = usual;
    }
    PEN_TRY(check_dims(run, dims, dim_count));
    PEN_TRY(pen_neighborhoods_check(run, &trials));
    PEN_TRY(new_scores(run, &trials, spec, dim_count, out));
    memcpy((*out)->dims, dims, (size_t)dim_count * sizeof *dims);
    PEN_TRY(evaluate(run, &trials, spec, *out));
    if ((*out)->done < (*out)->trials)
        return PEN_OK; /* the caller said stop */
    const pen_status status = pen_neighborhoods_measure(run, &trials, spec, control, *out);
    return status == PEN_CANCELLED ? PEN_OK : status;
}

pen_status pen_evaluate(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                        const int64_t *dims, int64_t dim_count, const pen_control *control,
                        pen_scores **out, pen_error *err)
{
    pen_cache *cache;
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(control, err, &run));
    pen_status status = pen_cache_new(run, &cache);
    if (status == PEN_OK) {
        pen_run_share(run, cache);
        status = open_and_evaluate(run, spec, data, protocol, dims, dim_count, control, out);
        pen_cache_free(cache);
    }
    pen_run_close(run);
    if (status != PEN_OK && out) {
        pen_scores_free(*out);
        *out = NULL;
    }
    if (status == PEN_OK && err)
        *err = (pen_error){ .code = PEN_OK }; /* stopped after some trials: no error */
    return status;
}
