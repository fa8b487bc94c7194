/* sample_rows.h - samples rows. */
#ifndef PEN_SAMPLE_ROWS_H
#define PEN_SAMPLE_ROWS_H

#include "core/rows.h"

/* The order of the rows of trials, in standardized columns. */
pen_status pen_data_order(pen_run *run, const pen_data *data, int64_t **order);

/* rows [*count], in scratch memory, ascending: a sample of `most` rows. Labelled rows come first;
 * if there are more than `most`, some of each class, in proportion to its size but at least three.
 * The draw depends on the values and the seed, not on row numbers; copies are drawn separately. The
 * same values give the same draw as floats, doubles and sparse rows. PEN_NOT_FINITE. Cost: one pass
 * over the values, 16 bytes a row. */
pen_status pen_data_sample(pen_run *run, const pen_data *data, int64_t most, uint64_t seed,
                           int64_t **rows, int64_t *count);

/* z [count x r], in scratch memory: the first r values of these rows of from [. x k]. */
pen_status pen_rows_pick(pen_run *run, const double *from, int64_t k, int64_t r, int64_t count,
                         const int64_t *rows, double **z);

/* The values, labels and groups of rows [count], in scratch memory. out may be data. */
pen_status pen_data_pick(pen_run *run, const pen_data *data, int64_t count, const int64_t *rows,
                         pen_data *out);

#endif
