/* number_rows.h - small files such as pairs, folds and labels, row by row: text or npy. */
#ifndef PEN_NUMBER_ROWS_H
#define PEN_NUMBER_ROWS_H

#include "core/number.h"
#include "io/numpy/npy.h"
#include "io/table/cell_value.h"
#include "io/text/cells.h"

typedef struct pen_number {
    enum pen_whole whole;
    int64_t value; /* if it is whole */
    pen_cell cell; /* as written; of an array: pen_number_text */
} pen_number;

typedef struct pen_number_rows {
    pen_run *run;
    const char *name;     /* of the file */
    const char *row_name; /* of a row of an array, for messages */
    int blank_rows;       /* a blank line is a row of empty cells; 0: it is skipped */
    int64_t columns;      /* as in the first line that is not blank; 0: there is none */
    int64_t most;         /* there are at most this many rows; 0 only if there is none */
    int64_t row;          /* the number of rows read */
    int64_t line;         /* that of the row, or before the first row of the first line */
    int is_blank;         /* the row is a blank line */
    pen_number *cells;    /* [columns] of the row, in scratch memory */
    int64_t first_line;
    pen_cursor at;
    pen_npy npy; /* values NULL: a text */
} pen_number_rows;

/* Open the rows of `input`, which must live as long. The caller has set run, row_name and
 * blank_rows. The content decides the format; for an empty file, or one that is neither, the
 * extension. A first line of words is a header. */
pen_status pen_number_rows_open(const pen_input *input, pen_number_rows *rows);

/* Those of a text from the cursor on, which knows the delimiter; the first is read already. The
 * caller has also set name and at. */
pen_status pen_number_rows_begin(pen_number_rows *rows);

/* Read the next row, if there are more. PEN_BAD_FORMAT: another number of cells, or quotes. */
pen_status pen_number_rows_next(pen_number_rows *rows, int *more);

/* Cell j as text, of an array in `room`; of a text, as pen_text_take. */
pen_text pen_number_text(const pen_number_rows *rows, int64_t j, char room[PEN_NUMBER_SIZE]);
pen_status pen_number_take(const pen_number_rows *rows, int64_t j, pen_text *out);

/* The beginning of a message about cell j: file:line:column, or the row and column of an array. */
enum { PEN_PLACE_SIZE = sizeof(((pen_error *)NULL)->message) };
const char *pen_number_place(const pen_number_rows *rows, int64_t j, char text[PEN_PLACE_SIZE]);

/* The error for cell j: its place, the rule, the cell, and `more`. */
pen_status pen_number_refuse(const pen_number_rows *rows, int64_t j, pen_status code,
                             const char *rule, const char *more);

#endif
