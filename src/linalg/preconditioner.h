/* preconditioner.h - a polynomial in a sparse matrix that approximates its inverse square root, to
 * precondition systems that the matrix dominates. */
#ifndef PEN_PRECONDITIONER_H
#define PEN_PRECONDITIONER_H

#include "linalg/csr.h"

/* E = D^-1/2 t(D^-1/2 A D^-1/2) with D the diagonal of A, so that E'AE is close to the identity. A
 * has a positive diagonal and no positive off-diagonal entry, and its row sums are at least
 * `dominance` times the diagonal, 0 <= dominance < 1; so the eigenvalues of D^-1/2 A D^-1/2 are in
 * [dominance, 2 - dominance]. t is the Chebyshev series of 1 / sqrt(x) on that interval with an
 * error below one third; if dominance is below 1/20, the interval starts at 1/20. */
typedef struct pen_preconditioner {
    /* D^-1/2 A D^-1/2 with that interval mapped to [-1, 1], rows and columns in breadth-first
     * order */
    pen_csr_sym B;
    int64_t degree;
    const double *coefficient; /* [degree + 1] */
    const double *scale;       /* [n] D^-1/2, in the order of B */
    const int64_t *order;      /* [n] the row of A for each row of B */
} pen_preconditioner;

pen_status pen_preconditioner_open(pen_run *run, const pen_csr_sym *A, double dominance,
                                   pen_preconditioner *out);

/* y = E v, or E'v; v and y [n x k] in different memory. Cost: `degree` products with the matrix;
 * memory: 3 n k doubles. */
pen_status pen_preconditioner_multiply(pen_run *run, const pen_preconditioner *E, int transposed,
                                       int64_t k, const double *v, double *y);

#endif
