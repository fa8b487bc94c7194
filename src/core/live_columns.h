/* live_columns.h - the columns of an array that vary. */
#ifndef PEN_LIVE_COLUMNS_H
#define PEN_LIVE_COLUMNS_H

#include "core/array.h"

/* Lists the columns that vary, ascending, in columns [x->cols]. A column is constant if every value
 * equals the first up to rounding, 8 epsilon of it; with `zeros`, only if all values are 0. Columns
 * with nonfinite values vary. Cost: a dense row is read only in the columns not yet known to vary;
 * sparse rows are read once. */
pen_status pen_live_columns(pen_run *run, const pen_array *x, int zeros, int64_t *columns,
                            int64_t *count);

/* Copies columns [count], ascending, of all rows into scratch memory: values of the same type,
 * sparse if x is. */
pen_status pen_pick_columns(pen_run *run, const pen_array *x, int64_t count, const int64_t *columns,
                            pen_array *out);

#endif
