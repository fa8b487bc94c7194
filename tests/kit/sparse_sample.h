/* sparse_sample.h - the same values as sparse rows. */
#ifndef TEST_SPARSE_SAMPLE_H
#define TEST_SPARSE_SAMPLE_H

#include "kit/check_fit.h"

/* How many of the zeros are stored all the same. */
enum zeros { NO_ZEROS, SOME_ZEROS, ALL_ZEROS };

/* Sparse rows with the values of x, dense rows of any layout. */
pen_array sparse_of(const pen_array *x, enum zeros stored);

/* The rows and the labels of the golden case of sparse data, 60 x 400: x_ij = ((i + 1) (j + 3) mod
 * 5) + 1 where (7 i + 11 j + i j) mod 17 < 2, else 0; labels of even rows (i / 2) mod 3. */
sample sparse_golden(void);

/* Sparse samples: classes of counts, some columns with an entry in every row, some empty rows and
 * columns. Values are whole numbers 0 .. 255. */
sample sparse_random(pen_rng *rng, int64_t n, int64_t d, int64_t classes, int64_t labelled);

/* Rows of a few entries, one of them in column 0 and the others anywhere: columns that are sparse
 * enough for code of their own, next to one that is not. No labels. */
sample sparse_few(pen_rng *rng, int64_t n, int64_t d, int64_t entries);

#endif
