/* matrix_market.c - the matrix exchange format of NIST: a line with the kind of matrix, comments, a
 * line of sizes, and a line for each entry (coordinate) or value (array, by columns).
 * https://math.nist.gov/MatrixMarket/formats.html */
#include "io/sparse/matrix_market.h"

#include "io/table/cell_value.h"
#include "io/table/csr_table.h"
#include "io/text/cells.h"

#include <string.h>

enum { MOST_WORDS = 5 };

static const char BANNER[] = "%%MatrixMarket";

/* ---- lines ---- */

/* Goes to the next line that is neither blank nor a comment. Returns 0 at the end. */
static int next_line(pen_cursor *at)
{
    at->comment = '%'; /* at the beginning of a line only */
    const int more = pen_next_line(at);
    at->comment = '\n';
    return more;
}

/* Reads the words of the line at the cursor, moves to the next line, and returns their number.
 * Missing words become empty. */
static int64_t read_words(pen_cursor *at, pen_text words[MOST_WORDS])
{
    enum pen_follows then;
    int64_t count = 0;
    pen_cell cell;

    for (int i = 0; i < MOST_WORDS; i++)
        words[i] = (pen_text){ "", 0 };
    do {
        then = pen_next_cell(at, &cell);
        if (count < MOST_WORDS)
            words[count] = cell.text;
        count++;
    } while (then == PEN_CELL);
    return count;
}

/* ---- the head ---- */

/* The contents of the first lines. */
struct market {
    int coordinate, pattern;
    int symmetric; /* 1, -1: only the lower triangle is given; 0: all */
    int64_t rows, cols, count;
    pen_cursor at; /* after the line of sizes */
};

static pen_status bad_head(pen_run *run, const pen_input *input, const char *what, pen_text got,
                           const char *rule)
{
    char quoted[PEN_QUOTE_SIZE];

    return pen_fail(run, PEN_BAD_FORMAT,
                    "%s:1: the %s of a Matrix Market file must be %s, got \"%s\"", input->name,
                    what, rule, pen_quote(got, quoted));
}

static pen_status read_banner(pen_run *run, const pen_input *input, struct market *out)
{
    pen_text words[MOST_WORDS];

    (void)read_words(&out->at, words);
    const pen_text object = words[1], form = words[2], field = words[3], symmetry = words[4];

    if (!pen_is_word(object, "matrix"))
        return bad_head(run, input, "object", object, "matrix");
    out->coordinate = pen_is_word(form, "coordinate");
    if (!out->coordinate && !pen_is_word(form, "array"))
        return bad_head(run, input, "form", form, "coordinate or array");
    out->pattern = pen_is_word(field, "pattern");
    if (!(out->pattern && out->coordinate) && !pen_is_word(field, "real")
        && !pen_is_word(field, "double") && !pen_is_word(field, "integer")
        && !pen_is_word(field, "unsigned-integer"))
        return bad_head(run, input, "field", field,
                        out->coordinate ? "real, integer or pattern" : "real or integer");
    out->symmetric = pen_is_word(symmetry, "symmetric")        ? 1
                     : pen_is_word(symmetry, "skew-symmetric") ? -1
                                                               : 0;
    if (!out->symmetric && !pen_is_word(symmetry, "general"))
        return bad_head(run, input, "symmetry", symmetry, "general, symmetric or skew-symmetric");
    return PEN_OK;
}

static pen_status read_head(pen_run *run, const pen_input *input, struct market *out)
{
    pen_text words[MOST_WORDS];

    *out = (struct market){ .at = pen_text_open(input, NULL) };
    out->at.delimiter = ' ';
    PEN_TRY(read_banner(run, input, out));
    PEN_REQUIRE(run, next_line(&out->at), PEN_BAD_FORMAT,
                "%s: the Matrix Market file ends before its line of sizes", input->name);
    const int64_t line = out->at.line, count = read_words(&out->at, words);
    PEN_REQUIRE(run,
                count == (out->coordinate ? 3 : 2) && pen_is_count(words[0], &out->rows)
                    && pen_is_count(words[1], &out->cols)
                    && (!out->coordinate || pen_is_count(words[2], &out->count)),
                PEN_BAD_FORMAT, "%s:%lld: expected %s", input->name, (long long)line,
                out->coordinate ? "the numbers of rows, columns and entries"
                                : "the numbers of rows and columns");
    PEN_REQUIRE(run, !out->symmetric || out->rows == out->cols, PEN_BAD_FORMAT,
                "%s:%lld: a symmetric matrix must be square, got %lld x %lld", input->name,
                (long long)line, (long long)out->rows, (long long)out->cols);
    if (!out->coordinate)
        out->count = pen_times(out->rows, out->cols);
    PEN_REQUIRE(run,
                pen_times(pen_max(out->rows, out->cols), (int64_t)sizeof(double))
                    <= pen_most_room(input),
                PEN_BAD_DATA, "%s: %lld x %lld is too large a shape for a file of %zu bytes",
                input->name, (long long)out->rows, (long long)out->cols, input->size);
    return PEN_OK;
}

/* ---- entries ---- */

struct reading {
    const pen_input *input;
    const struct market *market;
    pen_value_rules rules;
    pen_cursor at;
    int64_t line, count; /* the current line: its number and its words */
    pen_text words[MOST_WORDS];
};

static const char *what(const struct reading *r)
{
    return r->market->coordinate ? "entries" : "values";
}

/* Reads the words of the next line, after `done` other lines. */
static pen_status read_line(pen_run *run, struct reading *r, int64_t done)
{
    PEN_REQUIRE(run, next_line(&r->at), PEN_BAD_FORMAT,
                "%s: it ends after %lld of %lld %s: truncated", r->input->name, (long long)done,
                (long long)r->market->count, what(r));
    r->line = r->at.line;
    r->count = read_words(&r->at, r->words);
    return PEN_OK;
}

/* Reads the 0-based place of the entry in the line. */
static pen_status read_place(pen_run *run, const struct reading *r, int64_t *row, int64_t *column)
{
    const struct market *const m = r->market;

    if (!pen_is_count(r->words[0], row) || !pen_is_count(r->words[1], column) || *row < 1
        || *row > m->rows || *column < 1 || *column > m->cols)
        return pen_fail(
            run, PEN_BAD_FORMAT,
            "%s:%lld: an entry must begin with its row, 1 to %lld, and its column, 1 to "
            "%lld",
            r->input->name, (long long)r->line, (long long)m->rows, (long long)m->cols);
    PEN_REQUIRE(run, !m->symmetric || *row >= *column + (m->symmetric < 0), PEN_BAD_FORMAT,
                "%s:%lld: a %ssymmetric matrix must not list entries %sabove the diagonal",
                r->input->name, (long long)r->line, m->symmetric < 0 ? "skew-" : "",
                m->symmetric < 0 ? "on or " : "");
    --*row;
    --*column;
    return PEN_OK;
}

static pen_status walk_entries(pen_run *run, struct reading *r, pen_entry_table *to)
{
    const struct market *const m = r->market;
    const int64_t expected = m->pattern ? 2 : 3;
    int64_t row, column;

    for (int64_t e = 0; e < m->count; e++) {
        double value = 1;
        PEN_TRY(read_line(run, r, e));
        PEN_TRY(read_place(run, r, &row, &column));
        if (!m->pattern && pen_wants_value(to, column))
            PEN_TRY(pen_value(run, r->input->name, r->line, 3, r->words[2], &r->rules, &value));
        PEN_REQUIRE(run, r->count == expected, PEN_BAD_FORMAT, "%s:%lld: expected %lld words",
                    r->input->name, (long long)r->line, (long long)expected);
        PEN_TRY(pen_take_entry(to, row, column, value));
    }
    return PEN_OK;
}

static pen_status walk_values(pen_run *run, struct reading *r, pen_entry_table *to)
{
    const struct market *const m = r->market;

    for (int64_t j = 0; j < m->cols; j++)
        for (int64_t i = m->symmetric ? j + (m->symmetric < 0) : 0; i < m->rows; i++) {
            double value;
            PEN_TRY(read_line(run, r, j * m->rows + i));
            PEN_TRY(pen_value(run, r->input->name, r->line, 1, r->words[0], &r->rules, &value));
            PEN_REQUIRE(run, r->count == 1, PEN_BAD_FORMAT, "%s:%lld: expected one value",
                        r->input->name, (long long)r->line);
            PEN_TRY(pen_take_entry(to, i, j, value));
        }
    return PEN_OK;
}

static pen_status walk(pen_run *run, void *context, pen_entry_table *to)
{
    struct reading *const r = context;

    r->at = r->market->at;
    PEN_TRY(r->market->coordinate ? walk_entries(run, r, to) : walk_values(run, r, to));
    PEN_REQUIRE(run, !next_line(&r->at), PEN_BAD_FORMAT, "%s:%lld: more than the %lld %s",
                r->input->name, (long long)r->at.line, (long long)r->market->count, what(r));
    return PEN_OK;
}

/* ---- the format ---- */

pen_status pen_read_matrix_market(pen_run *run, const pen_input *input,
                                  const pen_read_options *options, pen_table *table)
{
    struct market m;
    struct reading r = { .input = input, .market = &m };

    PEN_TRY(read_head(run, input, &m));
    PEN_TRY(pen_value_rules_open(run, options, '.', &r.rules));
    /* a value takes at least two bytes of the file, an entry four */
    const int64_t most = (int64_t)input->size / (m.coordinate ? 4 : 2) + 1,
                  least = m.symmetric && !m.coordinate ? m.count / 2 - m.rows : m.count;

    PEN_REQUIRE(run, least <= most, PEN_BAD_FORMAT,
                "%s: the Matrix Market file claims %lld %s, but has only %zu bytes: truncated",
                input->name, (long long)m.count, what(&r), input->size);
    const pen_entries entries = { .rows = m.rows,
                                  .cols = m.cols,
                                  .is_dense = !m.coordinate,
                                  .symmetric = m.symmetric,
                                  .dtype = PEN_F64,
                                  .walk = walk,
                                  .context = &r };
    return pen_table_entries(run, input, options, &entries, table);
}

int pen_is_matrix_market(const pen_input *input)
{
    return input->size > sizeof BANNER
           && pen_is_alike((const char *)input->data, BANNER, sizeof BANNER - 1);
}
