/* cholesky.h - a symmetric positive definite system, factored once and solved many times. */
#ifndef PEN_CHOLESKY_H
#define PEN_CHOLESKY_H

#include "linalg/sym.h"

typedef struct pen_factor {
    int64_t d;
    const double *a;     /* Cholesky factor of the matrix with its diagonal brought to 1 */
    const double *scale; /* [d] what rows and columns were multiplied with for that */
} pen_factor;

/* S + ridge I = the matrix, in the place of S. PEN_BAD_DATA: S is not finite, or so small that its
 * products vanish. PEN_SINGULAR_SCATTER: the matrix is not positive definite, or with its diagonal
 * brought to 1 its reciprocal condition is below d epsilon. Cost: d^3 / 3. */
pen_status pen_factor_open(pen_run *run, pen_sym *S, double ridge, pen_factor *out);

/* B [d x k] becomes the answer. Cost: 2 d^2 k. */
void pen_factor_solve(const pen_factor *factor, int64_t k, double *B);

#endif
