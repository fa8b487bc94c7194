/* transpose_text.c - transposes a text whose columns are rows, such as a table of genes by
 * cells. */
#include "io/text/text_job.h"

/* The cells of a text, line by line. */
struct cells {
    pen_cell *list; /* [lines x width] */
    int64_t lines, width;
};

/* A first line may lack the name of the first column. */
static pen_status read_cells(pen_run *run, const char *name, pen_cursor at, struct cells *out)
{
    pen_cursor ahead = at;
    int64_t first = 0;

    while (pen_next_line(&ahead)) {
        const int64_t line = ahead.line, count = pen_count_cells(&ahead);
        if (count == 0)
            return pen_malformed(run, name, &ahead);
        first = out->lines == 0 ? count : first;
        out->width =
            out->lines == 0 || (out->lines == 1 && count == first + 1) ? count : out->width;
        PEN_REQUIRE(run, count == out->width, PEN_BAD_FORMAT,
                    "%s:%lld: expected %lld cells, as in the lines above, got %lld", name,
                    (long long)line, (long long)out->width, (long long)count);
        out->lines++;
    }
    PEN_REQUIRE(run, out->lines > 0, PEN_BAD_DATA, "%s: no rows, only blank lines", name);
    PEN_TRY(PEN_NEW(run, out->list, pen_times(out->lines, out->width)));
    for (int64_t i = 0; i < out->lines && pen_next_line(&at); i++)
        for (int64_t j = 0; j < out->width; j++)
            if (i == 0 && j == 0 && first < out->width)
                out->list[0] = (pen_cell){ .text = pen_text_of("") };
            else
                pen_next_cell(&at, &out->list[i * out->width + j]);
    return PEN_OK;
}

/* Writes a cell, quoted if it was, with inner quotes doubled. alone: the only cell of its line,
 * which must not be blank. */
static char *put(char *to, pen_cell cell, int alone)
{
    const int quotes = cell.quoted || (cell.text.length > 0 ? *cell.text.start == '"' : alone);

    if (quotes)
        *to++ = '"';
    for (size_t i = 0; i < cell.text.length; i++) {
        *to++ = cell.text.start[i];
        if (!cell.quoted && *cell.text.start == '"' && cell.text.start[i] == '"')
            *to++ = '"';
    }
    if (quotes)
        *to++ = '"';
    return to;
}

pen_status pen_text_transpose(pen_run *run, const pen_cursor *at, const char *name, char delimiter,
                              pen_input *out)
{
    struct cells cells = { .list = NULL };
    char *text, *to;
    int64_t size = 1;

    PEN_TRY(read_cells(run, name, *at, &cells));
    for (int64_t e = 0; e < cells.lines * cells.width; e++)
        size += (int64_t)cells.list[e].text.length * 2 + 3;
    PEN_TRY(PEN_NEW(run, text, size));
    to = text;
    for (int64_t j = 0; j < cells.width; j++)
        for (int64_t i = 0; i < cells.lines; i++) {
            to = put(to, cells.list[i * cells.width + j], cells.lines == 1);
            *to++ = i + 1 < cells.lines ? delimiter : '\n';
        }
    *out = (pen_input){ .name = name, .data = (unsigned char *)text, .size = (size_t)(to - text) };
    return PEN_OK;
}
