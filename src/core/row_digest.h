/* row_digest.h - 64-bit digests of the values of rows. */
#ifndef PEN_ROW_DIGEST_H
#define PEN_ROW_DIGEST_H

#include "core/array.h"
#include "core/parallel.h"

/* digests [x->rows], in scratch memory. They do not depend on type, layout or sparse storage, nor
 * on the sign of 0. *bad: the first row with a nonfinite value, or -1. Cost:
 * a pass over the rows, two products for each value. */
pen_status pen_row_digests(pen_run *run, pen_phase phase, const pen_array *x, uint64_t **digests,
                           int64_t *bad);

/* A checksum of the rows in their order; 0 without rows. The cost is the same. */
pen_status pen_row_digest(pen_run *run, const pen_array *x, int64_t *digest);

#endif
