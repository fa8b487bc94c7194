/* one_hot.h - columns of words as a column of zeros and ones for each of their categories. */
#ifndef PEN_ONE_HOT_H
#define PEN_ONE_HOT_H

#include "io/columns.h"
#include "io/words.h"

/* A column of words. */
typedef struct pen_word_column {
    int64_t column, place; /* of the file; among the value columns */
    int is_asked;          /* the caller names it */
    const char *given;     /* its name in pen_read_options.categorical, or NULL */
    pen_words words;       /* as they are compared: 1 and 1.0 are one */
} pen_word_column;

/* The columns of words of a table, in scratch memory. */
typedef struct pen_one_hot {
    pen_word_column *columns; /* [count] in the order of their places */
    int64_t count;
    int64_t *index;     /* [value columns] of columns, or -1; NULL: there are none */
    int64_t *column_of; /* [value columns] of the file */
    int is_given;       /* the categories are those of pen_read_options.categorical */
    int64_t unseen;     /* cells */
} pen_one_hot;

/* The columns whose roles say so, or those that the options give. A cell of such a column is read
 * as a code by pen_one_hot_code. PEN_BAD_DATA: the options give more columns than there are. */
pen_status pen_one_hot_open(pen_run *run, const char *name, const pen_columns *columns,
                            const pen_read_options *options, pen_one_hot *out);

/* The code of a cell: the number of its word; -1 for a word that is not among the categories given
 * and becomes zeros; NaN if it is missing. The characters are borrowed.
 * PEN_BAD_FORMAT: it is missing or unseen, where the options make that an error; the message begins
 * with file:line:column. */
pen_status pen_one_hot_code(pen_run *run, const char *name, int64_t line, pen_one_hot *one_hot,
                            const pen_columns *columns, int64_t place, pen_text cell,
                            const pen_value_rules *rules, pen_unseen unseen, double *code);

/* Replace each column of codes of table->x, which need not be the table's own, by the columns of
 * its categories: a new x, column names and numbers, and the list of categories.
 * PEN_BAD_DATA: a column that was found, not asked for, has too many different words. */
pen_status pen_one_hot_expand(pen_run *run, const pen_input *input, pen_one_hot *one_hot,
                              const pen_columns *columns, pen_table *table);

#endif
