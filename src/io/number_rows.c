/* number_rows.c - small files, row by row. */
#include "io/number_rows.h"

#include "io/table/kinds.h"
#include "io/text/text_job.h"
#include "io/text/text_table.h"

#include <stdio.h>

const char *pen_number_place(const pen_number_rows *r, int64_t j, char text[PEN_PLACE_SIZE])
{
    if (!r->npy.values)
        snprintf(text, PEN_PLACE_SIZE, "%s:%lld:%lld", r->name, (long long)r->line,
                 (long long)j + 1);
    else if (r->row > 0)
        snprintf(text, PEN_PLACE_SIZE, "%s: %s %lld, column %lld (counted from 0)", r->name,
                 r->row_name, (long long)r->row - 1, (long long)j);
    else
        snprintf(text, PEN_PLACE_SIZE, "%s", r->name);
    return text;
}

/* ---- text ---- */

/* Read the line at the cursor and move to the next. */
static pen_status read_line(pen_number_rows *r)
{
    char place[PEN_PLACE_SIZE];
    enum pen_follows then;
    int64_t count = 0;
    pen_cell cell;

    r->line = r->at.line;
    do {
        then = pen_next_cell(&r->at, &cell);
        if (then == PEN_MALFORMED)
            return pen_malformed(r->run, r->name, &r->at);
        if (count < r->columns) {
            r->cells[count].cell = cell;
            r->cells[count].whole = pen_whole_of_text(cell.text, &r->cells[count].value);
        }
        count++;
    } while (then == PEN_CELL);
    r->is_blank = r->blank_rows && count == 1 && cell.text.length == 0;
    for (; r->is_blank && count < r->columns; count++)
        r->cells[count] = r->cells[0];
    PEN_REQUIRE(r->run, count == r->columns, PEN_BAD_FORMAT,
                "%s: expected %lld cells, as in line %lld, got %lld",
                pen_number_place(r, pen_min(count, r->columns), place), (long long)r->columns,
                (long long)r->first_line, (long long)count);
    return PEN_OK;
}

/* Does the line consist of words in place of numbers? */
static int is_header(const pen_number_rows *r)
{
    double number;

    for (int64_t j = 0; j < r->columns; j++) {
        const pen_text text = r->cells[j].cell.text;
        if (pen_is_missing(text) || pen_number_is(text.start, text.length, &number))
            return 0;
    }
    return 1;
}

pen_status pen_number_rows_begin(pen_number_rows *r)
{
    if (!pen_next_line(&r->at)) {
        r->at.p = r->at.end;
        return PEN_OK;
    }
    pen_cursor ahead = r->at;
    r->first_line = r->at.line;
    r->columns = pen_count_cells(&ahead);
    if (r->columns == 0)
        return pen_malformed(r->run, r->name, &ahead);
    r->most = pen_most_rows(&r->at, r->columns);
    PEN_TRY(PEN_NEW(r->run, r->cells, r->columns));
    return read_line(r);
}

static pen_status open_text(const pen_input *input, pen_number_rows *r)
{
    PEN_TRY(pen_check_letters(r->run, input, 1));
    r->at = pen_text_open(input, NULL);
    r->at.delimiter = pen_find_delimiter(r->at);
    const pen_cursor first = r->at;
    PEN_TRY(pen_number_rows_begin(r));
    if (!is_header(r))
        r->at = first;
    pen_cursor ahead = r->at;
    r->most = pen_next_line(&ahead) ? r->most : 0;
    return PEN_OK;
}

/* ---- npy ---- */

static size_t index_of(const pen_number_rows *r, int64_t j)
{
    const int64_t i = r->row - 1;
    return (size_t)(r->npy.fortran ? j * r->npy.rows + i : i * r->npy.cols + j);
}

static pen_status open_npy(const pen_input *input, pen_number_rows *r)
{
    PEN_TRY(pen_npy_open(r->run, input, &r->npy));
    PEN_REQUIRE(r->run, r->npy.kind != 'b', PEN_BAD_FORMAT,
                "%s: must be integers, or whole floats, got the dtype b1", r->name);
    PEN_TRY(pen_npy_fits(r->run, input, &r->npy));
    r->columns = r->npy.cols;
    r->most = r->npy.rows;
    return PEN_NEW(r->run, r->cells, r->columns);
}

/* ---- both ---- */

pen_status pen_number_rows_open(const pen_input *input, pen_number_rows *r)
{
    const int is_text = pen_is_text(input);

    r->name = input->name;
    PEN_TRY(pen_refuse_kind(r->run, input, NULL));
    if (pen_npy_is(input) || (pen_has_extension(r->name, ".npy") && (input->size == 0 || !is_text)))
        return open_npy(input, r); /* which tells what is wrong */
    PEN_REQUIRE(r->run, is_text, PEN_BAD_FORMAT, "%s: the content is neither text nor npy",
                r->name);
    return open_text(input, r);
}

static int has_more(pen_number_rows *r)
{
    pen_cell cell;

    if (r->npy.values)
        return r->row < r->npy.rows;
    if (!r->blank_rows)
        return pen_next_line(&r->at);
    while (r->at.p < r->at.end && *r->at.p == r->at.comment && r->at.comment != '\n')
        pen_next_cell(&r->at, &cell);
    return r->at.p < r->at.end;
}

pen_status pen_number_rows_next(pen_number_rows *r, int *more)
{
    *more = has_more(r);
    if (!*more)
        return PEN_OK;
    r->row++;
    if (!r->npy.values)
        return read_line(r);
    for (int64_t j = 0; j < r->columns; j++)
        r->cells[j].whole = pen_npy_whole(&r->npy, index_of(r, j), &r->cells[j].value);
    return PEN_OK;
}

pen_text pen_number_text(const pen_number_rows *r, int64_t j, char room[PEN_NUMBER_SIZE])
{
    if (!r->npy.values)
        return r->cells[j].cell.text;
    pen_npy_text(&r->npy, index_of(r, j), room);
    return pen_text_of(room);
}

pen_status pen_number_take(const pen_number_rows *r, int64_t j, pen_text *out)
{
    return pen_text_take(r->run, r->name, r->cells[j].cell, r->line, j + 1, out);
}

pen_status pen_number_refuse(const pen_number_rows *r, int64_t j, pen_status code, const char *rule,
                             const char *more)
{
    char room[PEN_NUMBER_SIZE], quoted[PEN_QUOTE_SIZE], place[PEN_PLACE_SIZE];

    return pen_fail(r->run, code, "%s: %s, got \"%s\"%s", pen_number_place(r, j, place), rule,
                    pen_quote(pen_number_text(r, j, room), quoted), more);
}
