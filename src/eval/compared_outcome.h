/* compared_outcome.h - how the predictions of a candidate went: by class, and by probability. */
#ifndef PEN_COMPARED_OUTCOME_H
#define PEN_COMPARED_OUTCOME_H

#include "eval/trials.h"

/* The labels of the classes of the trials, ascending. */
pen_status pen_outcome_classes(pen_run *run, const pen_trials *trials, pen_comparison *out);

/* Count the held-out rows of all trials, true by predicted class; told: their predicted classes,
 * trial after trial, and within each in the order of the rows. */
pen_status pen_outcome_confusion(pen_run *run, const pen_trials *trials, const int32_t *told,
                                 pen_comparison *out);

/* Merge the bins of all trials [trials x PEN_CALIBRATION_BINS], sums as in pen_trial_scores. */
pen_status pen_outcome_calibration(pen_run *run, const pen_trials *trials,
                                   const pen_calibration_bin *bins, pen_comparison *out);

#endif
