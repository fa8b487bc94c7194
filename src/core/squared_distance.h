/* squared_distance.h - squared differences of two rows, in double. */
#ifndef PEN_SQUARED_DISTANCE_H
#define PEN_SQUARED_DISTANCE_H

#include <penumbra.h>

/* The sum of (scale_j (a_j - b_j))^2 over `count` consecutive values of type `type`; scale NULL: 1.
 * Sums are in eight lanes, which are added in order after the remainder: the same bits on every
 * machine. */
double pen_difference2(pen_dtype type, const void *a, const void *b, const double *scale,
                       int64_t count);

/* Fast versions for rows [count], a multiple of 64: the sum of a_j (b_j - 128), and the sum of (a_j
 * - b_j)^2 with at most count + 3 roundings of each square. The order of the sums may depend on the
 * machine. */
typedef struct pen_fast_fns {
    int32_t (*product)(const uint8_t *a, const uint8_t *b, int64_t count);
    float (*distance2)(const float *a, const float *b, int64_t count);
} pen_fast_fns;
pen_fast_fns pen_fast(void);

#endif
