/* summary.h - mean and standard deviation. */
#ifndef PEN_SUMMARY_H
#define PEN_SUMMARY_H

#include <penumbra.h>

/* Of values[0], values[stride], .. (count of them); NaN if one is NaN or there is none; the
 * deviation of one is 0. */
void pen_summarize(const double *values, int64_t stride, int64_t count, double *mean,
                   double *deviation);

#endif
