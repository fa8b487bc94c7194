/* neighbor_rows.h - the rows of other blocks from which those of one are reconstructed. */
#ifndef NEIGHBOR_ROWS_H
#define NEIGHBOR_ROWS_H

#include "args.h"

typedef struct neighbor_rows {
    int64_t count;
    int64_t *wanted; /* [count x 2] block and row */
    double *values;  /* [count x d] */
    pen_data data;
} neighbor_rows;

/* Check that --with and --with-block are given as often as each other, and that blocks have
 * numbers. Returns CLI_OK or the exit status, with the error printed, as below. */
int neighbor_rows_flags(const cli_args *args);

/* Read them from the files that --with names, one file in memory at a time; those that no row is
 * wanted of are left alone. Free with neighbor_rows_free in any case. */
int neighbor_rows_read(const cli_args *args, const pen_spec *spec, const pen_stats *lists,
                       int64_t block, const pen_read_options *options, neighbor_rows *out);
void neighbor_rows_free(neighbor_rows *rows);

#endif
