/* kernel_rows.h - rows for kernels, and the printed numbers of kernel SELF. */
#ifndef KERNEL_ROWS_H
#define KERNEL_ROWS_H

#include "check.h"

#include "core/rows.h"

/* Rows [n x d] with origin 0 and d at most 4096. */
pen_view dense_from_0(const double *values, int64_t n, int64_t d);

/* Normal numbers [n x d] plus `offset`. */
double *normal_rows(uint64_t tag, int64_t n, int64_t d, double offset);

/* Dataset D: six rows of two columns, then a new one; beta 1/2, two neighbors. z and the new row's
 * z are not centered; columns up to sign. rbf: gamma 1/2, kernel_ridge 0.01; linear: kernel_ridge
 * 0. */
enum { GOLDEN_D = 6 };
typedef struct kernel_golden {
    double values[2], z[2 * GOLDEN_D], new_z[2];
} kernel_golden;
extern const double golden_d_rows[2 * GOLDEN_D + 2];
extern const int32_t golden_d_labels[GOLDEN_D];
extern const kernel_golden golden_d_rbf, golden_d_linear;

#endif
