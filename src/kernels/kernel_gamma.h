/* kernel_gamma.h - the scale of a kernel, measured on the rows. */
#ifndef PEN_KERNEL_GAMMA_H
#define PEN_KERNEL_GAMMA_H

#include "kernels/kernel.h"

/* 1 if the kernel has a parameter gamma. */
int pen_kernel_has_gamma(enum pen_kernel_kind kind);

/* A gamma that makes the values of a kernel independent of the unit of the columns. It comes from
 * all rows or, if there are more than 500, from the first 500 of permutation(n) (docs/sampling.md):
 *
 *   rbf          1 / the median of |x - z|^2 > 0
 *   laplacian    1 / the median of |x - z|_1 > 0
 *   polynomial   1 / the median of |x|^2 > 0: 1/d for standardized columns, as in scikit-learn
 *
 * and 1 for other kernels, or if the median has no numbers. Errors: those of
 * pen_kernel_values and pen_kernel_diagonal; PEN_BAD_DATA: 1 / the median overflows or is 0. Cost:
 * 250 000 d multiply-adds; memory: 4 MB and 500 rows. */
pen_status pen_kernel_gamma(pen_run *run, const pen_kernel *kernel, const pen_view *x,
                            uint64_t seed, double *gamma);

#endif
