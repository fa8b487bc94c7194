/* named_oracle.h - methods that are limits of others, by their own formulas: Laplacian regularized
 * least squares, harmonic functions, local and global consistency. A [n x n]: weights of a graph; y
 * [n]: classes from 0, or -1. */
#ifndef NAMED_ORACLE_H
#define NAMED_ORACLE_H

#include <stdint.h>

/* W [d x classes], then b [classes], of the minimum of
 *
 *   |X_l W + 1 b' - Y_l|^2 + lambda_1 tr(W'X'L X W) + lambda_2 |W|^2
 *
 * over the labelled rows X_l of x [n x d], L the Laplacian of A. Belkin, Niyogi, Sindhwani 2006,
 * with a free b. */
double *laprls_oracle(int64_t n, int64_t d, int64_t classes, const double *x, const int32_t *y,
                      const double *A, double lambda_1, double lambda_2);

/* F [n x classes]: that of labelled rows is Y, that of others -L_uu^-1 L_ul Y_l. Zhu, Ghahramani,
 * Lafferty 2003. */
double *harmonic_oracle(int64_t n, int64_t classes, const int32_t *y, const double *A);

/* F [n x classes] = (1 - alpha) (I - alpha D^-1/2 A D^-1/2)^-1 Y, D the row sums of A. Zhou,
 * Bousquet, Lal, Weston, Schoelkopf 2004. */
double *consistency_oracle(int64_t n, int64_t classes, const int32_t *y, const double *A,
                           double alpha);

#endif
