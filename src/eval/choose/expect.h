/* expect.h - the accuracy to expect of what is fitted without METHOD. */
#ifndef PEN_EXPECT_H
#define PEN_EXPECT_H

#include "eval/choose/selection.h"
#include "eval/trials/trials.h"

/* The temperature that the classifier of a projection usually needs. */
#define PEN_USUAL_OF_PROJECTION 1.0

/* Sets accuracy, error and temperature of a selection whose members are chosen, by trials of the
 * projection itself: in each, the members learn without the labels that are held out, the
 * projection and its classifier learn from what they say of all rows of the trial, and the held-out
 * rows are read as any row of the fit, or, where trials are `as_new`, as a row that is none of it.
 * The accuracy is expected on `unlabelled` rows, which are themselves a sample; 0: on other rows.
 * Ridge, number of columns and votes are chosen in the first trial, for all of them, or `as_new` in
 * each.
 * Cost: in each trial a fit of each member and of one projection. Errors of pen_fit. */
pen_status pen_expect_accuracy(pen_run *run, const pen_trial_set *trials, int64_t unlabelled,
                               const pen_control *control, pen_selection *s);

#endif
