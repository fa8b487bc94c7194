/* flexible.h - a ratio of traces, maximized over columns and over free coordinates of the rows. */
#ifndef PEN_FLEXIBLE_H
#define PEN_FLEXIBLE_H

#include "graph/graph.h"
#include "solve/ratio.h"

/* Maximizes tr(F'L_b F) / (tr(F'L_a F) + |X W - F|^2 + ridge |W|^2) over F [n x k] and W [d x k],
 * W'W = I, with
 *
 *   L_a = D_l - q q' + alpha L,   L_b = E E' - q q'
 *   D_l: diagonal, 1 for labelled rows;  column c of E: 1/sqrt(n_c) for rows of class c;
 *   q: 1/sqrt(n') for all labelled rows
 *
 * This is the problem without its n rows, M = alpha L + I + D_l: */
typedef struct pen_flexible {
    pen_sym R; /* [d x d] X'(I - M^-1) X */
    int64_t classes;
    const double *Z;     /* [classes x d] (X'M^-1 E)' */
    const double *H;     /* [classes x classes] E'M^-1 E, lower triangle */
    double size;         /* sqrt(tr X'X) */
    const double *share; /* [classes] sqrt(n_c / n'): q = E share */
} pen_flexible;

/* Sets up the problem for rows x in the coordinates of `span`, and their
 * classes. alpha 0: does not read the graph. Conjugate gradients apply M^-1 to a few columns at a
 * time; notes "cg_iterations". Cost: rank + classes right-hand sides of about sqrt(1 + alpha
 * degree) products with the graph, 4 n d (rank + classes) flops; memory: 40 MB, or 64 columns of n
 * rows if that is more. */
pen_status pen_scatter_flexible(pen_run *run, double alpha, const pen_view *x,
                                const pen_graph *graph, const pen_span *span, pen_flexible *out);

/* For a ratio v in (0, 1) the best F is v K^-1 X W with v^-1 K = M - E S E',
 * S = (I - (1 - v) share share') / v, and W holds the k smallest eigenvectors of
 *
 *   N(v) + ridge I = X'(I - v K^-1) X + ridge I
 *   N(v) = R - Z'(v I + (1 - v) share share' - H)^-1 Z
 *
 * where the inverted matrix is positive definite if K is. At the largest ratio v their eigenvalues
 * sum to 0; v is too small if the matrix is not positive definite or the sum is negative. The
 * search bisects until Newton's method, v = the ratio of the best W and F, stays within the bounds,
 * and ends when a step is rounding. If X is small relative to the root of ridge, doubles cannot
 * separate the solution from the least v for which K is positive definite. Then v is the least for
 * which K is positive definite beyond rounding, and the sum is above 0.
 * ridge > 0, 1 <= k <= d. out: W, ridge, and the eigenvalues of N + ridge I, smallest first. Notes
 * "ratio" and "iterations".
 * PEN_RANK_TOO_SMALL: Z is rounding at that v, so that W is arbitrary. PEN_NOT_CONVERGED: after 500
 * steps. Errors of pen_eig_indefinite.
 * Cost: an eigenproblem of order d for each of about ten steps. Huang, Xu, Nie 2012. */
pen_status pen_solve_flexible(pen_run *run, const pen_flexible *problem, double ridge, int64_t k,
                              pen_projection *out);

#endif
