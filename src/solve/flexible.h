/* flexible.h - a ratio of traces over columns and over the rows' free coordinates at once. */
#ifndef PEN_FLEXIBLE_H
#define PEN_FLEXIBLE_H

#include "solve/ratio.h"

/* max tr(F'L_b F) / (tr(F'L_a F) + |X W - F|^2 + ridge |W|^2) over F [n x k] and W [d x k], W'W =
 * I, where
 *
 *   L_a = D_l - q q' + alpha L,  L_b = E E' - q q',
 *       D_l 1 for labelled rows, column c of E 1/sqrt(n_c) for rows of class c,
 *           q 1/sqrt(n') for all labelled
 *
 * What is left of it without its n rows, M = alpha L + I + D_l: */
typedef struct pen_flexible {
    pen_sym R; /* [d x d] X'(I - M^-1) X */
    int64_t classes;
    const double *Z;     /* [classes x d] (X'M^-1 E)' */
    const double *H;     /* [classes x classes] E'M^-1 E, lower triangle */
    double size;         /* root of tr X'X */
    const double *share; /* [classes] root of n_c / n': q = E share */
} pen_flexible;

/* For a ratio v in (0, 1) the best F is v K^-1 X W, v^-1 K = M - E S E' with S = (I - (1 - v) share
 * share') / v, and W holds the k smallest eigenvectors of
 *
 *   N(v) + ridge I = X'(I - v K^-1) X + ridge I,
 *       N(v) = R - Z'(v I + (1 - v) share share' - H)^-1 Z
 *
 * where the matrix that is inverted is positive definite as K is. The largest ratio is where their
 * eigenvalues add up to 0. Where the matrix is not positive definite or the sum is negative v is
 * too small. Bisection until Newton's method, v = the ratio of the best W and F, stays between the
 * bounds; it ends when a step is rounding. Where X is small beside the root of ridge the answer is
 * nearer to the least v for which K is positive definite than doubles can tell: v is then the least
 * for which it is so beyond rounding, and the sum is above 0.
 * ridge > 0, 1 <= k <= d. out: W, the eigenvalues of N + ridge I, smallest first. Notes "ratio" and
 * "iterations".
 * PEN_RANK_TOO_SMALL: it is so because Z is rounding there, so that W could be anything.
 * PEN_NOT_CONVERGED: 500 steps do not do. Errors of pen_eig_indefinite. Cost: an eigenproblem of
 * order d a step, of which there are about ten. Huang, Xu, Nie 2012. */
pen_status pen_solve_flexible(pen_run *run, const pen_flexible *problem, double ridge, int64_t k,
                              pen_map *out);

#endif
