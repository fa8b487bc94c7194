/* label_group.h - labels as a group of columns, of which each row has a 1 in that of its class. */
#ifndef PEN_LABEL_GROUP_H
#define PEN_LABEL_GROUP_H

#include "io/columns.h"

/* What the cells of a row are so far. */
typedef struct pen_indicators {
    int64_t ones, missing;
    int64_t place; /* of the last 1 */
} pen_indicators;

/* The names of the classes [columns of labels], in scratch memory. PEN_BAD_FORMAT: two are
 * equal. */
pen_status pen_label_group_open(pen_run *run, const char *name, const pen_columns *columns,
                                const pen_text **names);

/* Add a cell: 1, 0, TRUE, FALSE, or a missing value. PEN_BAD_FORMAT: anything else; the message
 * begins with file:line:column. */
pen_status pen_label_group_add(pen_run *run, const char *name, int64_t line, int64_t column,
                               pen_text cell, int64_t place, const pen_value_rules *rules,
                               pen_indicators *row);

/* The class of the row, empty if all its cells are missing. PEN_BAD_FORMAT: not exactly one is 1;
 * the message begins with file:line. */
pen_status pen_label_group_class(pen_run *run, const char *name, int64_t line,
                                 const pen_text *names, int64_t count, const pen_indicators *row,
                                 pen_text *out);

#endif
