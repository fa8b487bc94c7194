/* text_job.h - a table of text that is read: what its lines are, and what is wrong with them. */
#ifndef PEN_TEXT_JOB_H
#define PEN_TEXT_JOB_H

#include "io/table/cell_value.h"
#include "io/table/columns.h"
#include "io/table/row_table.h"
#include "io/text/cells.h"

typedef struct pen_text_job {
    pen_run *run;
    const char *name;
    const pen_read_options *options;
    const pen_read_options *given; /* what they were before the lines were looked at */
    pen_table *table;
    pen_value_rules rules;
    pen_cursor at;
    pen_cursor first; /* at the first row */
    pen_cell *top;    /* [top_count] the cells of the first line */
    int64_t top_count;
    int64_t columns;  /* cells of a row */
    pen_text *header; /* [columns], or NULL */
    pen_columns roles;
    int is_fast;                       /* numbers need no second look */
    pen_text *texts[PEN_COLUMN_ROLES]; /* [rows x columns of that role], or NULL */
    pen_text *classes; /* NULL, or the names of several label columns, one for each class */
    int is_block;      /* there may be no rows left: others follow */
} pen_text_job;

/* Sets which lines are read, and by which delimiter, in *how, the options of the job, as in the
 * file of a model, if there is one and the text does not look otherwise. */
pen_status pen_text_layout(pen_text_job *job, const pen_input *input, pen_read_options *how);

/* What the lines are, found from the first ones: job->at is then at the first row. */
pen_status pen_text_decide(pen_text_job *job, const pen_input *input);

/* The rows from job->at to its end, into the table. */
pen_status pen_text_rows(pen_text_job *job, const pen_input *input);

/* The characters of a cell that is kept as text: in place or, if it contains escaped quotes,
 * unescaped in scratch memory. PEN_BAD_FORMAT: it contains a NUL byte. */
pen_status pen_text_take(pen_run *run, const char *name, pen_cell cell, int64_t line,
                         int64_t column, pen_text *out);

/* The lines from the cursor on as columns, in scratch memory. Lines must have as many cells as the
 * second one, but for the first, in which the name of the first column may lack. */
pen_status pen_text_transpose(pen_run *run, const pen_cursor *at, const char *name, char delimiter,
                              pen_input *out);

/* Determine the number of columns and whether there is a header, and go to the first row. */
pen_status pen_text_first_line(pen_text_job *job);

/* The error for a cell that is no value: a word in a column of numbers; a column of words, with the
 * line that makes numbers of all of them; or a line of units. */
pen_status pen_text_refuse(const pen_text_job *job, int64_t line, int64_t column, pen_text cell);

/* More of the error for two columns of one name: the line may be one that names none. */
pen_status pen_text_refuse_names(const pen_text_job *job);

/* The error for a row of `count` cells. */
pen_status pen_text_refuse_width(const pen_text_job *job, const pen_cursor *row, int64_t count);

#endif
