/* cell_grid.h - the cells of small files such as pairs, folds and labels: text or npy. */
#ifndef PEN_CELL_GRID_H
#define PEN_CELL_GRID_H

#include "core/number.h"
#include "io/numpy/npy.h"
#include "io/text/cells.h"

typedef struct pen_cell_grid {
    pen_run *run;
    const char *name;     /* of the file */
    const char *row_name; /* the word for a row of an array, in messages */
    int blank_rows;       /* a blank line is a row of empty cells; 0: it is skipped */
    int64_t columns;      /* as in the first line that is not blank; 0: no such line */
    int64_t rows;
    pen_npy array;      /* if there are no lines, its values are the cells */
    pen_text *cells;    /* [rows x columns] the cells of lines, in scratch memory */
    int64_t *lines;     /* [rows] line numbers; NULL: an array */
    int64_t first_line; /* the number of the first line that is not blank */
} pen_cell_grid;

/* Reads `input`, which must outlive the grid. The caller has set run, row_name and blank_rows. The
 * content decides the format, or the extension if the file is empty or has neither format. A first
 * line of words is a header.
 * PEN_BAD_FORMAT: a row has another number of cells, or quotes are malformed. */
pen_status pen_cell_grid_read(const pen_input *input, pen_cell_grid *grid);

/* Reads the lines of a text from the cursor on; the cursor knows the delimiter. The caller has also
 * set name, and columns unless the first line decides. */
pen_status pen_cell_grid_read_lines(pen_cell_grid *grid, pen_cursor at);

/* A cell as a whole number, and as text; `room` holds the text of a number in an array. */
enum pen_whole pen_cell_whole(const pen_cell_grid *grid, int64_t row, int64_t j, int64_t *value);
pen_text pen_cell_text(const pen_cell_grid *grid, int64_t row, int64_t j,
                       char room[PEN_NUMBER_SIZE]);

/* The beginning of a message about a cell: file:line:column, or the row and column of an array. Row
 * -1 is the first line, or the array. */
enum { PEN_PLACE_SIZE = sizeof(((pen_error *)NULL)->message) };
const char *pen_cell_place(const pen_cell_grid *grid, int64_t row, int64_t j,
                           char text[PEN_PLACE_SIZE]);

/* The error for a cell: its place, the rule, the cell, and `more`. */
pen_status pen_cell_refuse(const pen_cell_grid *grid, int64_t row, int64_t j, pen_status code,
                           const char *rule, const char *more);

#endif
