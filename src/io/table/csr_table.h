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
    int64_t count; /* the most entries, which come row by row, by column, each place once; 0: any
                    * order, and entries at the same place are added */
    int symmetric; /* 1: an entry also stands for its mirror place; -1: with opposite sign */
    pen_dtype dtype;
    const pen_row_texts *texts; /* as in pen_table_treat */
    /* Passes every entry to pen_take_entry. Called twice for sparse entries in any order. */
    pen_status (*walk)(pen_run *run, void *context, pen_entry_table *to);
    void *context;
} pen_entries;

/* The most bytes that a file of this size may claim for dense rows, or for one double per row or
 * column of sparse rows: a typo in one index must not exhaust memory. */
int64_t pen_most_room(const pen_input *input);

/* Fills the table, without the columns that the options leave out, and treats missing values by the
 * options. The mean of a column includes its zeros.
 * PEN_BAD_FORMAT: an index out of range.
 * PEN_BAD_DATA: no rows, no columns, or 2^31 sparse columns or more. */
pen_status pen_table_entries(pen_run *run, const pen_input *input, const pen_read_options *options,
                             const pen_entries *entries, pen_table *table);

/* Are entries only counted, without their values? */
int pen_is_counting(const pen_entry_table *to);

/* Is the value of an entry used? It is not if entries are only counted, or the column, which must
 * exist in the file, is dropped. */
int pen_wants_value(const pen_entry_table *to, int64_t column);

pen_status pen_take_entry(pen_entry_table *to, int64_t row, int64_t column, double value);

#endif
