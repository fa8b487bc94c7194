/* reading.h - how rows are read: a table tells it, a model remembers it, later files follow it. */
#ifndef PEN_READING_H
#define PEN_READING_H

#include "io/table/roles.h"

/* Signs that may be between cells, and those that may begin a comment. */
#define PEN_DELIMITERS    ",;\t !#$%&()*/:<=>?@[\\]^_`{|}~"
#define PEN_COMMENT_SIGNS "!#$%&*/:<=>?@\\^_`{|}~"

/* Sets table->reading, of a file that was read by these options. */
pen_status pen_reading_tell(pen_run *run, const pen_read_options *options, const pen_columns *all,
                            pen_table *table);

/* The options with what options->model remembers where they say nothing, in scratch memory; texts
 * of missing values are joined. */
pen_status pen_reading_recall(pen_run *run, const pen_read_options *given, pen_read_options *out);

/* Only what means unlabelled, of a file of labels. */
pen_status pen_reading_recall_marks(pen_run *run, const pen_read_options *given,
                                    pen_read_options *out);

/* What it remembers of the lines of a text. */
typedef struct pen_fit_lines {
    int is_known; /* 0: nothing */
    int64_t columns;
    char delimiter; /* '\0': none was given */
    int64_t skip;
    int transpose;
} pen_fit_lines;
pen_status pen_reading_lines(pen_run *run, const pen_model *model, pen_fit_lines *out);

/* Was a first line of which one cannot tell a header (1), a row (-1), or is it not known (0)? */
pen_status pen_reading_header(pen_run *run, const pen_read_options *options, int *header);

/* Columns that were no values in the file of the fit are none again, where this file has them; the
 * columns that the options name have their roles. is_text: 0: it is an array. */
pen_status pen_reading_columns(pen_run *run, const pen_read_options *options, int is_text,
                               pen_columns *all);

#endif
