/* row_digest.h - rows by a number of 64 bits that their values decide. */
#ifndef PEN_ROW_DIGEST_H
#define PEN_ROW_DIGEST_H

#include "core/array.h"
#include "core/parallel.h"

/* digests [x->rows], in scratch memory. The same for every type and layout, for dense and sparse
 * rows; 0 and -0 are the same. *bad: the first row with a value that is not finite, or -1. Cost:
 * a pass over the rows, two products for each value. */
pen_status pen_row_digests(pen_run *run, pen_phase phase, const pen_array *x, uint64_t **digests,
                           int64_t *bad);

/* A checksum of the rows in their order; without rows it is 0. Cost: likewise. */
pen_status pen_row_digest(pen_run *run, const pen_array *x, int64_t *digest);

#endif
