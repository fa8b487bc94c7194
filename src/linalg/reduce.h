/* reduce.h - rows in fewer coordinates: in the span of the centered rows, or their principal
 * components. */
#ifndef PEN_REDUCE_H
#define PEN_REDUCE_H

#include "core/rows.h"
#include "linalg/sym.h"

/* S += weight * sum of (x - m)(x - m)', the scatter of all rows about their mean m. Cost: n d^2
 * flops. */
pen_status pen_rows_scatter(pen_run *run, const pen_rows *x, double weight, pen_sym *S);

/* Which components. */
typedef struct pen_components {
    double pca;   /* as in pen_common: a fraction of the variance, a count, or infinity: the rank */
    int64_t most; /* of them, at most; 0: no limit */
    int unit;     /* 1: divided by the root mean square of all coordinates, one number */
} pen_components;

/* y = V' scale (u v - mean), where V [d x q] has orthonormal columns, in order of descending
 * variance; with `unit` all divided by one number. */
typedef struct pen_reduction {
    int64_t q;
    double *V; /* [d x q], multiplied by the column scale: applies to centered, unscaled rows */
    double retained; /* fraction of the total variance retained */
    double size;     /* root mean square of the coordinates, before `unit` */
} pen_reduction;

/* Reduces the rows of x; `out` holds the rows in the new coordinates. With n >= d the d x d
 * scatter of the columns is decomposed, and a direction counts if its variance is above max(n, d)
 * epsilon times the largest. With n < d the rows are decomposed (QR, then singular values), and a
 * direction counts if its standard deviation is above d epsilon times the largest.
 * PEN_RANK_TOO_SMALL: all rows are equal, or a count exceeds the rank.
 * Cost: n d^2 flops and an eigenproblem of size d, or 8 n^2 d flops and a singular value problem of
 * size n; 2 n d q flops for the coordinates. Memory: 5 d^2 + n q doubles, or 2 n d + 8 n^2. */
pen_status pen_rows_components(pen_run *run, const pen_rows *x, const pen_components *asked,
                               pen_reduction *reduction, pen_rows *out);

/* The same for `pca` alone. */
pen_status pen_rows_reduce(pen_run *run, const pen_rows *x, double pca, pen_reduction *reduction,
                           pen_rows *out);

#endif
