/* sparse_sample.h - samples as sparse rows. */
#ifndef TEST_SPARSE_SAMPLE_H
#define TEST_SPARSE_SAMPLE_H

#include "kit/check_fit.h"

/* The fraction of zeros that is stored explicitly. */
enum zeros { NO_ZEROS, SOME_ZEROS, ALL_ZEROS };

/* Sparse rows with the values of x, dense rows of any layout. */
pen_array sparse_of(const pen_array *x, enum zeros stored);

/* The rows and the labels of the golden case of sparse data, 60 x 400: x_ij = ((i + 1) (j + 3) mod
 * 5) + 1 where (7 i + 11 j + i j) mod 17 < 2, else 0; labels of even rows (i / 2) mod 3. */
sample sparse_golden(void);

/* Sparse samples: classes of counts, some full columns, some empty rows and columns. Values are
 * integers 0 .. 255. */
sample sparse_random(pen_rng *rng, int64_t n, int64_t d, int64_t classes, int64_t labelled);

/* Unlabelled rows with few entries, one of them in column 0, the rest anywhere: columns sparse
 * enough for special code, and one that is not. */
sample sparse_few(pen_rng *rng, int64_t n, int64_t d, int64_t entries);

#endif
