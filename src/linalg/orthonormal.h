/* orthonormal.h - Gram-Schmidt on rows that may be dependent. */
#ifndef PEN_ORTHONORMAL_H
#define PEN_ORTHONORMAL_H

#include "core/run.h"

/* Appends to the r orthonormal rows of `basis` [most x d], r <= most <= d, the new directions of
 * the rows of V [count x d], in their order, until there are `most`. A row adds nothing if its part
 * outside the earlier rows is less than 1e-10 of its length. Returns the number of rows in *r.
 * Cost: 4 count most d flops. */
pen_status pen_orthonormal_append(pen_run *run, int64_t count, int64_t d, const double *V,
                                  int64_t most, double *basis, int64_t *r);

/* V [d x q] <- V L'^-1 with L L' = V'V, twice: orthonormal columns that keep the span of the first
 * i for every i. PEN_NOT_CONVERGED: they depend on each other. Cost: 8 d q^2 flops. */
pen_status pen_orthonormal_columns(pen_run *run, int64_t d, int64_t q, double *V);

#endif
