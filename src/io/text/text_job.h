/* text_job.h - the state of reading a text table: its layout and its errors. */
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
    const pen_read_options *given; /* the options before the lines were examined */
    pen_table *table;
    pen_value_rules rules;
    pen_cursor at;
    pen_cursor first; /* the first row */
    pen_cell *top;    /* [top_count] the cells of the first line */
    int64_t top_count;
    int64_t columns;  /* cells of a row */
    pen_text *header; /* [columns], or NULL */
    pen_columns roles;
    int is_fast;                       /* the fast path for numbers applies */
    pen_text *texts[PEN_COLUMN_ROLES]; /* [rows x columns of that role], or NULL */
    pen_text *classes;                 /* NULL, or the names of the label columns of classes */
    int is_block;                      /* a block, which may have no rows left */
} pen_text_job;

/* Sets *how, the options of the job: the lines to read and the delimiter, as in the file of the
 * model, if there is one and the first line does not fit it without them. */
pen_status pen_text_layout(pen_text_job *job, const pen_input *input, pen_read_options *how);

/* Decides the layout from the first lines and moves job->at to the first row. */
pen_status pen_text_decide(pen_text_job *job, const pen_input *input);

/* Reads the rows from job->at to its end into the table. */
pen_status pen_text_rows(pen_text_job *job, const pen_input *input);

/* The characters of a text cell: in place or, if it has escaped quotes, unescaped in scratch
 * memory. PEN_BAD_FORMAT: it contains a NUL byte. */
pen_status pen_text_take(pen_run *run, const char *name, pen_cell cell, int64_t line,
                         int64_t column, pen_text *out);

/* Transposes the lines from the cursor on, in scratch memory. All lines must have as many cells as
 * the second one; the first may lack the name of the first column. */
pen_status pen_text_transpose(pen_run *run, const pen_cursor *at, const char *name, char delimiter,
                              pen_input *out);

/* Determines the number of columns, detects a header, and moves to the first row. */
pen_status pen_text_first_line(pen_text_job *job);

/* The error for a cell that is not a value: a word in a column of numbers; a column of words, with
 * the command that converts all such columns to numbers; or a line of units. */
pen_status pen_text_refuse(const pen_text_job *job, int64_t line, int64_t column, pen_text cell);

/* Extends the error for a duplicate name: the line may not be a header. */
pen_status pen_text_refuse_names(const pen_text_job *job);

/* The error for a row of `count` cells. */
pen_status pen_text_refuse_width(const pen_text_job *job, const pen_cursor *row, int64_t count);

#endif
