/* cells.c - cuts a text into cells, as in RFC 4180 and the files of R, spreadsheets and NumPy.
 *
 * The bytes are parsed in place: a cell is a slice of them. Line breaks in quoted cells are
 * counted. */
#include "io/text/cells.h"

#include "core/number.h"

#include <math.h>
#include <string.h>

/* ---- cells ---- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* A comment ends the cells of its line. Without comments, at->comment is a line feed. */
static int is_line_end(const pen_cursor *at, char c)
{
    return c == '\n' || c == '\r' || c == at->comment;
}

/* Skip blanks next to a cell, unless they are the delimiter. */
static void skip_blanks(pen_cursor *at)
{
    while (at->p < at->end && is_blank(*at->p) && *at->p != at->delimiter)
        at->p++;
    if (at->delimiter == ' ')
        while (at->p < at->end && is_blank(*at->p))
            at->p++;
}

/* Skip the rest of a line, then CR, LF or CR LF, or nothing at the end of the text. */
static void skip_line(pen_cursor *at)
{
    while (at->p < at->end && *at->p != '\n' && *at->p != '\r')
        at->p++;
    if (at->p < at->end && *at->p == '\r')
        at->p++;
    if (at->p < at->end && *at->p == '\n')
        at->p++;
    at->line++;
    at->column = 1;
}

pen_cursor pen_text_open(const pen_input *input, const pen_read_options *options)
{
    const unsigned char *p = input->size > 0 ? input->data : (const unsigned char *)"";
    const size_t size = input->size,
                 mark = size >= 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF ? 3 : 0;

    pen_cursor at = { .p = (const char *)p + mark,
                      .end = (const char *)p + size,
                      .line = 1,
                      .column = 1,
                      .delimiter = '\n',
                      .comment = options && options->comment ? options->comment : '\n' };

    for (int64_t i = 0; options && i < options->skip && at.p < at.end; i++)
        skip_line(&at);
    return at;
}

/* Reads the text between quotes; the cursor is after the opening quote. */
static int read_quoted(pen_cursor *at, pen_cell *cell)
{
    cell->text.start = at->p;
    for (; at->p < at->end; at->p++) {
        if (*at->p == '\n' || (*at->p == '\r' && !(at->p + 1 < at->end && at->p[1] == '\n')))
            at->line++;
        if (*at->p != '"')
            continue;
        if (at->p + 1 == at->end || at->p[1] != '"') {
            cell->text.length = (size_t)(at->p - cell->text.start);
            at->p++;
            return 1;
        }
        cell->escaped = 1;
        at->p++;
    }
    return 0;
}

/* Reads an unquoted cell. */
static void read_plain(pen_cursor *at, pen_cell *cell)
{
    const char *p = at->p;

    if (at->delimiter == ' ')
        while (p < at->end && !is_blank(*p) && !is_line_end(at, *p))
            p++;
    else
        while (p < at->end && *p != at->delimiter && !is_line_end(at, *p))
            p++;
    cell->text = pen_trim((pen_text){ at->p, (size_t)(p - at->p) });
    at->p = p;
}

/* If blanks separate cells, a quote is a plain character, as in vectors of words, unless another
 * quote ends the cell in the same line, as in write.table. */
static int is_quoted(const pen_cursor *at)
{
    const char *p = at->p;

    if (p == at->end || *p != '"')
        return 0;
    for (p++; at->delimiter == ' ' && p < at->end && *p != '\n' && *p != '\r'; p++) {
        const int last = p + 1 == at->end;
        if (*p != '"')
            continue;
        if (last || p[1] != '"')
            return last || is_blank(p[1]) || is_line_end(at, p[1]);
        p++;
    }
    return at->delimiter != ' ';
}

/* Finds what follows the cell that ends at the cursor, and moves past it. */
static inline enum pen_follows end_cell(pen_cursor *at)
{
    const char *const after = at->p;

    skip_blanks(at);
    if (at->p < at->end && *at->p == at->delimiter && *at->p != '\n') { /* no blank */
        at->p++;
        at->column++;
        return PEN_CELL;
    }
    if (at->p == at->end || is_line_end(at, *at->p)) {
        skip_line(at);
        return PEN_LINE;
    }
    if (at->delimiter != ' ' || at->p == after)
        return PEN_MALFORMED;
    at->column++;
    return PEN_CELL;
}

enum pen_follows pen_next_cell(pen_cursor *at, pen_cell *cell)
{
    const int64_t line = at->line;
    enum pen_follows then = PEN_MALFORMED;

    *cell = (pen_cell){ .escaped = 0 };
    skip_blanks(at);
    cell->quoted = is_quoted(at);
    at->p += cell->quoted;
    if (!cell->quoted)
        read_plain(at, cell);
    if (!cell->quoted || read_quoted(at, cell))
        then = end_cell(at);
    if (then == PEN_MALFORMED)
        at->line = line;
    return then;
}

enum pen_follows pen_next_number(pen_cursor *at, double *value)
{
    const char *const begin = at->p;
    enum pen_follows then = PEN_MALFORMED;

    skip_blanks(at);
    const size_t used = pen_number_read(at->p, (size_t)(at->end - at->p), value);
    at->p += used;
    if (used > 0 && isfinite(*value))
        then = end_cell(at);
    if (then == PEN_MALFORMED)
        at->p = begin;
    return then;
}

int pen_next_line(pen_cursor *at)
{
    while (at->p < at->end) {
        pen_cursor ahead = *at;
        skip_blanks(&ahead);
        if (ahead.p == ahead.end)
            return 0;
        if (!is_line_end(at, *ahead.p))
            return 1;
        skip_line(&ahead);
        *at = ahead;
    }
    return 0;
}

pen_status pen_malformed(pen_run *run, const char *name, const pen_cursor *at)
{
    return pen_fail(
        run, PEN_BAD_FORMAT, "%s:%lld:%lld: %s", name, (long long)at->line, (long long)at->column,
        at->p == at->end ? "missing closing quote"
                         : "only a delimiter or the end of the line may follow a closing quote");
}

int64_t pen_count_cells(pen_cursor *at)
{
    pen_cell cell;
    enum pen_follows then;
    int64_t count = 0;

    do {
        then = pen_next_cell(at, &cell);
        count++;
    } while (then == PEN_CELL);
    return then == PEN_LINE ? count : 0;
}

pen_sample pen_sample_of(pen_cursor at, int64_t most, int64_t bytes)
{
    return (pen_sample){ at, at, at.p, PEN_LINE, most, bytes, 0, -1 };
}

int pen_sample_next(pen_sample *sample, pen_cell *cell)
{
    if (sample->then == PEN_LINE) {
        if (sample->lines == sample->most || sample->at.p - sample->begin >= sample->bytes
            || !pen_next_line(&sample->at))
            return 0;
        sample->lines++;
        sample->line = sample->at;
        sample->column = -1;
    }
    if (sample->then == PEN_MALFORMED)
        return 0;
    sample->column++;
    sample->then = pen_next_cell(&sample->at, cell);
    return sample->then != PEN_MALFORMED;
}

/* Count line ends: LF, CR or CR LF. Most texts have no CR, so memchr searches for them. */
static int64_t count_ends(const pen_cursor *at)
{
    const char *const begin = at->p, *const end = at->end;
    int64_t ends = 0;

    for (const char *p = begin; p < end; p++)
        ends += *p == '\n';
    for (const char *p = begin; p < end && (p = memchr(p, '\r', (size_t)(end - p))); p++)
        ends += !(p + 1 < end && p[1] == '\n');
    return ends;
}

/* Each cell of a row takes at least one byte, except perhaps the last. */
int64_t pen_most_rows(const pen_cursor *at, int64_t columns)
{
    return pen_min(count_ends(at) + 1, (at->end - at->p + 1) / columns + 1);
}
