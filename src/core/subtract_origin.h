/* subtract_origin.h - subtract an origin from consecutive values. */
#ifndef PEN_SUBTRACT_ORIGIN_H
#define PEN_SUBTRACT_ORIGIN_H

#include "core/array.h"

/* to_j = values_j - origin_j for j < count, in double, or in single precision if neither values nor
 * origin have more; `to` does not overlap them. pen_shift_single does not take doubles. The same
 * bits on every CPU. */
void pen_shift_double(pen_dtype type, const void *values, const double *origin, int64_t count,
                      double *to);
void pen_shift_single(pen_dtype type, const void *values, const float *origin, int64_t count,
                      float *to);

#endif
