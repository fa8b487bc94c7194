/* dense_rows.h - tables of dense rows from files whose rows have names and labels beside them. */
#ifndef PEN_DENSE_ROWS_H
#define PEN_DENSE_ROWS_H

#include "io/columns.h"
#include "io/csr_table.h"

/* A matrix that a file holds. */
typedef struct pen_dense_source {
    int64_t rows, cols;
    pen_dtype dtype;
    /* Loads values [count x cols] of rows first .. first + count - 1, of that type. */
    pen_status (*load)(pen_run *run, void *context, int64_t first, int64_t count, void *values);
    void *context;
    int64_t block;                /* rows to load at a time; 0: as many as make some megabytes */
    int is_block;                 /* there may be no rows left: others follow */
    const pen_text *column_names; /* [cols] or NULL */
} pen_dense_source;

/* Fills the table with dense rows, without the columns that the options leave out; missing values
 * are treated as the options say. Blocks of rows are loaded in order.
 * PEN_BAD_DATA: no rows or no columns. PEN_BAD_FORMAT: infinite or missing values. */
pen_status pen_table_dense(pen_run *run, const pen_input *input, const pen_read_options *options,
                           const pen_dense_source *source, const pen_row_texts *texts,
                           pen_table *table);

#endif
