/* row_table.h - building a table: its memory, its texts, its missing values. */
#ifndef PEN_ROW_TABLE_H
#define PEN_ROW_TABLE_H

#include "core/rows.h"
#include "io/table/file_input.h"

/* An empty table; pen_table_free frees it with all memory kept for it. */
pen_status pen_table_new(pen_run *run, pen_table **out);

/* Zeroed memory that lives as long as the table, `count` elements of `size` bytes. NULL if out of
 * memory (the error is recorded in the run). */
void *pen_table_keep(pen_run *run, pen_table *table, int64_t count, size_t size);

/* The same for rows x cols values of that type. The error names the input and the memory limit. A
 * larger request is refused even if the system would overcommit. */
void *pen_table_rows(pen_run *run, const pen_input *input, pen_table *table, int64_t rows,
                     int64_t cols, pen_dtype dtype);

/* PEN_BAD_DATA: a shape without columns or, unless the options allow it, without rows; or the
 * numbers of columns and names differ. */
pen_status pen_check_shape(pen_run *run, const pen_input *input, const pen_read_options *options,
                           int64_t rows, int64_t cols);

/* Give the table ownership of the bytes of a file. */
void pen_table_keep_bytes(pen_table *table, pen_bytes *bytes);

/* NUL-terminated copies of texts [count] that live as long as the table. */
pen_status pen_table_keep_texts(pen_run *run, pen_table *table, const pen_text *texts,
                                int64_t count, char ***out);

/* Counts NaN values. PEN_BAD_FORMAT: infinite values, and NaN unless the options allow it; the
 * message has the column's number in the file, if the table knows it. */
pen_status pen_table_holes(pen_run *run, const pen_input *input, const pen_read_options *options,
                           const pen_table *table, int64_t *holes);

/* Texts of rows, [rows x each]; NULL: no texts. */
typedef struct pen_row_texts {
    pen_text *texts;
    int64_t each;
} pen_row_texts;

/* Treats the missing values of a table by the options. The table is dense with stride = cols, or
 * sparse; means then include zeros that are not stored. If any value is missing, the table must own
 * its values. texts: NULL, or lists to reorder like table->row_numbers, ended by each = 0. In a
 * block, all rows may be dropped. */
pen_status pen_table_treat(pen_run *run, const pen_input *input, const pen_read_options *options,
                           int is_block, pen_table *table, const pen_row_texts *texts);

#endif
