/* summary.h - mean, standard deviation and standard error. */
#ifndef PEN_SUMMARY_H
#define PEN_SUMMARY_H

#include <penumbra.h>

/* Of values[0], values[stride], .. (count of them); NaN if one is NaN or there is none; the
 * deviation of one is NaN. */
void pen_summarize(const double *values, int64_t stride, int64_t count, double *mean,
                   double *deviation);

/* The standard error of an accuracy a measured on l rows, sqrt(max(a (1 - a), 1 / (4 l)) / l): few
 * rows that are all classified correctly do not make it certain. NaN where a is NaN or l is 0. */
double pen_standard_error(double accuracy, int64_t rows);

/* Standard errors on either side of which the truth is in 90 of 100 cases. */
#define PEN_HALF_WIDTH 1.645

/* Scores closer than this are equal: summing in another order changes the rounding. */
#define PEN_SAME_SCORE 1e-12

#endif
