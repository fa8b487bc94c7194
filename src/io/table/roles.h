/* roles.h - the roles of a file's columns. */
#ifndef PEN_ROLES_H
#define PEN_ROLES_H

#include "io/table/strings.h"

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
    int indexed;                      /* 1: the first column is a nameless index */
    int index_dropped;                /* 1: the index is not read; another column has row names */
    int unnamed;                      /* 1: names of values are ignored */
    int twice;                        /* 1: refused for a duplicate name */
} pen_columns;

/* A column by its name, without blanks around it. */
typedef struct pen_named {
    pen_text name;
    int64_t column;
} pen_named;

/* Compares columns by name. */
int pen_by_name(const void *a, const void *b);

/* A column with this name, blanks around it aside, among sorted columns; NULL: none. */
const pen_named *pen_find_named(const pen_named *sorted, int64_t count, const char *name);

/* Sorts the columns by name, in scratch memory. dropped: includes dropped columns. */
pen_status pen_sort_names(pen_run *run, const pen_columns *all, int dropped, pen_named **out,
                          int64_t *count);

#endif
