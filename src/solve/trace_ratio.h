/* trace_ratio.h - orthonormal columns that maximize a ratio of traces. */
#ifndef PEN_TRACE_RATIO_H
#define PEN_TRACE_RATIO_H

#include "solve/ratio.h"

/* The next ratio: the largest of any k eigenvectors of A - ratio B, or that of its k largest
 * ones. */
enum pen_newton { PEN_NEWTON_DECOMPOSED, PEN_NEWTON_PLAIN };

/* Maximizes tr(W'A W) / tr(W'B W), W'W = I, W [d x k]; A symmetric, B positive semidefinite,
 * 1 <= k <= d. At the largest ratio the k largest eigenvalues of A - ratio B sum to 0. W holds
 * their eigenvectors: of all bases of that span, the one in which A - ratio B is diagonal. Newton's
 * method starts from the first k unit vectors; both kinds increase monotonically to the same ratio,
 * the decomposed one in fewer steps. It ends with the step after the sum is at most
 * 1e-12 (|tr A| + |ratio| |tr B|), or when the ratio stops growing.
 * out: W, the eigenvalues of A - ratio B, largest first, and the residual; *ratio (may be NULL).
 * Notes "ratio" and "iterations".
 * PEN_SINGULAR_SCATTER: the k smallest eigenvalues of B sum to at most 1e-13 tr B, so that the
 * ratio is unbounded. Errors of pen_eig_indefinite.
 * Cost: an eigenproblem of order d for each step, seldom more than six. Wang, Yan, Xu, Tang, Huang
 * 2007; Jia, Nie, Zhang 2009. */
pen_status pen_solve_trace_ratio(pen_run *run, const pen_sym *A, const pen_sym *B, int64_t k,
                                 enum pen_newton how, pen_projection *out, double *ratio);

#endif
