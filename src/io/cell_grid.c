/* cell_grid.c - reads small files whole. */
#include "io/cell_grid.h"

#include "io/table/kinds.h"
#include "io/text/text_job.h"
#include "io/text/text_table.h"

#include <stdio.h>

enum pen_whole pen_cell_whole(const pen_cell_grid *g, int64_t row, int64_t j, int64_t *value)
{
    return g->lines ? pen_whole_of_text(g->cells[row * g->columns + j], value)
                    : pen_npy_whole(&g->array, pen_npy_index(&g->array, row, j), value);
}

pen_text pen_cell_text(const pen_cell_grid *g, int64_t row, int64_t j, char room[PEN_NUMBER_SIZE])
{
    return g->lines ? g->cells[row * g->columns + j]
                    : pen_text_of(pen_npy_text(&g->array, pen_npy_index(&g->array, row, j), room));
}

const char *pen_cell_place(const pen_cell_grid *g, int64_t row, int64_t j,
                           char text[PEN_PLACE_SIZE])
{
    if (g->lines)
        snprintf(text, PEN_PLACE_SIZE, "%s:%lld:%lld", g->name,
                 (long long)(row < 0 ? g->first_line : g->lines[row]), (long long)j + 1);
    else if (row < 0)
        snprintf(text, PEN_PLACE_SIZE, "%s", g->name);
    else
        snprintf(text, PEN_PLACE_SIZE, "%s: %s %lld, column %lld (counted from 0)", g->name,
                 g->row_name, (long long)row, (long long)j);
    return text;
}

pen_status pen_cell_refuse(const pen_cell_grid *g, int64_t row, int64_t j, pen_status code,
                           const char *rule, const char *more)
{
    char room[PEN_NUMBER_SIZE], quoted[PEN_QUOTE_SIZE], place[PEN_PLACE_SIZE];

    return pen_fail(g->run, code, "%s: %s, got \"%s\"%s", pen_cell_place(g, row, j, place), rule,
                    pen_quote(pen_cell_text(g, row, j, room), quoted), more);
}

/* ---- text ---- */

/* Reads the line at the cursor as the next row, and moves to the next line. */
static pen_status read_line(pen_cell_grid *g, pen_cursor *at)
{
    const int64_t row = g->rows, line = at->line;
    pen_text *const cells = g->cells + row * g->columns;
    char place[PEN_PLACE_SIZE];
    enum pen_follows then;
    int64_t count = 0;
    pen_cell cell;

    g->lines[row] = line;
    do {
        then = pen_next_cell(at, &cell);
        if (then == PEN_MALFORMED)
            return pen_malformed(g->run, g->name, at);
        if (count < g->columns)
            PEN_TRY(pen_text_take(g->run, g->name, cell, line, count + 1, &cells[count]));
        count++;
    } while (then == PEN_CELL);
    const int is_blank = g->blank_rows && count == 1 && cell.text.length == 0;
    for (; is_blank && count < g->columns; count++)
        cells[count] = cells[0];
    PEN_REQUIRE(g->run, count == g->columns, PEN_BAD_FORMAT,
                "%s: expected %lld cells, as in line %lld, got %lld",
                pen_cell_place(g, row, pen_min(count, g->columns), place), (long long)g->columns,
                (long long)g->first_line, (long long)count);
    g->rows++;
    return PEN_OK;
}

static int has_line(const pen_cell_grid *g, pen_cursor *at)
{
    pen_cell cell;

    if (!g->blank_rows)
        return pen_next_line(at);
    while (at->p < at->end && *at->p == at->comment && at->comment != '\n')
        pen_next_cell(at, &cell);
    return at->p < at->end;
}

pen_status pen_cell_grid_read_lines(pen_cell_grid *g, pen_cursor at)
{
    pen_cursor ahead = at;

    if (g->columns == 0) {
        if (!pen_next_line(&ahead))
            return PEN_OK;
        g->first_line = ahead.line;
        g->columns = pen_count_cells(&ahead);
        if (g->columns == 0)
            return pen_malformed(g->run, g->name, &ahead);
    }
    const int64_t most = pen_most_rows(&at, g->blank_rows ? 1 : g->columns);
    PEN_TRY(PEN_NEW(g->run, g->cells, pen_times(most, g->columns)));
    PEN_TRY(PEN_NEW(g->run, g->lines, most));
    while (has_line(g, &at))
        PEN_TRY(read_line(g, &at));
    return PEN_OK;
}

/* Does the first line that is not blank have only words? */
static int is_header(const pen_cell_grid *g, int64_t row)
{
    double number;

    for (int64_t j = 0; j < g->columns; j++) {
        const pen_text text = g->cells[row * g->columns + j];
        if (pen_is_missing(text) || pen_number_is(text.start, text.length, &number))
            return 0;
    }
    return 1;
}

static pen_status read_text(const pen_input *input, pen_cell_grid *g)
{
    pen_cursor at = pen_text_open(input, NULL);
    int64_t first = 0;

    PEN_TRY(pen_check_letters(g->run, input, 1));
    at.delimiter = pen_find_delimiter(at);
    PEN_TRY(pen_cell_grid_read_lines(g, at));
    while (first < g->rows && g->lines[first] < g->first_line)
        first++;
    if (g->rows == 0 || !is_header(g, first))
        return PEN_OK;
    g->cells += (first + 1) * g->columns;
    g->lines += first + 1;
    g->rows -= first + 1;
    return PEN_OK;
}

/* ---- both ---- */

static pen_status read_npy(const pen_input *input, pen_cell_grid *g)
{
    PEN_TRY(pen_npy_open(g->run, input, &g->array));
    PEN_REQUIRE(g->run, g->array.kind != 'b', PEN_BAD_FORMAT,
                "%s: must be integers, or whole floats, got the dtype b1", g->name);
    g->columns = g->array.cols;
    g->rows = g->array.rows;
    return pen_npy_fits(g->run, input, &g->array);
}

pen_status pen_cell_grid_read(const pen_input *input, pen_cell_grid *g)
{
    const int is_text = pen_is_text(input);

    g->name = input->name;
    PEN_TRY(pen_refuse_kind(g->run, input, NULL));
    if (pen_npy_is(input) || (pen_has_extension(g->name, ".npy") && (input->size == 0 || !is_text)))
        return read_npy(input, g); /* also refuses other .npy files */
    PEN_REQUIRE(g->run, is_text, PEN_BAD_FORMAT, "%s: the content is neither text nor npy",
                g->name);
    return read_text(input, g);
}
