/* multiply.h - products of dense matrices by the panels of the instruction set in use.
 *
 * Single-threaded; safe to call from several threads at once. It takes 256 KB of stack. Large
 * products use a megabyte of memory if available; their results do not depend on it.
 *
 * The inner dimension is cut into slices of 256. An element of the result is the sum over a slice,
 * one chain of fused multiply-adds, added slice by slice. So its bits depend only on its row and
 * its column, not on size, position, layout or instruction set. */
#ifndef PEN_MULTIPLY_H
#define PEN_MULTIPLY_H

#include "core/isa.h"

#include <penumbra.h>

#include <stdint.h>

/* Element (i, j) of a factor is values[i * down + j * across]; one of the two strides is 1.
 * mirrored: the factor is symmetric, and only elements with j <= i are read. */
typedef struct pen_factor {
    const void *values;
    int64_t down, across;
    int mirrored;
} pen_factor;

/* C [m x n] = alpha A B + beta C, inner size k; all of one type, PEN_F32 or PEN_F64. Rows of C are
 * `stride` elements apart; C is not read if beta is 0. lower: reads and writes only elements of C
 * with j <= i, for half the work. */
typedef struct pen_dense_product {
    pen_dtype type;
    int64_t m, n, k;
    pen_factor a, b;
    double alpha, beta;
    void *c;
    int64_t stride;
    int lower;
} pen_dense_product;
void pen_multiply_dense(const pen_dense_product *product);

#endif
