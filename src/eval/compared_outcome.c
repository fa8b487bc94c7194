/* compared_outcome.c - counts of predicted classes, and whether probabilities are what they say. */
#include "eval/compared_outcome.h"

#include <math.h>

pen_status pen_outcome_classes(pen_run *run, const pen_trials *trials, pen_comparison *out)
{
    const int64_t count = trials->classes.classes;

    PEN_TRY(PEN_KEEP(run, out->classes, count));
    out->class_count = count;
    for (int64_t c = 0; c < count; c++)
        out->classes[c] = trials->labels[trials->classes.members[trials->classes.starts[c]]];
    return PEN_OK;
}

pen_status pen_outcome_confusion(pen_run *run, const pen_trials *trials, const int32_t *told,
                                 pen_comparison *out)
{
    const int64_t c = out->class_count;
    int64_t *rows, count;

    PEN_TRY(PEN_KEEP(run, out->confusion, pen_times(c, c)));
    PEN_TRY(pen_trials_list_held(run, trials, &rows, &count));
    for (int64_t e = 0; e < count; e++)
        out->confusion[trials->class_of[rows[e]] * c + told[e]]++;
    return PEN_OK;
}

pen_status pen_outcome_calibration(pen_run *run, const pen_trials *trials,
                                   const pen_calibration_bin *bins, pen_comparison *out)
{
    pen_calibration_bin *const sums = out->calibration =
        pen_keep(run, PEN_CALIBRATION_BINS, sizeof *sums);

    if (!sums)
        return PEN_NO_MEMORY;
    for (int64_t i = 0; i < trials->count * PEN_CALIBRATION_BINS; i++) {
        pen_calibration_bin *const sum = &sums[i % PEN_CALIBRATION_BINS];
        sum->predicted += bins[i].predicted;
        sum->right += bins[i].right;
        sum->rows += bins[i].rows;
    }
    for (int64_t b = 0; b < PEN_CALIBRATION_BINS; b++) {
        sums[b].predicted = sums[b].rows ? sums[b].predicted / (double)sums[b].rows : (double)NAN;
        sums[b].right = sums[b].rows ? sums[b].right / (double)sums[b].rows : (double)NAN;
    }
    return PEN_OK;
}
