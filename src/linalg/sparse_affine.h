/* sparse_affine.h - one affine map of sparse rows. */
#ifndef PEN_SPARSE_AFFINE_H
#define PEN_SPARSE_AFFINE_H

#include "core/rows.h"

/* As pen_affine_apply, for sparse rows x. A row gives the same bits alone and in any batch. Cost: 6
 * k flops for each entry; memory: 48 doubles for each column. */
pen_status pen_sparse_affine_apply(pen_run *run, const char *phase, const pen_array *x, int unit,
                                   const double *mean, const double *W, int64_t k, pen_dtype type,
                                   void *z, int64_t stride);

#endif
