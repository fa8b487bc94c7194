/* summary.h - mean, standard deviation and standard error. */
#ifndef PEN_SUMMARY_H
#define PEN_SUMMARY_H

#include <penumbra.h>

/* Of values[0], values[stride], .. (count of them); NaN if one is NaN or there is none; the
 * deviation of one is NaN. */
void pen_summarize(const double *values, int64_t stride, int64_t count, double *mean,
                   double *deviation);

/* The standard error of a share a of l rows: sqrt(max(a (1 - a), 1 / (4 l)) / l). */
double pen_standard_error(double share, int64_t rows);

#endif
