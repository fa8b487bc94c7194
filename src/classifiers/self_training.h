/* self_training.h - shrinkage LDA that also learns from the rows of whose classes it is sure. */
#ifndef PEN_SELF_TRAINING_H
#define PEN_SELF_TRAINING_H

#include "classifiers/lda_classifier.h"

/* pen_lda_classifier_fit of the labelled rows, then up to five rounds. A round takes the set of
 * unlabelled rows whose largest p, by the last fit, exceeds 0.9, with the classes of these p, but
 * for rows whose mean square in the units of classifiers exceeds 100. If it
 * is the set of the round before (at first: the empty one), whatever the classes, the last fit is
 * the result; else the fit is made anew with the labelled rows and this set. Rows may leave the
 * set, and center and divisor stay.
 *
 * Sets weights and bias, *rho, and notes the number of refits, "classifier_rounds", and of rows of
 * the last set, "classifier_pseudo". Errors and cost: up to six times those of
 * pen_lda_classifier_fit, with all rows, and of pen_affine_classifier_apply; memory: n (classes +
 * 4) numbers. */
pen_status pen_self_training_fit(pen_run *run, const pen_classifier_rows *rows,
                                 const double *log_prior, pen_classifier *out, double *rho);

#endif
