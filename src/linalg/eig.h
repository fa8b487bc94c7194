/* eig.h - symmetric eigenproblems, the interface for all callers.
 *
 * Inputs are not modified. Eigenvalues are in descending order. In the generalized problem the
 * vectors satisfy V'CV = I. Eigenvalues that are rounding noise are set to 0, and `rank` counts the
 * others. */
#ifndef PEN_EIG_H
#define PEN_EIG_H

#include "linalg/sym.h"

typedef struct pen_eig {
    int64_t d, k;
    double *values;  /* [k] descending */
    double *vectors; /* [k x d] one vector in each row */
    int64_t rank;    /* number of values above rounding noise, at most k */
    /* the largest |B v - value C v| / (|B|_F |v| + value |C|_F |v|) over the first `rank`
     * vectors */
    double residual;
} pen_eig;

/* The k largest eigenvalues of B, 1 <= k <= d, where B is positive semidefinite up to rounding:
 *
 *   B v = value v      if C is NULL
 *   B v = value C v    otherwise, C positive definite
 *
 * PEN_BAD_DATA: B or C is not finite. PEN_SINGULAR_SCATTER: C, scaled to unit diagonal, has an
 * eigenvalue below d epsilon times its largest; or C is below d epsilon relative to B (unless the
 * identity is part of its definition); or C is within the rounding error of the rows.
 * PEN_NOT_CONVERGED: LAPACK did not converge.
 * Cost: 4/3 d^3 flops, up to the same again for the vectors, and 2 d^3 more for C; memory: 2 d^2
 * doubles, 4 d^2 if k > d/4, and d^2 more for C. */
pen_status pen_eig_largest(pen_run *run, const pen_sym *B, const pen_sym *C, int64_t k,
                           pen_eig *out);

/* The same for a C with pen_eig_condition above 0, without the residual, for trials. */
pen_status pen_eig_regular(pen_run *run, const pen_sym *B, const pen_sym *C, int64_t k,
                           pen_eig *out);

/* All eigenvalues of A v = value v, or of A v = value C v, where A may be indefinite; rank is d.
 * Errors and cost as above. */
pen_status pen_eig_indefinite(pen_run *run, const pen_sym *A, const pen_sym *C, pen_eig *out);

/* *reciprocal: 0 if one of the reasons for PEN_SINGULAR_SCATTER above holds, otherwise an estimate
 * of 1 over the condition number of C, scaled to unit diagonal; 1 if a matrix is not finite. Cost:
 * 2/3 d^3 flops, or an eigenproblem without vectors near the limit. */
pen_status pen_eig_condition(pen_run *run, const pen_sym *B, const pen_sym *C, double *reciprocal);

/* Relative to the largest variance, smaller ones are rounding, if the problem depends on the units
 * of the columns: the tolerance for pen_note_cut. */
double pen_eig_tolerance(const pen_sym *B);

/* v'Bv below this value is rounding: of the sums that formed B, or of the rows. */
double pen_eig_noise(const pen_sym *B, const double *v);

/* Reverses the order of the k values and vectors. */
void pen_eig_reverse(pen_eig *eig);

#endif
