/* matrix_market.h - Matrix Market files, coordinate and array. */
#ifndef PEN_MATRIX_MARKET_H
#define PEN_MATRIX_MARKET_H

#include "io/csr_table.h"

/* What the first lines say. */
typedef struct pen_market {
    int coordinate, pattern;
    int symmetric; /* 1, -1: only the lower triangle is written; 0 */
    int64_t rows, cols, count;
    const char *at; /* what follows the line of sizes */
    int64_t line;   /* its number */
} pen_market;

pen_status pen_market_open(pen_run *run, const pen_input *input, pen_market *out);

/* Reads the values into the table; transposed: columns of the matrix are the rows of the table.
 * texts and column_names are those of the table. */
pen_status pen_market_table(pen_run *run, const pen_input *input, const pen_read_options *options,
                            const pen_market *market, int transposed, const pen_row_texts *texts,
                            const pen_text *column_names, pen_table *table);

#endif
