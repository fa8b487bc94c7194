/* reduce.h - rows in fewer coordinates: the span of the centered rows, or their principal
 * components. */
#ifndef PEN_REDUCE_H
#define PEN_REDUCE_H

#include "core/rows.h"
#include "linalg/sym.h"

/* S += weight * scatter of all rows about their mean, sum of (x - m)(x - m)'. Cost: n d^2 flops. */
pen_status pen_rows_scatter(pen_run *run, const pen_rows *x, double weight, pen_sym *S);

/* y = V' scale (u v - mean), V [d x q] with orthonormal columns, by falling variance. */
typedef struct pen_reduction {
    int64_t q;
    double *V;       /* [d x q], times scale: what centered, unscaled rows are multiplied with */
    double retained; /* fraction of the total variance kept */
} pen_reduction;

/* pca as in pen_common: a fraction of the variance, a count, or infinite: the numerical rank.
 * Through the d x d scatter of the columns, where directions count whose variance is above max(n,
 * d) epsilon of the largest; with fewer rows than columns through a QR and singular value
 * decomposition of the rows, where the standard deviation is judged so. PEN_RANK_TOO_SMALL: all
 * rows are equal, or a count above the rank. `out` holds the rows in the new coordinates.
 * Cost: n d^2 flops and an eigenproblem of size d, or 8 n^2 d and a singular value problem of size
 * n; 2 n d q for the coordinates. Memory: 5 d^2 + n q doubles, or 2 n d + 8 n^2. */
pen_status pen_rows_reduce(pen_run *run, const pen_rows *x, double pca, pen_reduction *reduction,
                           pen_rows *out);

#endif
