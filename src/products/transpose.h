/* transpose.h - transposes blocks of numbers. */
#ifndef PEN_TRANSPOSE_H
#define PEN_TRANSPOSE_H

#include <stdint.h>

/* Element k of row l of `from`, `stride` elements apart, becomes to[k * wide + l]: `count` rows of
 * `depth` elements. */
void pen_transpose_f32(int64_t count, int64_t depth, const float *from, int64_t stride, float *to,
                       int64_t wide);
void pen_transpose_f64(int64_t count, int64_t depth, const double *from, int64_t stride, double *to,
                       int64_t wide);

#endif
