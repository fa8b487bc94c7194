/* cholesky.h - a symmetric positive definite system, factored once and solved many times. */
#ifndef PEN_CHOLESKY_H
#define PEN_CHOLESKY_H

#include "linalg/sym.h"

typedef struct pen_factor {
    int64_t d;
    const double *a;     /* Cholesky factor of the matrix scaled to unit diagonal */
    const double *scale; /* [d] scale factors of the rows and columns */
} pen_factor;

/* Factors S + ridge I in the memory of S. PEN_BAD_DATA: S is not finite, or so small that its
 * products underflow. PEN_SINGULAR_SCATTER: the matrix is not positive definite, or its reciprocal
 * condition, after scaling to unit diagonal, is below d epsilon. Cost: d^3 / 3 flops. */
pen_status pen_factor_open(pen_run *run, pen_sym *S, double ridge, pen_factor *out);

/* Replaces B [d x k] by the solution. Cost: 2 d^2 k flops. */
void pen_factor_solve(const pen_factor *factor, int64_t k, double *B);

/* inverse [n x n] = L'^-1 for a lower triangular L, whose upper triangle is not read. Cost: n^3 / 3
 * flops. */
void pen_invert_factor(int64_t n, const double *L, double *inverse);

#endif
