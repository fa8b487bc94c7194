/* csr_table.h - tables of sparse rows (CSR) from the sparse matrices of files. */
#ifndef PEN_CSR_TABLE_H
#define PEN_CSR_TABLE_H

#include "io/io.h"

/* The entries of a sparse matrix in a file: those of row i (by_columns: of column i) are starts[i]
 * .. starts[i + 1] - 1, in any order, several of one place to be added. */
typedef struct pen_entries {
    int64_t rows, cols, count;
    int by_columns;
    int symmetric; /* 1: an entry is also that of its mirror place; -1: with the other sign */
    pen_dtype dtype;
    const int64_t *starts; /* [rows + 1], or [cols + 1]; ascending from 0 to count; NULL: entries
                            * are in any order */
    /* Loads entries first .. first + count - 1: the index of the column (by_columns: of the row),
     * and the value, unless `values` is NULL; without starts, also the row. Called for blocks of at
     * most PEN_ENTRIES in order, all of them twice. */
    pen_status (*load)(pen_run *run, void *context, int64_t first, int64_t count, int64_t *rows,
                       int64_t *indices, double *values);
    void *context;
} pen_entries;

enum { PEN_ENTRIES = 1 << 16 };

/* Fills the table with sparse rows, without the columns that the options leave out; missing values
 * are treated as the options say: the mean of a column is that of all its other values, also 0.
 * PEN_BAD_FORMAT: an index out of range.
 * PEN_BAD_DATA: no rows, no columns, or 2^31 columns or more.
 * Memory: the entries once more where they are by columns. */
pen_status pen_table_sparse(pen_run *run, const pen_input *input, const pen_read_options *options,
                            const pen_entries *entries, pen_table *table);

#endif
