/* summary.h - mean, standard deviation and standard error. */
#ifndef PEN_SUMMARY_H
#define PEN_SUMMARY_H

#include <penumbra.h>

/* Summarizes `count` values[0], values[stride], ..; NaN if a value is NaN or count is 0; the
 * deviation of one value is NaN. */
void pen_summarize(const double *values, int64_t stride, int64_t count, double *mean,
                   double *deviation);

/* The standard error of an accuracy a measured on l rows, sqrt(max(a (1 - a), 1 / (4 l)) / l): a
 * few rows that are all classified correctly do not make it certain. NaN if a is NaN or l is 0. */
double pen_standard_error(double accuracy, int64_t rows);

/* The truth is within this number of standard errors in 90 of 100 cases. */
#define PEN_HALF_WIDTH 1.645

/* Scores closer than this are equal, because another order of summation changes the rounding. */
#define PEN_SAME_SCORE 1e-12

#endif
