/* eig.h - the front door to eigenproblems.
 *
 * Inputs are not modified. Eigenvalues come largest first. In the ratio form the vectors satisfy
 * V'CV = I. Eigenvalues that are rounding noise are set to 0, and `rank` counts the others. */
#ifndef PEN_EIG_H
#define PEN_EIG_H

#include "linalg/sym.h"

typedef struct pen_eig {
    int64_t d, k;
    double *values;  /* [k] largest first */
    double *vectors; /* [k x d] a vector a row */
    int64_t rank;    /* how many values are above rounding noise, at most k */
    /* largest |B v - value C v| over |B|_F |v| + value |C|_F |v|, of the first `rank` vectors */
    double residual;
} pen_eig;

/* The k largest eigenvalues of B, 1 <= k <= d, positive semi-definite but for rounding. C NULL: B v
 * = value v, else B v = value C v with C positive definite.
 * PEN_BAD_DATA: B or C is not finite. PEN_SINGULAR_SCATTER: C, with its diagonal brought to 1, has
 * an eigenvalue below d epsilon times its largest, or C is itself that small beside B (unless the
 * identity is part of it by definition), or no more than the rounding of the rows.
 * PEN_NOT_CONVERGED: as LAPACK says.
 * Cost: 4/3 d^3 flops and less than as many for the vectors, 2 d^3 more for C; memory 2 d^2
 * doubles, 4 d^2 if k > d/4, d^2 more for C. */
pen_status pen_eig_largest(pen_run *run, const pen_sym *B, const pen_sym *C, int64_t k,
                           pen_eig *out);

/* All eigenvalues of A v = value v, or of A v = value C v, where A may be indefinite; rank is d.
 * Errors and cost as above. */
pen_status pen_eig_indefinite(pen_run *run, const pen_sym *A, const pen_sym *C, pen_eig *out);

/* A variance this much smaller than the largest is rounding of that, where the problem has the
 * units of the columns in it: what pen_note_cut is told. */
double pen_eig_tolerance(const pen_sym *B);

/* v'Bv below this is rounding: of the sums that made B, or of the rows. */
double pen_eig_noise(const pen_sym *B, const double *v);

/* The k values and vectors in the opposite order. */
void pen_eig_reverse(pen_eig *eig);

#endif
