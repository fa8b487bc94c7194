/* calibrated_fit.c - pen_fit: a model, whose probabilities trials on its labels have tempered. */
#include "core/arguments.h"
#include "core/cache.h"
#include "core/folds.h"
#include "eval/embedding.h"
#include "eval/label_trials.h"
#include "eval/task_pool.h"
#include "eval/trial_reader.h"
#include "eval/typical_fit.h"
#include "graph/graph_set.h"
#include "model/model.h"
#include "model/reader_fit.h"
#include "readers/answer.h"

struct calibrating {
    const pen_trials *trials;
    const pen_spec *spec; /* whose reader is not auto */
    pen_answer *answers;  /* [trials] */
};

static pen_status try_trial(void *context, pen_run *run, const pen_control *control, int64_t t)
{
    const struct calibrating *const s = context;
    const pen_reader_params *const reader = &s->spec->common.reader;
    const int64_t classes = s->trials->classes.classes;
    pen_trial_reader read;
    double *p, *work;
    pen_embedding e;
    int32_t *told;
    pen_trial c;

    if (pen_trials_hidden(s->trials, t) == 0)
        return PEN_OK;
    PEN_TRY(pen_trial_open(run, s->trials, t, &c));
    PEN_TRY(pen_trial_embed(run, &c, s->spec, s->spec->common.dim,
                            pen_trial_reader_needs_all(&c, reader), control, &e));
    PEN_TRY(pen_trial_reader_open(run, &c, &e, e.k, reader, &read));
    PEN_TRY(PEN_NEW(run, p, pen_times(c.hidden, classes)));
    PEN_TRY(PEN_NEW(run, told, c.hidden));
    PEN_TRY(PEN_NEW(run, work, classes));
    PEN_TRY(pen_trial_reader_apply(run, &read, c.hidden, c.hidden_rows, p, told));
    for (int64_t i = 0; i < c.hidden; i++)
        pen_answer_add(&s->answers[t], p + i * classes, told[i],
                       s->trials->class_of[c.hidden_rows[i]], work);
    return PEN_OK;
}

/* A trial whose fit fails, as with too few labels, says nothing. */
static pen_status try_all(pen_run *run, const pen_data *data, const pen_spec *spec, int as_new,
                          pen_answer *sum, int64_t *runs)
{
    pen_trials trials;
    pen_data some;
    struct calibrating s = { .trials = &trials, .spec = spec };
    pen_task_pool tasks = { .phase = "calibration", .fn = try_trial, .context = &s };
    pen_error *why;
    char *state;

    PEN_TRY(pen_label_trials_open(run, data, 1, 0, &some, &trials));
    *runs = trials.protocol.runs;
    trials.as_new |= as_new;
    tasks.pieces = trials.count;
    PEN_TRY(PEN_NEW(run, s.answers, trials.count));
    PEN_TRY(PEN_NEW(run, state, trials.count));
    PEN_TRY(PEN_NEW(run, why, trials.count));
    for (int64_t t = 0; t < trials.count; t++)
        pen_answer_open(sum->classes, &s.answers[t]);
    PEN_TRY(pen_tasks_run(run, &tasks, state, why));
    for (int64_t t = 0; t < trials.count; t++)
        pen_answer_merge(&s.answers[t], sum);
    return PEN_OK;
}

/* Of the rows of trials: what takes up to nine times as long as the fit, but little. */
enum { MOST_VALUES = 1 << 22 };

/* Pairs and kernel values name rows, of which no part can be taken. */
static int is_small(const pen_spec *spec, const pen_data *data)
{
    const int64_t most = pen_label_trials_rows(1, data->x.cols);

    const int is_whole = data->must_link_count > 0 || data->cannot_link_count > 0 || data->sample
                         || spec->common.kernel.kind == PEN_KERNEL_PRECOMPUTED;

    return (!is_whole || data->x.rows <= most)
           && pen_times(pen_min(data->x.rows, most), data->x.cols) <= MOST_VALUES;
}

/* as_new: of rows that are not in the fit, or are read as if they were not. */
static pen_status find_temperature(pen_run *run, const pen_spec *given, const pen_data *data,
                                   int as_new, double *temperature)
{
    pen_data own = *data;
    pen_spec spec = *given;
    pen_rows classes = { .n = data->x.rows };
    int64_t most, runs = 1;
    pen_answer sum;

    spec.common.reader.kind = pen_reader_of(given);
    own.neighbors = NULL;
    PEN_TRY(pen_rows_label(run, own.labels, own.x.rows, &classes));
    PEN_TRY(pen_rows_group(run, own.groups, &classes));
    PEN_TRY(pen_folds_most(run, &classes, &most));
    pen_answer_open(classes.classes, &sum);
    if (most >= PEN_LEAST_LABELS && is_small(given, data))
        PEN_TRY(try_all(run, &own, &spec, as_new, &sum, &runs));
    *temperature =
        pen_answer_temperature(&sum, runs, pen_usual_temperature(spec.common.reader.kind));
    return PEN_OK;
}

/* Scores of rows of the fit are tempered by themselves: they know the neighbors of a row, and are
 * surer than those of new rows, which there may be none of. */
static int is_tempered(const pen_spec *spec, const pen_model *model)
{
    return spec->common.reader.temperature < 0 && model->class_count > 1
           && (pen_model_reader(model)
               || (pen_reader_of(spec) == PEN_READER_SCORES && model->propagated));
}

static pen_status calibrate(pen_run *run, const pen_spec *spec, const pen_data *data,
                            pen_model *model)
{
    const int has_scores = pen_reader_of(spec) == PEN_READER_SCORES;
    double of_fit;

    if (!is_tempered(spec, model))
        return PEN_OK;
    PEN_TRY(pen_cache_open(run));
    if (has_scores) {
        PEN_TRY(find_temperature(run, spec, data, 0, &of_fit));
        pen_model_temper(model->class_count, of_fit, model);
    }
    return pen_model_reader(model)
               ? find_temperature(run, spec, data, has_scores, &model->temperature)
               : PEN_OK;
}

static pen_status fit(const pen_spec *spec, const pen_data *data, const pen_control *control,
                      pen_model **out, pen_graphs *graphs, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_model_fit_graphs(spec, data, control, out, graphs, err));
    pen_status status = pen_run_open(control, err, &run);
    if (status == PEN_OK) {
        status = calibrate(run, spec, data, *out);
        if (status == PEN_OK)
            status = pen_typical_learn(run, spec, data, control, *out);
        pen_run_close(run);
    }
    if (status != PEN_OK) {
        pen_model_free(*out);
        *out = NULL;
    }
    return status;
}

pen_status pen_fit(const pen_spec *spec, const pen_data *data, const pen_control *control,
                   pen_model **out, pen_error *err)
{
    return fit(spec, data, control, out, NULL, err);
}

pen_status pen_fit_graphs(const pen_spec *spec, const pen_data *data, const pen_control *control,
                          pen_model **out, pen_graphs **graphs, pen_error *err)
{
    pen_graphs *collected;

    if (out)
        *out = NULL;
    if (err)
        *err = (pen_error){ .code = PEN_OK };
    if (!graphs)
        return pen_error_set(err, PEN_BAD_ARGUMENT, "graphs must not be NULL");
    *graphs = NULL;
    if (!(collected = pen_graphs_new()))
        return pen_error_set(err, PEN_NO_MEMORY, "out of memory");
    const pen_status status = fit(spec, data, control, out, collected, err);
    if (status != PEN_OK) {
        pen_graphs_free(collected);
        return status;
    }
    *graphs = collected;
    return PEN_OK;
}
