/* squared_distance.h - squared differences of two rows, in double. */
#ifndef PEN_SQUARED_DISTANCE_H
#define PEN_SQUARED_DISTANCE_H

#include <penumbra.h>

/* The sum of (scale_j (a_j - b_j))^2 over `count` consecutive values of type `type`; scale NULL: 1.
 * Summed in eight lanes, whose sums are added in order after what is left over: the same bits on
 * every machine. */
double pen_difference2(pen_dtype type, const void *a, const void *b, const double *scale,
                       int64_t count);

#endif
