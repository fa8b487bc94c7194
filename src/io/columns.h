/* columns.h - which columns of a file are values, labels, row names, kept as text, or left out. */
#ifndef PEN_COLUMNS_H
#define PEN_COLUMNS_H

#include "io/io.h"

enum pen_role {
    PEN_COLUMN_VALUE,
    PEN_COLUMN_LABEL,
    PEN_COLUMN_GROUP,
    PEN_COLUMN_ROW_NAME,
    PEN_COLUMN_CARRIED,
    PEN_COLUMN_DROPPED,
    PEN_COLUMN_LEFT_OUT, /* not selected */
    PEN_COLUMN_ROLES
};

/* Arrays are in scratch memory. */
typedef struct pen_columns {
    int64_t count;                    /* columns of the file */
    const pen_text *header;           /* [count] or NULL */
    unsigned char *roles;             /* [count] of enum pen_role */
    int64_t *places;                  /* [count] the index among the columns of that role */
    int64_t number[PEN_COLUMN_ROLES]; /* of columns of each role */
    int index_dropped; /* 1: the first column has no name, and is not read; others have them */
    int unnamed;       /* 1: names of values are ignored */
    int twice;         /* 1: refused, for two columns of one name */
} pen_columns;

/* Give each of `count` columns its role. `header` [count] may be NULL.
 * PEN_UNKNOWN_NAME: a column that the options name does not exist.
 * PEN_BAD_FORMAT: a text is the name of two columns; or two have one name, but for blanks around
 * it, and one of them is a value (`twice`).
 * PEN_BAD_ARGUMENT: a column has two roles.
 * PEN_BAD_DATA: no values are left. */
pen_status pen_columns_assign(pen_run *run, const char *name, const pen_text *header, int64_t count,
                              const pen_read_options *options, pen_columns *out);

/* The names of the columns of one role, by their places, in scratch memory. A column without a name
 * is called by its number. */
pen_status pen_columns_names(pen_run *run, const pen_columns *all, enum pen_role role,
                             pen_text **out);

/* The names and numbers of the columns, as members of the table. */
pen_status pen_columns_describe(pen_run *run, const pen_columns *columns, pen_table *table);

#endif
