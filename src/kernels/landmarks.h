/* landmarks.h - the rows that represent all rows in a kernel map. */
#ifndef PEN_LANDMARKS_H
#define PEN_LANDMARKS_H

#include "kernels/kernel.h"

/* Randomly pivoted Cholesky: draws rows one at a time, with probability proportional to the
 * residual k(x, x) - |F_x|^2 of the partial factorization K = F F' + residual by the rows drawn so
 * far. It stops at `most` <= n rows, or when the residuals sum to at most 1e-12 of the trace
 * (pen_kernel_noise).
 *
 * Rows are proposed in rounds of 64 to 256 (docs/sampling.md) by the current residuals, summed in
 * `order` [n] (core/row_order.h; NULL: by number), and accepted with the fraction of their residual
 * that remains after earlier acceptances. So the distribution is that of single draws, and nearly
 * all work is in matrix products. A row is never drawn twice, nor is a row whose residual is 1e-12
 * of its k(x, x), such as a duplicate of a drawn row. Equal rows have equal bits in F.
 *
 *   rows [*count]   in the order drawn, in scratch memory
 *   F [n x *count]  coordinates of all rows with F F' = K - residual, in scratch memory
 *   *captured       1 - sum of residuals / trace: the fraction of the trace that these rows explain
 *
 * PEN_BAD_DATA: all k(x, x) are 0, or a residual is below 0 by more than rounding. Errors of
 * pen_kernel_values and pen_kernel_diagonal.
 * Y. Chen, E. N. Epperly, J. A. Tropp, R. J. Webber: Randomly pivoted Cholesky, Communications on
 * Pure and Applied Mathematics 78 (2025); in blocks with rejection: E. N. Epperly, J. A. Tropp,
 * R. J. Webber: Embrace rejection, arXiv 2410.03969 (2024).
 * Cost: n most (most + 2 d) flops, at most 384 n most more for the factors of rounds, and a pass
 * over x per round. Memory: (n + 127) most + 3 n doubles, 256 (d + most + 768) for a round,
 * and 128 (d + 256) for each thread. */
pen_status pen_landmarks_cholesky(pen_run *run, const pen_kernel *kernel, const pen_view *x,
                                  const int64_t *order, int64_t most, uint64_t seed,
                                  const int64_t **rows, int64_t *count, double **F,
                                  double *captured);

#endif
