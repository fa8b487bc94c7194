/* sparse_statistics.h - statistics of the columns of sparse rows, without a dense copy. */
#ifndef PEN_SPARSE_STATISTICS_H
#define PEN_SPARSE_STATISTICS_H

#include "core/run.h"

/* Sparse rows, each divided by its length if `unit` is set, and times scale [d]; NULL: 1. */
typedef struct pen_scaled_rows {
    const pen_array *values;
    int unit;
    const double *scale;
} pen_scaled_rows;

/* Statistics of t = scale (u v - origin) over all rows, including the zeros that are not stored:
 * the sums of t and of its squares, low and high [d]; or with `extremes` its minimum and maximum.
 * counts [d]: the number of entries of each column; or NULL. Sums are in row order, zeros last.
 * *bad is the first row with a nonfinite t, and then nothing else is set; or -1. Cost: one pass
 * over the entries, and d. */
pen_status pen_sparse_statistics(pen_run *run, const pen_scaled_rows *x, const double *origin,
                                 int extremes, double *low, double *high, int64_t *counts,
                                 int64_t *bad);

#endif
