/* expect.h - the expected accuracy of a fit without METHOD. */
#ifndef PEN_EXPECT_H
#define PEN_EXPECT_H

#include "eval/choose/selection.h"
#include "eval/trials/trials.h"

/* The usual temperature of a projection's classifier. */
#define PEN_USUAL_OF_PROJECTION 1.0

/* Sets accuracy, error and temperature of a selection with chosen members, by trials of the
 * projection itself. In each trial, the members learn without the held-out labels, the projection
 * and its classifier learn from their predictions of all rows of the trial, and the held-out rows
 * are classified like rows of the fit or, with `as_new`, like new rows. The accuracy is expected on
 * `unlabelled` rows, which are also a sample; 0: on other rows. Ridge, number of columns and votes
 * are chosen in the first trial, or in each trial with `as_new`.
 * Cost: in each trial a fit of each member and of one projection. Errors of pen_fit. */
pen_status pen_expect_accuracy(pen_run *run, const pen_trial_set *trials, int64_t unlabelled,
                               const pen_control *control, pen_selection *s);

#endif
