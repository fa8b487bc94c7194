/* csr_table.h - tables from the entries (row, column, value) of files: sparse rows (CSR), or dense
 * ones that are 0 where there is no entry. */
#ifndef PEN_CSR_TABLE_H
#define PEN_CSR_TABLE_H

#include "io/table/row_table.h"

/* Where entries go. */
typedef struct pen_entry_table pen_entry_table;

/* The entries of a file. */
typedef struct pen_entries {
    int64_t rows, cols;
    int is_dense;  /* 1: the rows become dense, in double precision */
    int64_t count; /* row by row, in the order of the columns, each place once: at most this many
                    * entries; 0: in any order, and those of one place are added */
    int symmetric; /* 1: an entry is also that of its mirror place; -1: with the other sign */
    pen_dtype dtype;
    const pen_row_texts *texts; /* as of pen_table_treat */
    /* Passes every entry to pen_take_entry. Called twice for entries that are sparse and in any
     * order. */
    pen_status (*walk)(pen_run *run, void *context, pen_entry_table *to);
    void *context;
} pen_entries;

/* The most bytes that dense rows, or one double for each column or row of sparse ones, may take by
 * what a file of this size says: a typo in one index must not exhaust memory. */
int64_t pen_most_room(const pen_input *input);

/* Fills the table, without the columns that the options leave out; missing values are treated as
 * the options say: the mean of a column is that of all its other values, also 0.
 * PEN_BAD_FORMAT: an index out of range.
 * PEN_BAD_DATA: no rows, no columns, or 2^31 sparse columns or more. */
pen_status pen_table_entries(pen_run *run, const pen_input *input, const pen_read_options *options,
                             const pen_entries *entries, pen_table *table);

/* Are entries only counted, whatever their values are? */
int pen_is_counting(const pen_entry_table *to);

/* Is the value of an entry used? Not where entries are counted, or the column, which must be one of
 * the file, is dropped. */
int pen_wants_value(const pen_entry_table *to, int64_t column);

pen_status pen_take_entry(pen_entry_table *to, int64_t row, int64_t column, double value);

#endif
