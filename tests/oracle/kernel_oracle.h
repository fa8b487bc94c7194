/* kernel_oracle.h - kernels value by value, and randomly pivoted Cholesky on a stored residual [n x
 * n]. */
#ifndef KERNEL_ORACLE_H
#define KERNEL_ORACLE_H

#include "kernels/kernel.h"

/* k(x, z) of rows [d] by definition, except precomputed. */
double kernel_value(const pen_kernel *kernel, int64_t d, const double *x, const double *z);

/* [n x m] between rows x [n x d] and z [m x d]. */
double *kernel_table(const pen_kernel *kernel, int64_t n, int64_t m, int64_t d, const double *x,
                     const double *z);

/* Landmarks of a kernel matrix K [n x n]. Each round draws rows by the diagonal of the residual: as
 * many as there are landmarks so far, at least 64 and at most 256. Each is accepted with
 * probability (its remaining residual / the residual when drawn) and eliminated from the residual.
 * rows [most]; returns their number. *left: the trace of the residual over that of K. */
int64_t kernel_landmarks(int64_t n, const double *K, int64_t most, uint64_t seed, int64_t *rows,
                         double *left);

/* The trace of K - K_nL K_LL^-1 K_Ln over that of K for landmarks [m], from eigenvalues of K_LL
 * above 1e-12 of the largest. */
double kernel_residual(int64_t n, const double *K, int64_t m, const int64_t *landmarks);

#endif
