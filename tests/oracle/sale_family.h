/* sale_family.h - literal versions of saloe and salwe: n x n tables of distances and weights, sums
 * over all pairs, Jacobi rotations. The letters are those of Nie, Wang, Wang, Li: IEEE TKDE (2021).
 *
 * Only types and parameter tables of the library are used. Errors end in abort(). */
#ifndef SALE_FAMILY_H
#define SALE_FAMILY_H

#include "kit/check_fit.h"

/* The result of a fit; only dim and rank if dim exceeds the rank. */
typedef struct sale {
    int64_t n, d, q, rank, dim;
    double *mean; /* [d] */
    /* [n x q] centered, on the principal axes that `pca` keeps; q = d without it */
    double *rows;
    /* [n x rank] the coordinates in which the constraint is V'V = I */
    double *x;
    double *back;                 /* [d x rank] W = back V */
    double *W;                    /* [d x dim] */
    double *values;               /* [rank] of the last step of W, ascending */
    double *P, *S;                /* [n x n] the last weights */
    double *objective, *halfways; /* [iterations] after each iteration, and after its step of W */
    int64_t iterations;
    int converged;
    int64_t within, cut; /* neighbors in the smallest class; classes with fewer than requested */
    /* the smallest gap, over the iterations, between values dim - 1 and dim, relative to the
     * largest; 1 if dim = rank */
    double gap;
} sale;

/* Fits `text`, "METHOD NAME=VALUE ...", with the library's names and defaults; `init` must be
 * adjacency or zero. */
sale *sale_fit(const char *text, const sample *s);

/* Mean squared distance of rows z [n x m] from their mean. */
double sale_spread(int64_t n, int64_t m, const double *z);

/* The objective of rows z [n x m] with optimal weights: the sum over rows of 1 / sum 1 /
 * distance^2. */
double sale_least(int64_t n, int64_t m, const double *z, const int32_t *y, int64_t within,
                  int64_t neighbors, double alpha);

#endif
