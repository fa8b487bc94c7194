/* nearest_classifier.h - classifiers by distances to labelled rows or to class means.
 *
 * d_c = 1e-9 + the distance to the nearest labelled row of class c, in the units of classifiers.
 *   nearest    p_c ~ (min d / d_c)^4; the class is that of the nearest row, the lower of equal ones
 *   neighbors  p_c = (votes + p_c of nearest / 2) / (K + 1/2), K nearest rows, lower ones first;
 *              if rows vote with their probabilities: p_c = the mean of these over the K nearest
 *   means      p_c ~ exp(-|z - mean_c|^2 / width)
 * A class without labels has p = 0. */
#ifndef PEN_NEAREST_CLASSIFIER_H
#define PEN_NEAREST_CLASSIFIER_H

#include "classifiers/classifier_rows.h"

/* Sets center, divisor, rows, of, and the number of votes, at most that of the labelled rows. */
pen_status pen_nearest_classifier_fit(pen_run *run, const pen_classifier_rows *rows,
                                      int64_t neighbors, pen_classifier *out);

/* For rows z [n x k], `stride` elements apart: p [n x classes] and classes [n]; either may be NULL.
 * Distances are sums of squared differences, in the order of the dimensions, so the bits of a row
 * depend only on the row.
 * PEN_NOT_FINITE: a value of z. Cost: 3 n count k flops, or 2 in single precision if rows are many
 * and the instruction set has products. Memory: a copy of the stored rows, or two, and 112 bytes
 * per stored row for each thread. */
pen_status pen_nearest_classifier_apply(pen_run *run, const pen_classifier *classifier, int64_t n,
                                        const double *z, int64_t stride, double *p,
                                        int32_t *classes);

#endif
