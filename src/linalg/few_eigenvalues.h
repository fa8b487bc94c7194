/* few_eigenvalues.h - a few eigenvalues of a large symmetric matrix, by its products. */
#ifndef PEN_FEW_EIGENVALUES_H
#define PEN_FEW_EIGENVALUES_H

#include "core/run.h"

/* 1 if k of d eigenvalues are so few that products are worth a try. */
int pen_few_eigenvalues_are_worth(int64_t d, int64_t k);

/* The k largest eigenvalues of B v = value C v, C = L L' (both NULL: I), as pen_decompose returns
 * those of L^-1 B L'^-1; B [d x d], both triangles, is destroyed. Residuals are at most 1e-13 of
 * the largest value, and no value above the last by 1e-12 of the largest is missing: what is left
 * of B without the pairs found is below such a multiple of C, because a Cholesky factor exists.
 * *found = 0: not by a number of products that costs less than LAPACK does, or something is
 * missing; then values and vectors are not set. Cost: 2 d^2 flops for each product, or 4 d^2, and
 * d^3 / 3. */
pen_status pen_few_largest(pen_run *run, int64_t d, int64_t k, double *B, const double *C,
                           const double *L, double *values, double *vectors, int *found);

#endif
