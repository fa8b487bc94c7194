/* compare_passes.c - what a comparison asks of a candidate in a trial, and where the answers
 * are. */
#include "eval/choose/compare_passes.h"

#include <math.h>

pen_trial_reading *pen_comparing_reading(const pen_comparing *k, int pass, int64_t candidate,
                                         int64_t trial)
{
    return k->passes[pass].readings + trial * k->passes[pass].count + candidate;
}

const pen_trial_reading *pen_comparing_found(const pen_comparing *k, int64_t candidate,
                                             int64_t trial)
{
    return pen_comparing_reading(k, k->is_tuned[candidate], candidate, trial);
}

double pen_comparing_temperature(const pen_comparing *k, int64_t candidate)
{
    const pen_classifier_params classifier = pen_compared_classifier(&k->list, candidate);
    const pen_predictions sum = pen_trials_sum(&k->passes[(int)k->is_tuned[candidate]], candidate);

    return pen_trials_temperature(k->trials, &classifier, &sum);
}

double *pen_comparing_curve(const pen_comparing *k, int64_t candidate, int64_t trial)
{
    return k->curves + (candidate * k->room + trial) * (k->dim_count + 1);
}

/* What is wanted of all candidates in a pass, but for dimensions. */
static pen_status open_pass(pen_run *run, const pen_comparing *k, int64_t readings,
                            pen_trial_table *out)
{
    const int64_t pieces = pen_times(k->count, k->room), held = k->starts[k->room],
                  sampled = k->trials->stability_count;
    int32_t *told, *predicted;
    pen_bins *bins;

    *out = (pen_trial_table){ .trials = k->trials, .count = readings };
    PEN_TRY(pen_trial_readings_new(run, k->trials, readings, &out->readings));
    PEN_TRY(PEN_FILLED(run, bins, pen_times(pieces, PEN_TEMPERATURES + 1), 0));
    PEN_TRY(PEN_NEW(run, predicted, pen_times(pieces, sampled)));
    PEN_TRY(PEN_NEW(run, told, pen_times(k->count, held)));
    for (int64_t i = 0; i < pieces; i++) {
        const int64_t c = i / k->room, t = i % k->room;
        pen_trial_reading *const r = &out->readings[t * readings + c];
        r->classifier = pen_compared_classifier(&k->list, c);
        r->with_answers = 1;
        r->answer.bins = bins + i * (PEN_TEMPERATURES + 1);
        r->predicted = predicted + i * sampled;
        r->told = told + c * held + k->starts[t];
    }
    return PEN_OK;
}

pen_status pen_comparing_open(pen_run *run, pen_comparing *k)
{
    const int64_t values = pen_times(pen_times(k->count, k->room), k->dim_count + 1);

    PEN_TRY(PEN_NEW(run, k->starts, k->room + 1));
    k->starts[0] = 0;
    for (int64_t r = 0; r < k->room; r++)
        k->starts[r + 1] = k->starts[r] + pen_trials_hidden(k->trials, r);
    PEN_TRY(PEN_NEW(run, k->curves, values));
    for (int64_t i = 0; i < values; i++)
        k->curves[i] = (double)NAN;
    PEN_TRY(PEN_FILLED(run, k->is_tuned, k->count, 0));
    PEN_TRY(open_pass(run, k, k->asked ? 2 * k->count : k->count, &k->passes[0]));
    return open_pass(run, k, k->count, &k->passes[1]);
}
