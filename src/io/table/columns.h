/* columns.h - assigns the columns of a file: values, labels, groups, row names, carried text, or
 * left out. */
#ifndef PEN_COLUMNS_H
#define PEN_COLUMNS_H

#include "io/table/roles.h"

/* Give each of `count` columns its role. `header` [count] may be NULL.
 * is_text 0: an array, whose columns are values or left out.
 * PEN_UNKNOWN_NAME: a column that the options name does not exist.
 * PEN_BAD_FORMAT: an option names two columns; or a value column has the name of another column,
 * blanks around it aside (`twice`).
 * PEN_BAD_ARGUMENT: a column has two roles.
 * PEN_BAD_DATA: no values are left. */
pen_status pen_columns_assign(pen_run *run, const char *name, const pen_text *header, int64_t count,
                              const pen_read_options *options, int is_text, pen_columns *out);

/* The names of the columns of one role, by position, in scratch memory: column0, column1, ..
 * without a header. */
pen_status pen_columns_names(pen_run *run, const pen_columns *all, enum pen_role role,
                             pen_text **out);

/* Stores names and numbers of the columns in the table, and the reading with these options. */
pen_status pen_columns_describe(pen_run *run, const pen_read_options *options,
                                const pen_columns *columns, pen_table *table);

#endif
