/* affine.h - rows times a matrix; the result of a row does not depend on other rows. */
#ifndef PEN_AFFINE_H
#define PEN_AFFINE_H

#include "core/rows.h"

/* z[i] = (u v_i - mean) W for every row of x, W [d x k]; the column scale is not applied (it is
 * part of W). z has type PEN_F64 or PEN_F32 and rows `stride` elements apart. Every row goes
 * through products of one fixed shape, so its bits depend only on that row.
 * PEN_NOT_FINITE: a value of x; PEN_BAD_DATA: a result too large for its type.
 * Cost: 2 n d k flops; memory: 64 (d + k) doubles for each thread. */
pen_status pen_affine_apply(pen_run *run, const char *phase, const pen_array *x, int unit,
                            const double *mean, const double *W, int64_t k, pen_dtype type, void *z,
                            int64_t stride);

#endif
