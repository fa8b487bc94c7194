/* measure.h - what is left of a mean, and the extremes of columns, in one pass over the rows. */
#ifndef PEN_MEASURE_H
#define PEN_MEASURE_H

#include "core/rows.h"

/* rest [d]: the mean of x - mean; low and high [d]: the least and the greatest of each column.
 * x: rows that are measured from 0, one at least. */
pen_status pen_measure_columns(pen_run *run, const pen_rows *x, const double *mean, double *rest,
                               double *low, double *high);

#endif
