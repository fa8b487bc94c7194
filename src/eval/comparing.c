/* comparing.c - what a comparison asks of a candidate in a trial, and where the answers are. */
#include "eval/comparing.h"

#include "eval/task_pool.h"

int64_t pen_comparing_at(const pen_comparing *k, int64_t candidate, int64_t trial)
{
    return candidate * k->room + trial;
}

static int32_t *predicted_in(const pen_comparing *k, int pass, int64_t candidate, int64_t trial)
{
    return k->passes[pass].predicted
           + pen_comparing_at(k, candidate, trial) * k->trials->stability_count;
}

static int32_t *told_in(const pen_comparing *k, int pass, int64_t candidate, int64_t trial)
{
    return k->passes[pass].told + candidate * k->starts[k->room] + k->starts[trial];
}

const int32_t *pen_comparing_predicted(const pen_comparing *k, int64_t candidate, int64_t trial)
{
    return predicted_in(k, k->is_tuned[candidate], candidate, trial);
}

const int32_t *pen_comparing_told(const pen_comparing *k, int64_t candidate, int64_t trial)
{
    return told_in(k, k->is_tuned[candidate], candidate, trial);
}

const pen_predictions *pen_comparing_answers(const pen_comparing *k, int64_t candidate,
                                             double *temperature)
{
    const pen_predictions *const answers =
        k->passes[(int)k->is_tuned[candidate]].answers + pen_comparing_at(k, candidate, 0);
    const pen_classifier_params classifier = pen_compared_classifier(&k->list, candidate);
    pen_predictions all;

    pen_predictions_open(k->trials->classes.classes, &all);
    for (int64_t t = 0; t < k->trials->count; t++)
        pen_predictions_merge(&answers[t], &all);
    *temperature = pen_trials_temperature(k->trials, &classifier, k->trials->count, &all);
    return answers;
}

double *pen_comparing_curve(const pen_comparing *k, int64_t candidate, int64_t trial)
{
    return k->curves + pen_comparing_at(k, candidate, trial) * (k->dim_count + 1);
}

pen_trial_reading pen_comparing_reading(const pen_comparing *k, int pass, int64_t candidate,
                                        int64_t trial)
{
    const pen_trial_scores scores = {
        .predicted = predicted_in(k, pass, candidate, trial),
        .told = told_in(k, pass, candidate, trial),
        .answer = k->passes[pass].answers + pen_comparing_at(k, candidate, trial),
        .dropped = k->passes[pass].aside
                       ? k->passes[pass].aside + pen_comparing_at(k, candidate, trial)
                       : NULL
    };

    return (pen_trial_reading){ .classifier = pen_compared_classifier(&k->list, candidate),
                                .scores = scores };
}

pen_status pen_comparing_read(pen_run *run, const pen_comparing *k, int pass, const pen_trial *c,
                              const pen_spec *spec, int64_t count, const int64_t *candidates,
                              pen_trial_reading *readings, const pen_control *control)
{
    const int64_t trial = c->run * k->trials->protocol.folds + c->fold;
    const pen_status status = pen_trial_read(run, c, spec, count, readings, control);

    for (int64_t i = 0; i < count; i++) {
        const int64_t at = pen_comparing_at(k, candidates[i], trial);
        const int done = status == PEN_OK && readings[i].failure.code == PEN_OK;
        k->passes[pass].state[at] = done ? TASK_DONE : TASK_FAILED;
        k->why[at] = readings[i].failure;
    }
    return status;
}

/* ---- memory ---- */

static pen_status new_pass(pen_run *run, const pen_comparing *k, pen_compared_pass *out)
{
    const int64_t pieces = pen_times(k->count, k->room);
    pen_bins *bins;

    PEN_TRY(PEN_FILLED(run, out->state, pieces, 0));
    PEN_TRY(PEN_NEW(run, out->answers, pieces));
    PEN_TRY(PEN_FILLED(run, bins, pen_times(pieces, PEN_TEMPERATURES + 1), 0));
    for (int64_t i = 0; i < pieces; i++)
        out->answers[i] = (pen_predictions){ .bins = bins + i * (PEN_TEMPERATURES + 1) };
    PEN_TRY(PEN_NEW(run, out->predicted, pen_times(pieces, k->trials->stability_count)));
    const pen_label_sample *const keep = &k->trials->protocol.labels;
    if (keep->per_class > 0 || keep->percent > 0)
        PEN_TRY(PEN_NEW(run, out->aside, pieces));
    return PEN_NEW(run, out->told, pen_times(k->count, k->starts[k->room]));
}

pen_status pen_comparing_open(pen_run *run, pen_comparing *k)
{
    const int64_t pieces = pen_times(k->count, k->room);

    PEN_TRY(PEN_NEW(run, k->starts, k->room + 1));
    k->starts[0] = 0;
    for (int64_t r = 0; r < k->room; r++)
        k->starts[r + 1] = k->starts[r] + pen_trials_hidden(k->trials, r);
    PEN_TRY(PEN_NEW(run, k->curves, pen_times(pieces, k->dim_count + 1)));
    PEN_TRY(PEN_NEW(run, k->why, pieces));
    PEN_TRY(PEN_NEW(run, k->given, pieces));
    PEN_TRY(PEN_NEW(run, k->seconds, pen_times(k->list.fit_count, k->room)));
    PEN_TRY(PEN_FILLED(run, k->is_tuned, k->count, 0));
    PEN_TRY(new_pass(run, k, &k->passes[0]));
    return new_pass(run, k, &k->passes[1]);
}
