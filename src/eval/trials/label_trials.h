/* label_trials.h - automatic trials for choice and calibration. */
#ifndef PEN_LABEL_TRIALS_H
#define PEN_LABEL_TRIALS_H

#include "eval/trials/trials.h"

/* The least number of labels, or groups of them, in the largest class for trials. */
enum { PEN_LEAST_LABELS = 3 };

/* Opens trials of the data, or of a sample if there are more than `most` rows. The call has a cache
 * for these rows, which prepared rows share with other calls. 3 folds twice; from 6 labels a class
 * on, 4 folds twice; from 20 on, 3 folds once. *some: the rows of the trials, which *out points to.
 * If all rows are labelled, rows are scored as new ones. Errors of pen_trials_open. */
pen_status pen_label_trials_open(pen_run *run, const pen_data *data, int64_t most, uint64_t seed,
                                 pen_data *some, pen_trial_set *out);

/* `most`, times the effort (0: 1). */
int64_t pen_effort_limit(double effort, int64_t most);

/* The usual number of rows of trials with this number of columns: at most 400 000 values, but at
 * least 2000 rows, times `effort`. */
int64_t pen_label_trials_rows(double effort, int64_t columns);

#endif
