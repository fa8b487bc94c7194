/* cells.h - the cells of a text and their delimiter. */
#ifndef PEN_CELLS_H
#define PEN_CELLS_H

#include "io/table/file_input.h"

/* A position in the text. */
typedef struct pen_cursor {
    const char *p, *end;
    int64_t line;   /* 1 .. */
    int64_t column; /* of the next cell, 1 .. */
    char delimiter; /* '\n': none, each line is one cell */
    char comment;   /* begins a comment, up to the end of the line; '\n': there are none */
} pen_cursor;

typedef struct pen_cell {
    pen_text text;
    int quoted;
    int escaped; /* quoted, with "" for each quote */
} pen_cell;

/* A cell is followed by another cell, the end of the line, or has an error in its quotes. */
enum pen_follows { PEN_CELL, PEN_LINE, PEN_MALFORMED };

/* The start of a text, after a byte order mark and the lines that the options (may be NULL) skip.
 * The caller sets the delimiter. */
pen_cursor pen_text_open(const pen_input *input, const pen_read_options *options);

/* Go to the next line that is not blank. Returns 0 at the end of the text. */
int pen_next_line(pen_cursor *at);

/* The next cell of the line. PEN_MALFORMED: `at` has the line and column of the cell; at->p is at
 * the end of the text if the closing quote is missing, otherwise after the closing quote. */
enum pen_follows pen_next_cell(pen_cursor *at, pen_cell *cell);

/* The fast path: a number with a decimal point, followed by a delimiter or the end of the line.
 * PEN_MALFORMED: the cell is anything else, and the cursor does not move. */
enum pen_follows pen_next_number(pen_cursor *at, double *value);

/* Counts the cells of the line at the cursor and moves to the next line; 0 if it is malformed. */
int64_t pen_count_cells(pen_cursor *at);

/* The cells of up to `most` next lines, the last of which begins within these bytes. */
typedef struct pen_sample {
    pen_cursor at, line; /* after the cell; at the first cell of its line */
    const char *begin;
    enum pen_follows then; /* PEN_MALFORMED: no cell is given, and none follows */
    int64_t most, bytes;
    int64_t lines, column; /* lines so far; the position of the cell in its line, from 0 */
} pen_sample;

enum { PEN_SAMPLE_LINES = 8, PEN_SAMPLE_BYTES = 1 << 16 };
pen_sample pen_sample_of(pen_cursor at, int64_t most, int64_t bytes);

/* The next cell of a sample; 0: the end. */
int pen_sample_next(pen_sample *sample, pen_cell *cell);

/* The error for PEN_MALFORMED at the cursor. */
pen_status pen_malformed(pen_run *run, const char *name, const pen_cursor *at);

/* An upper bound of the number of rows from the cursor on. */
int64_t pen_most_rows(const pen_cursor *at, int64_t columns);

/* The delimiter that fits the first lines best, and the decimal sign, '.' or ','. */
char pen_find_delimiter(pen_cursor at);
char pen_find_decimal(pen_cursor at);

#endif
