/* duplicate_rows.h - duplicate rows. */
#ifndef PEN_DUPLICATE_ROWS_H
#define PEN_DUPLICATE_ROWS_H

#include "core/rows.h"

/* duplicate[i], i < n: the first row with the values of row i; i itself if no earlier row has them.
 * Cost: one pass and n log n comparisons; memory in addition to the result: 24 n bytes. */
pen_status pen_duplicates_find(pen_run *run, const pen_view *x, int64_t n, int64_t *duplicate);

#endif
