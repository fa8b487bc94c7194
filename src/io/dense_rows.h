/* dense_rows.h - missing values in tables of dense rows. */
#ifndef PEN_DENSE_ROWS_H
#define PEN_DENSE_ROWS_H

#include "io/io.h"

/* Counts NaN values. Infinite values are errors, and so is NaN unless the options allow it. */
pen_status pen_dense_holes(pen_run *run, const pen_input *input, const pen_read_options *options,
                           const pen_array *x, int64_t *holes);

/* Treats the missing values of a table, which owns its values, as the options say. Of a block all
 * rows may be dropped. */
pen_status pen_dense_treat(pen_run *run, const pen_input *input, const pen_read_options *options,
                           int is_block, pen_table *table);

#endif
