/* decompose.h - eigenvalues of a symmetric matrix, as LAPACK computes them. */
#ifndef PEN_DECOMPOSE_H
#define PEN_DECOMPOSE_H

#include "core/run.h"
#include "linalg/sym.h"

/* The k largest eigenvalues of a [d x d], whose lower triangle is read and destroyed, as all of it
 * is: ascending, into values [d], and their vectors into the rows of vectors [k x d] (NULL: values
 * only). PEN_NOT_CONVERGED: LAPACK did not converge. Cost: 4/3 d^3 flops, up to as many again for
 * the vectors; memory: 2 d^2 doubles if k > d/4. */
pen_status pen_decompose(pen_run *run, int64_t d, int64_t k, double *a, double *values,
                         double *vectors);

/* ---- a symmetric positive definite system, factored once and solved many times ---- */

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
