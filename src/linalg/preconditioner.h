/* preconditioner.h - a polynomial of a sparse matrix near its inverse square root, to precondition
 * what the matrix is the greater part of. */
#ifndef PEN_PRECONDITIONER_H
#define PEN_PRECONDITIONER_H

#include "linalg/csr.h"

/* E = D^-1/2 t(D^-1/2 A D^-1/2), D the diagonal of A: E'AE is near the identity. A: positive
 * diagonal, no entry beside it positive, and rows whose sums are at least `dominance` times their
 * diagonal, 0 <= dominance < 1, so that eigenvalues are in [dominance, 2 - dominance]. t: the
 * Chebyshev series of 1 / sqrt(x) there, until its error is less than a third; where dominance is
 * below 1/20, from 1/20 on. */
typedef struct pen_preconditioner {
    /* D^-1/2 A D^-1/2 with that interval brought to [-1, 1], rows and columns in an order of its
     * own */
    pen_csr B;
    int64_t degree;
    const double *coefficient; /* [degree + 1] */
    const double *scale;       /* [n] D^-1/2, in that order */
    const int64_t *order;      /* [n] the rows of A */
} pen_preconditioner;

pen_status pen_preconditioner_open(pen_run *run, const pen_csr *A, double dominance,
                                   pen_preconditioner *out);

/* y = E v, or E'v; v and y [n x k] and not the same memory. Cost: `degree` products with the
 * matrix; memory 3 n k doubles. */
pen_status pen_preconditioner_multiply(pen_run *run, const pen_preconditioner *root, int transposed,
                                       int64_t k, const double *v, double *y);

#endif
