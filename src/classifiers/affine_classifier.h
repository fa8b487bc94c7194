/* affine_classifier.h - classifiers with classes from softmax(z weights + bias). */
#ifndef PEN_AFFINE_CLASSIFIER_H
#define PEN_AFFINE_CLASSIFIER_H

#include "classifiers/classifier_rows.h"

/* Allocates weights, all 0, and bias, all -INFINITY: the values of classes without labels. */
pen_status pen_affine_classifier_new(pen_run *run, const pen_classifier_rows *rows,
                                     pen_classifier *out);

/* Turns weights and bias for rows in the units of classifiers into weights and bias for rows as
 * given. PEN_BAD_DATA: a result is not finite. */
pen_status pen_affine_classifier_fold(pen_run *run, const pen_classifier_rows *rows,
                                      pen_classifier *out);

/* For rows z [n x k], `stride` elements apart: p [n x classes], classes [n] of the largest p (the
 * lowest of equal ones), and that p, largest [n]. The last two may be NULL. The bits of a row
 * depend only on the row.
 * PEN_NOT_FINITE: a value of z; PEN_BAD_DATA: a score overflows. Cost: 2 n k classes flops, n
 * classes exponentials. */
pen_status pen_affine_classifier_apply(pen_run *run, const pen_classifier *classifier, int64_t n,
                                       const double *z, int64_t stride, double *p, int32_t *classes,
                                       double *largest);

/* Replaces scores [classes] by exp(score_c) divided by their sum, and returns the class with the
 * largest score, the lowest of equal ones. Scores may be -INFINITY, but not all of them. */
int32_t pen_softmax(int64_t classes, double *row);

/* The lowest of the classes with the largest p. */
int32_t pen_largest_share(int64_t classes, const double *p);

#endif
