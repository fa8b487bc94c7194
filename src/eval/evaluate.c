/* evaluate.c - trials of one method. */
#include "core/arguments.h"
#include "core/cache.h"
#include "eval/task_pool.h"
#include "eval/trial_classifier.h"
#include "eval/trial_score.h"
#include "model/classifier_fit.h"
#include "model/kernel_fit.h"
#include "model/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_DIMS = 9, MOST_DIM = INT32_MAX / 2 }; /* rows have no more columns than that */

struct evaluation {
    const pen_trials *trials;
    const pen_spec *spec;
    const pen_classifier_params *classifiers; /* [count] */
    int64_t count;
    pen_scores **scores;       /* [count] */
    pen_predictions **answers; /* [count][trials x dim_count] */
};

static double *entry(double *list, int64_t at)
{
    return list ? list + at : NULL;
}

static pen_trial_scores scores_of(const struct evaluation *e, int64_t q, int64_t trial)
{
    const pen_scores *const s = e->scores[q];
    const int64_t at = trial * s->dim_count;

    return (pen_trial_scores){ .accuracy = s->accuracy + at,
                               .dropped = entry(s->dropped, at),
                               .answers = e->answers[q] + at };
}

static pen_status run_trial(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct evaluation *const e = context;
    const pen_scores *const first = e->scores[0];
    pen_trial_reading *readings;
    pen_trial c;

    PEN_TRY(PEN_NEW(run, readings, e->count));
    for (int64_t q = 0; q < e->count; q++)
        readings[q] = (pen_trial_reading){ .classifier = e->classifiers[q],
                                           .dim_count = first->dim_count,
                                           .dims = first->dims,
                                           .scores = scores_of(e, q, piece) };
    PEN_TRY(pen_trial_open(run, e->trials, piece, &c));
    PEN_TRY(pen_trial_read(run, &c, e->spec, e->count, readings, control));
    for (int64_t q = 0; q < e->count; q++)
        if (readings[q].failure.code != PEN_OK)
            return pen_fail_as(run, &readings[q].failure);
    return PEN_OK;
}

static pen_status new_list(pen_run *run, int wanted, int64_t count, double **out)
{
    *out = wanted ? pen_keep(run, count, sizeof **out) : NULL;
    for (int64_t i = 0; *out && i < count; i++)
        (*out)[i] = (double)NAN;
    return wanted && !*out ? PEN_NO_MEMORY : PEN_OK;
}

static pen_status new_scores(pen_run *run, const pen_trials *t, enum pen_classifier_kind kind,
                             int64_t dim_count, pen_scores **out)
{
    const pen_label_sample *const keep = &t->protocol.labels;
    const int64_t count = pen_times(t->count, dim_count);

    PEN_TRY(PEN_KEEP(run, *out, 1));
    pen_scores *const s = *out;
    s->classifier = pen_classifier_names[kind];
    s->trials = t->count;
    s->dim_count = dim_count;
    PEN_TRY(PEN_KEEP(run, s->dims, dim_count));
    PEN_TRY(new_list(run, 1, count, &s->accuracy));
    PEN_TRY(new_list(run, keep->per_class > 0 || keep->percent > 0, count, &s->dropped));
    PEN_TRY(new_list(run, 1, count, &s->log_loss));
    return new_list(run, 1, count, &s->brier);
}

void pen_scores_free(pen_scores *scores)
{
    if (!scores)
        return;
    free(scores->dims);
    free(scores->accuracy);
    free(scores->dropped);
    free(scores->log_loss);
    free(scores->brier);
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

/* Classifiers of `done` rely on the finished trials being the first ones, so trials after one that
 * was stopped do not count. */
static int64_t finished(const char *state, int64_t trials)
{
    int64_t done = 0;
    while (done < trials && state[done] == TASK_DONE)
        done++;
    return done;
}

static void forget_unfinished(pen_scores *s)
{
    double *const lists[] = { s->accuracy, s->dropped };

    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
        for (int64_t i = s->done * s->dim_count; lists[list] && i < s->trials * s->dim_count; i++)
            lists[list][i] = (double)NAN;
}

/* Log-loss and Brier score at the temperature of entry i. */
static void set_losses(const struct evaluation *e, int64_t q, int64_t i)
{
    pen_scores *const s = e->scores[q];
    pen_predictions all;

    pen_predictions_open(e->trials->classes.classes, &all);
    for (int64_t t = 0; t < s->done; t++)
        pen_predictions_merge(&e->answers[q][t * s->dim_count + i], &all);
    const double temperature = pen_trials_temperature(e->trials, &e->classifiers[q], s->done, &all);
    for (int64_t t = 0; t < s->done; t++) {
        const pen_predictions *const answer = &e->answers[q][t * s->dim_count + i];
        if (answer->rows == 0)
            continue;
        s->log_loss[t * s->dim_count + i] = pen_predictions_log_loss(answer, temperature);
        s->brier[t * s->dim_count + i] = pen_predictions_brier(answer, temperature);
    }
}

static pen_status fail_trial(pen_run *run, const pen_trials *trials, int64_t t,
                             const pen_error *why)
{
    pen_fail(run, why->code, "run %lld, fold %lld: %s", (long long)(t / trials->protocol.folds) + 1,
             (long long)(t % trials->protocol.folds) + 1, why->message);
    return pen_hint(run, why->code, why->hints | PEN_HINT_OTHER_METHOD);
}

static pen_status evaluate(pen_run *run, struct evaluation *e)
{
    const pen_trials *const trials = e->trials;
    const pen_task_pool tasks = {
        .phase = "trials", .pieces = trials->count, .fn = run_trial, .context = e
    };
    pen_error *why;
    char *state;

    PEN_TRY(PEN_NEW(run, state, trials->count));
    PEN_TRY(PEN_NEW(run, why, trials->count));
    const pen_status status = pen_tasks_run(run, &tasks, state, why);
    for (int64_t t = 0; t < trials->count; t++)
        if (state[t] == TASK_FAILED)
            return fail_trial(run, trials, t, &why[t]);
    for (int64_t q = 0; q < e->count; q++) {
        e->scores[q]->done = finished(state, trials->count);
        e->scores[q]->held_out = pen_trials_held_out(trials, e->scores[q]->done);
        forget_unfinished(e->scores[q]);
        for (int64_t i = 0; i < e->scores[q]->dim_count; i++)
            set_losses(e, q, i);
    }
    return status == PEN_CANCELLED && e->scores[0]->done > 0 ? PEN_OK : status;
}

/* What pen_evaluate and pen_evaluate_classifiers are asked for. */
struct request {
    const pen_spec *spec;
    const pen_data *data;
    const pen_protocol *protocol;
    int own;                  /* 1: that of the spec is the classifier */
    const char *const *names; /* [count] of the classifiers, otherwise */
    int64_t count;
    const int64_t *dims; /* [dim_count] or NULL */
    int64_t dim_count;
    const pen_control *control;
    pen_scores **out; /* [count] */
};

static pen_status list_classifiers(pen_run *run, const struct request *r,
                                   pen_classifier_params **out)
{
    pen_spec spec = *r->spec;

    PEN_TRY(PEN_NEW(run, *out, r->count));
    for (int64_t q = 0; q < r->count; q++) {
        if (!r->own)
            PEN_TRY(pen_trial_classifier_named(run, r->names[q], &spec.common.classifier));
        (*out)[q] = spec.common.classifier;
    }
    PEN_TRY(pen_trial_classifiers_check(run, r->spec, r->count, *out));
    for (int64_t q = 0; q < r->count; q++) {
        spec.common.classifier = (*out)[q];
        (*out)[q].kind = pen_classifier_of(&spec);
    }
    return PEN_OK;
}

static pen_status check_request(pen_run *run, const struct request *r)
{
    PEN_TRY(pen_check_given(run, r->spec, "spec"));
    PEN_TRY(pen_check_given(run, r->out, "out"));
    PEN_TRY(r->own ? PEN_OK : pen_check_given(run, r->names, "classifiers"));
    PEN_REQUIRE(run, r->count >= 1, PEN_BAD_ARGUMENT,
                "the number of classifiers must be >= 1, got %lld", (long long)r->count);
    return PEN_OK;
}

static pen_status open_and_evaluate(pen_run *run, const struct request *r)
{
    int64_t usual[USUAL_DIMS], dim_count = r->dim_count;
    const int64_t *dims = r->dims;
    pen_classifier_params *classifiers;
    pen_predictions **answers;
    pen_trials trials;

    PEN_TRY(check_request(run, r));
    PEN_TRY(pen_cache_open(run));
    PEN_TRY(list_classifiers(run, r, &classifiers));
    PEN_TRY(pen_trials_open(run, r->data, r->protocol, &trials));
    if (!dims) {
        dim_count = usual_dims(
            r->spec,
            pen_kernel_fit_columns(&r->spec->common.kernel, r->data->x.rows, r->data->x.cols),
            usual);
        dims = usual;
    }
    PEN_TRY(check_dims(run, dims, dim_count));
    PEN_TRY(PEN_NEW(run, answers, r->count));
    for (int64_t q = 0; q < r->count; q++) {
        PEN_TRY(PEN_FILLED(run, answers[q], pen_times(trials.count, dim_count), 0));
        PEN_TRY(new_scores(run, &trials, classifiers[q].kind, dim_count, &r->out[q]));
        memcpy(r->out[q]->dims, dims, (size_t)dim_count * sizeof *dims);
    }
    struct evaluation e = { &trials, r->spec, classifiers, r->count, r->out, answers };
    return evaluate(run, &e);
}

static pen_status evaluate_request(const struct request *r, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(r->control, err, &run));
    const pen_status status = open_and_evaluate(run, r);
    pen_run_close(run);
    for (int64_t q = 0; r->out && status != PEN_OK && q < r->count; q++) {
        pen_scores_free(r->out[q]);
        r->out[q] = NULL;
    }
    if (status == PEN_OK && err)
        *err = (pen_error){ .code = PEN_OK }; /* stopped after some trials: no error */
    return status;
}

pen_status pen_evaluate(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                        const int64_t *dims, int64_t dim_count, const pen_control *control,
                        pen_scores **out, pen_error *err)
{
    const struct request r = { spec, data, protocol, 1, NULL, 1, dims, dim_count, control, out };

    if (out)
        *out = NULL;
    return evaluate_request(&r, err);
}

pen_status pen_evaluate_classifiers(const pen_spec *spec, const char *const *classifiers,
                                    int64_t count, const pen_data *data,
                                    const pen_protocol *protocol, const int64_t *dims,
                                    int64_t dim_count, const pen_control *control, pen_scores **out,
                                    pen_error *err)
{
    const struct request r = { spec,  data, protocol,  0,       classifiers,
                               count, dims, dim_count, control, out };

    for (int64_t q = 0; out && q < count; q++)
        out[q] = NULL;
    return evaluate_request(&r, err);
}
