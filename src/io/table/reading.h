/* reading.h - how rows are read: a table records it, a model stores it, later files follow it. */
#ifndef PEN_READING_H
#define PEN_READING_H

#include "io/table/roles.h"

/* Signs that may separate cells, and signs that may begin a comment. */
#define PEN_DELIMITERS    ",;\t !#$%&()*/:<=>?@[\\]^_`{|}~"
#define PEN_COMMENT_SIGNS "!#$%&*/:<=>?@\\^_`{|}~"

/* Sets table->reading for a file read with these options. */
pen_status pen_reading_tell(pen_run *run, const pen_read_options *options, const pen_columns *all,
                            pen_table *table);

/* Completes the options from the record of options->model, in scratch memory; texts of missing
 * values are joined. */
pen_status pen_reading_recall(pen_run *run, const pen_read_options *given, pen_read_options *out);

/* The same for a file of labels: only the texts that mean unlabelled. */
pen_status pen_reading_recall_marks(pen_run *run, const pen_read_options *given,
                                    pen_read_options *out);

/* The record of a text's lines. */
typedef struct pen_fit_lines {
    int is_known; /* 0: no record */
    int64_t columns;
    char delimiter; /* '\0': not given */
    int64_t skip;
    int transpose;
} pen_fit_lines;
pen_status pen_reading_lines(pen_run *run, const pen_model *model, pen_fit_lines *out);

/* Was an ambiguous first line a header (1) or a row (-1) in the fit? 0: unknown. */
pen_status pen_reading_header(pen_run *run, const pen_read_options *options, int *header);

/* Assigns roles to the columns that were not values in the file of the fit, if this file has them;
 * columns that the options name keep their roles. is_text 0: an array. */
pen_status pen_reading_columns(pen_run *run, const pen_read_options *options, int is_text,
                               pen_columns *all);

#endif
