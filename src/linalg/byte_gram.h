/* byte_gram.h - sums of outer products of rows of bytes, by integers. */
#ifndef PEN_BYTE_GRAM_H
#define PEN_BYTE_GRAM_H

#include "core/array.h"
#include "linalg/sym.h"

/* 1 if the instruction set in use multiplies bytes faster than floats. */
int pen_bytes_are_fast(void);

/* A += weight Y'Y for the rows of x, of type PEN_U8, less 128 in each column. sums [d]: of the
 * columns of Y, whole numbers. What is added is exact but for the rounding of the sum in double: of
 * a whole number below 2^53, none. Cost: n d^2 operations on bytes; memory: 24 MB, or that of one
 * sum [d x d] of int32 where that is more, and 3 MB a thread. */
pen_status pen_sym_add_gram_of_bytes(pen_run *run, const char *phase, double weight,
                                     const pen_array *x, const double *sums, pen_sym *A);

#endif
