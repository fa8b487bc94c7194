/* preconditioner.h - a polynomial in a sparse matrix that approximates its inverse, to precondition
 * systems that the matrix dominates. */
#ifndef PEN_PRECONDITIONER_H
#define PEN_PRECONDITIONER_H

#include "linalg/csr.h"

/* M = D^-1/2 t(D^-1/2 A D^-1/2) D^-1/2 with D the diagonal of A, so that M A is close to the
 * identity. A has a positive diagonal and no positive off-diagonal entry, and its row sums are at
 * least `dominance` times the diagonal, 0 <= dominance < 1; so the eigenvalues of D^-1/2 A D^-1/2
 * are in [dominance, 2 - dominance]. t has the degree of a few Chebyshev steps, after which x t(x)
 * is 1 within 0.15 on that interval; if dominance is below 1/20, the interval starts at 1/20,
 * and x t(x) falls to 0 below it, so that M is positive definite. */
typedef struct pen_preconditioner {
    pen_csr_sym B; /* D^-1/2 A D^-1/2, rows and columns in breadth-first order */
    int64_t degree;
    double center, half;  /* of the interval */
    const double *scale;  /* [n] D^-1/2, in the order of B */
    const int64_t *order; /* [n] the row of A for each row of B */
} pen_preconditioner;

pen_status pen_preconditioner_open(pen_run *run, const pen_csr_sym *A, double dominance,
                                   pen_preconditioner *out);

/* y = M v, v and y [n x k] in different memory; a pen_apply_fn whose context is a
 * pen_preconditioner. Cost: `degree` products with the matrix; memory: 3 n k doubles. */
pen_status pen_preconditioner_apply(pen_run *run, const void *context, int64_t k, const double *v,
                                    double *y);

#endif
