/* row_digest.h - which rows a block has: a checksum of their values. */
#ifndef PEN_ROW_DIGEST_H
#define PEN_ROW_DIGEST_H

#include "core/run.h"

/* A checksum of the values of rows in their order, as given. The same for every type, layout and
 * number of threads, for dense and sparse rows; 0 and -0 are the same. Without rows it is 0.
 * Cost: a pass over the rows, one product for each value. */
pen_status pen_row_digest(pen_run *run, const pen_array *x, int64_t *digest);

#endif
