/* label_trials.h - the trials by which labels choose and calibrate without being asked to. */
#ifndef PEN_LABEL_TRIALS_H
#define PEN_LABEL_TRIALS_H

#include "eval/trials/trials.h"

/* Labels of the largest class, or groups of them, with fewer of which there are no trials. */
enum { PEN_LEAST_LABELS = 3 };

/* Opens trials of the data, or of a part of more than `most` rows. The call shares what is kept of
 * the rows of the trials: with others, if they are prepared ones. 3 folds twice, 4 folds twice from
 * 6 labels a class on, 3 folds once from 20. *some: the rows of the trials, which *out points to.
 * Where all rows are labelled, rows are scored as new ones. Errors of pen_trials_open. */
pen_status pen_label_trials_open(pen_run *run, const pen_data *data, int64_t most, uint64_t seed,
                                 pen_data *some, pen_trial_set *out);

/* `most`, times the effort (0: 1). */
int64_t pen_effort_limit(double effort, int64_t most);

/* The usual number of rows of trials with this number of columns: they have at most 400 000 values,
 * but there are at least 2000, times `effort`. */
int64_t pen_label_trials_rows(double effort, int64_t columns);

#endif
