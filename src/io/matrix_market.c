/* matrix_market.c - the exchange format of matrices of NIST: a line that says what it is, comments,
 * a line of sizes, and a line an entry (coordinate) or a value (array, by columns).
 * https://math.nist.gov/MatrixMarket/formats.html */
#define _XOPEN_SOURCE 700 /* strncasecmp */

#include "io/columns.h"
#include "io/csr_table.h"

#include <string.h>
#include <strings.h>

enum { MOST_WORDS = 5, MOST_DIGITS = 18 };

static const char BANNER[] = "%%MatrixMarket";

/* As in libsvm files: a shape that takes more than this many times the size of the file, and more
 * than some gigabytes, is a mistake. */
static const int64_t LEAST_ROOM = INT64_C(1) << 32, MOST_TIMES = 1000;

/* ---- lines ---- */

/* Goes to the next line that is neither blank nor a comment. Returns 0 at the end. */
static int next_line(pen_cursor *at)
{
    at->comment = '%'; /* at the beginning of a line only */
    const int more = pen_next_line(at);
    at->comment = '\n';
    return more;
}

/* The words of the line at the cursor, which moves to the next, and their number; 0 if quotes are
 * malformed. Words that are not there are empty. */
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
    return then == PEN_LINE ? count : 0;
}

static int is_word(pen_text text, const char *word)
{
    return text.length == strlen(word) && strncasecmp(text.start, word, text.length) == 0;
}

/* A whole number of digits alone. */
static int is_count(pen_text word, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < word.length; i++) {
        if (word.start[i] < '0' || word.start[i] > '9' || i >= MOST_DIGITS)
            return 0;
        *out = 10 * *out + (word.start[i] - '0');
    }
    return word.length > 0;
}

/* ---- the head ---- */

/* What the first lines say. */
struct market {
    int coordinate, pattern;
    int symmetric; /* 1, -1: only the lower triangle is written; 0 */
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

    if (!is_word(object, "matrix"))
        return bad_head(run, input, "object", object, "matrix");
    out->coordinate = is_word(form, "coordinate");
    if (!out->coordinate && !is_word(form, "array"))
        return bad_head(run, input, "form", form, "coordinate or array");
    out->pattern = is_word(field, "pattern");
    if (!(out->pattern && out->coordinate) && !is_word(field, "real") && !is_word(field, "double")
        && !is_word(field, "integer") && !is_word(field, "unsigned-integer"))
        return bad_head(run, input, "field", field,
                        out->coordinate ? "real, integer or pattern" : "real or integer");
    out->symmetric = is_word(symmetry, "symmetric")        ? 1
                     : is_word(symmetry, "skew-symmetric") ? -1
                                                           : 0;
    if (!out->symmetric && !is_word(symmetry, "general"))
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
                count == (out->coordinate ? 3 : 2) && is_count(words[0], &out->rows)
                    && is_count(words[1], &out->cols)
                    && (!out->coordinate || is_count(words[2], &out->count)),
                PEN_BAD_FORMAT, "%s:%lld: expected %s", input->name, (long long)line,
                out->coordinate ? "the numbers of rows, columns and entries"
                                : "the numbers of rows and columns");
    PEN_REQUIRE(run, !out->symmetric || out->rows == out->cols, PEN_BAD_FORMAT,
                "%s:%lld: a symmetric matrix must be square, got %lld x %lld", input->name,
                (long long)line, (long long)out->rows, (long long)out->cols);
    if (!out->coordinate)
        out->count = pen_times(out->rows, out->cols);
    const int64_t most = pen_max(LEAST_ROOM, pen_times(MOST_TIMES, (int64_t)input->size));
    PEN_REQUIRE(run, pen_times(pen_max(out->rows, out->cols), (int64_t)sizeof(double)) <= most,
                PEN_BAD_DATA, "%s: %lld x %lld is too large a shape for a file of %zu bytes",
                input->name, (long long)out->rows, (long long)out->cols, input->size);
    return PEN_OK;
}

/* ---- values ---- */

struct reading {
    const pen_input *input;
    const struct market *market;
    pen_value_rules rules;
    pen_cursor at;
    pen_columns columns; /* array: where .. */
    double *values;      /* .. values go, [rows x value columns] */
};

static pen_status ends_early(pen_run *run, const struct reading *r, int64_t done)
{
    return pen_fail(run, PEN_BAD_FORMAT, "%s: it ends after %lld of %lld %s: truncated",
                    r->input->name, (long long)done, (long long)r->market->count,
                    r->market->coordinate ? "entries" : "values");
}

static pen_status nothing_follows(pen_run *run, struct reading *r)
{
    PEN_REQUIRE(run, !next_line(&r->at), PEN_BAD_FORMAT, "%s:%lld: more than the %lld %s",
                r->input->name, (long long)r->at.line, (long long)r->market->count,
                r->market->coordinate ? "entries" : "values");
    return PEN_OK;
}

/* The entry of a line, counted from 0. */
static pen_status take_entry(pen_run *run, struct reading *r, int64_t *row, int64_t *column,
                             double *value)
{
    const struct market *const market = r->market;
    const int64_t line = r->at.line, expected = market->pattern ? 2 : 3;
    pen_text words[MOST_WORDS];
    const int64_t count = read_words(&r->at, words);

    if (!is_count(words[0], row) || !is_count(words[1], column) || *row < 1 || *row > market->rows
        || *column < 1 || *column > market->cols)
        return pen_fail(
            run, PEN_BAD_FORMAT,
            "%s:%lld: an entry must begin with its row, 1 to %lld, and its column, 1 to "
            "%lld",
            r->input->name, (long long)line, (long long)market->rows, (long long)market->cols);
    --*row;
    --*column;
    PEN_REQUIRE(run, !market->symmetric || *row >= *column + (market->symmetric < 0),
                PEN_BAD_FORMAT,
                "%s:%lld: only entries below the diagonal are written of a symmetric matrix",
                r->input->name, (long long)line);
    *value = 1;
    if (!market->pattern)
        PEN_TRY(pen_value(run, r->input->name, line, 3, words[2], &r->rules, value));
    PEN_REQUIRE(run, count == expected, PEN_BAD_FORMAT, "%s:%lld: expected %lld words",
                r->input->name, (long long)line, (long long)expected);
    return PEN_OK;
}

static pen_status load_entries(pen_run *run, void *context, int64_t first, int64_t count,
                               int64_t *rows, int64_t *indices, double *values)
{
    struct reading *const r = context;

    if (first == 0)
        r->at = r->market->at;
    for (int64_t e = 0; e < count; e++) {
        double value = 0;
        if (!next_line(&r->at))
            return ends_early(run, r, first + e);
        PEN_TRY(take_entry(run, r, &rows[e], &indices[e], &value));
        if (values)
            values[e] = value;
    }
    return first + count == r->market->count ? nothing_follows(run, r) : PEN_OK;
}

static void place(const struct reading *r, int64_t row, int64_t column, double value)
{
    const pen_columns *const to = &r->columns;

    if (to->roles[column] == PEN_COLUMN_VALUE)
        r->values[row * to->number[PEN_COLUMN_VALUE] + to->places[column]] = value;
}

static pen_status load_values(pen_run *run, struct reading *r)
{
    const struct market *const m = r->market;
    pen_text words[MOST_WORDS];

    r->at = m->at;
    for (int64_t j = 0; j < m->cols; j++)
        for (int64_t i = m->symmetric ? j + (m->symmetric < 0) : 0; i < m->rows; i++) {
            double value = 0;
            if (!next_line(&r->at))
                return ends_early(run, r, j * m->rows + i);
            const int64_t line = r->at.line, count = read_words(&r->at, words);
            PEN_TRY(pen_value(run, r->input->name, line, 1, words[0], &r->rules, &value));
            PEN_REQUIRE(run, count == 1, PEN_BAD_FORMAT, "%s:%lld: expected one value",
                        r->input->name, (long long)line);
            place(r, i, j, value);
            if (m->symmetric && i != j)
                place(r, j, i, m->symmetric * value);
        }
    return nothing_follows(run, r);
}

/* ---- tables ---- */

static pen_status read_values(pen_run *run, const pen_read_options *options, struct reading *r,
                              pen_table *table)
{
    const struct market *const m = r->market;

    PEN_TRY(pen_check_shape(run, r->input, options, m->rows, m->cols));
    PEN_TRY(pen_columns_assign(run, r->input->name, NULL, m->cols, options, &r->columns));
    const int64_t cols = r->columns.number[PEN_COLUMN_VALUE];
    r->values = pen_table_rows(run, r->input, table, m->rows, cols, PEN_F64);
    if (!r->values)
        return PEN_NO_MEMORY;
    PEN_TRY(load_values(run, r));
    table->x = pen_dense(r->values, PEN_F64, m->rows, cols, cols);
    PEN_TRY(pen_columns_describe(run, &r->columns, table));
    return pen_table_treat(run, r->input, options, 0, table, NULL);
}

static pen_status read_rows(pen_run *run, const pen_input *input, const pen_read_options *options,
                            pen_table *table)
{
    struct market market;
    struct reading reading = { .input = input, .market = &market };

    PEN_TRY(read_head(run, input, &market));
    PEN_TRY(pen_value_rules_open(run, options, '.', &reading.rules));
    /* each value takes two bytes of the file, each entry four */
    const int64_t most = (int64_t)input->size / (market.coordinate ? 4 : 2) + 1,
                  least = market.symmetric && !market.coordinate ? market.count / 2 - market.rows
                                                                 : market.count;

    PEN_REQUIRE(run, least <= most, PEN_BAD_FORMAT,
                "%s: the Matrix Market file claims %lld %s, but has only %zu bytes: truncated",
                input->name, (long long)market.count, market.coordinate ? "entries" : "values",
                input->size);
    if (!market.coordinate)
        return read_values(run, options, &reading, table);
    const pen_entries entries = { .rows = market.rows,
                                  .cols = market.cols,
                                  .count = market.count,
                                  .symmetric = market.symmetric,
                                  .dtype = PEN_F64,
                                  .load = load_entries,
                                  .context = &reading };
    return pen_table_sparse(run, input, options, &entries, table);
}

static int recognizes(const pen_input *input)
{
    return input->size > sizeof BANNER
           && strncasecmp((const char *)input->data, BANNER, sizeof BANNER - 1) == 0;
}

static const char *const extensions[] = { ".mtx", NULL };

const pen_format pen_format_mtx = { .name = "mtx",
                                    .extensions = extensions,
                                    .recognizes = recognizes,
                                    .read = read_rows,
                                    .is_sure = 1 };
