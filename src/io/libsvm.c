/* libsvm.c - sparse rows in the LIBSVM and SVMlight format:
 *
 *     label index:value index:value ... # comment
 *
 * Indices are in ascending order from 1; values that are not listed are 0. A "qid:..." after the
 * label, which groups rows for ranking, is ignored. The number of columns is the largest index, or
 * `columns` of the options (and those dropped) if that is larger. Few values become dense rows,
 * many of which most are 0 become sparse ones. */
#include "io/columns.h"

#include "core/memory.h"

#include <string.h>

enum {
    SAMPLE_LINES = 8,
    LARGE = 1 << 20, /* rows with more cells become sparse if one in FEW or fewer is listed */
    FEW = 4
};

/* Dense rows, or one double for each column of sparse ones, may take LEAST_ROOM bytes, or
 * MOST_TIMES the size of the file if that is more (word counts of documents take a few hundred
 * times). A typo in one index must not exhaust memory. */
static const int64_t LEAST_ROOM = INT64_C(1) << 32, MOST_TIMES = 1000;

struct cursor {
    const char *p, *end;
    int64_t line;
};

struct size {
    int64_t rows, cols, entries;
    int64_t widest; /* the line of the largest index; 0: cols comes from the options */
};

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* The next word of the line; length 0 at the end of the line or at a comment. */
static pen_text next_word(struct cursor *at)
{
    const char *p = at->p;

    while (p < at->end && is_blank(*p))
        p++;
    const char *const begin = p;
    while (p < at->end && !is_blank(*p) && !is_line_end(*p) && *p != '#')
        p++;
    at->p = p;
    return (pen_text){ begin, (size_t)(p - begin) };
}

static void skip_line(struct cursor *at)
{
    while (at->p < at->end && !is_line_end(*at->p))
        at->p++;
    if (at->p < at->end && *at->p == '\r')
        at->p++;
    if (at->p < at->end && *at->p == '\n')
        at->p++;
    at->line++;
}

/* The first word of the next line that has one; length 0 at the end of the text. */
static pen_text next_row(struct cursor *at)
{
    pen_text word = next_word(at);
    while (word.length == 0 && at->p < at->end) {
        skip_line(at);
        word = next_word(at);
    }
    return word;
}

/* Split a word at its first colon. Returns 0 if there is none. */
static int cut(pen_text word, pen_text *left, pen_text *right)
{
    const char *const colon = word.length > 0 ? memchr(word.start, ':', word.length) : NULL;

    if (!colon)
        return 0;
    *left = (pen_text){ word.start, (size_t)(colon - word.start) };
    *right = (pen_text){ colon + 1, word.length - left->length - 1 };
    return 1;
}

static int is_digits(pen_text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.start[i] < '0' || text.start[i] > '9')
            return 0;
    return text.length > 0;
}

static int is_qid(pen_text left)
{
    return pen_text_equal(left, pen_text_of("qid"));
}

/* The next index and the text of its value. *index is the previous index on entry (0: none), and 0
 * on return at the end of the line. */
static pen_status next_entry(pen_run *run, const char *name, struct cursor *at, int64_t *index,
                             pen_text *value)
{
    const int64_t last = *index;
    pen_text word = next_word(at), left;
    char quoted[PEN_QUOTE_SIZE];

    if (last == 0 && cut(word, &left, value) && is_qid(left))
        word = next_word(at);
    *index = 0;
    if (word.length == 0)
        return PEN_OK;
    PEN_REQUIRE(run, cut(word, &left, value) && is_digits(left) && pen_is_index(left, index),
                PEN_BAD_FORMAT, "%s:%lld: expected index:value, got \"%s\"", name,
                (long long)at->line, pen_quote(word, quoted));
    PEN_REQUIRE(run, *index >= 1, PEN_BAD_FORMAT,
                "%s:%lld: indices must be >= 1, got \"%s\"; dump_svmlight_file of scikit-learn "
                "counts from 1 with zero_based=False",
                name, (long long)at->line, pen_quote(word, quoted));
    PEN_REQUIRE(run, *index > last, PEN_BAD_FORMAT,
                "%s:%lld: indices must be in ascending order, got %lld after %lld", name,
                (long long)at->line, (long long)*index, (long long)last);
    return PEN_OK;
}

/* Count the rows, and raise size->cols to the largest index. */
static pen_status measure(pen_run *run, const char *name, struct cursor at, struct size *size)
{
    for (;;) {
        const pen_text label = next_row(&at);
        pen_text left, value;
        char quoted[PEN_QUOTE_SIZE];
        int64_t index = 0, largest;
        if (label.length == 0)
            break;
        PEN_REQUIRE(run, !cut(label, &left, &value), PEN_BAD_FORMAT,
                    "%s:%lld: a line must begin with a label, got \"%s\"", name, (long long)at.line,
                    pen_quote(label, quoted));
        PEN_REQUIRE(run, !memchr(label.start, '\0', label.length), PEN_BAD_FORMAT,
                    "%s:%lld: a label must not contain a NUL byte", name, (long long)at.line);
        do {
            largest = index;
            PEN_TRY(next_entry(run, name, &at, &index, &value));
            size->entries += index > 0;
        } while (index > 0);
        if (largest > size->cols) {
            size->cols = largest;
            size->widest = at.line;
        }
        size->rows++;
        skip_line(&at);
    }
    PEN_REQUIRE(run, size->rows > 0, PEN_BAD_DATA, "%s: no rows", name);
    PEN_REQUIRE(run, size->cols > 0, PEN_BAD_DATA,
                "%s: no columns: no line has an index:value pair", name);
    return PEN_OK;
}

static int is_sparse(const struct size *size)
{
    const int64_t cells = pen_times(size->rows, size->cols);

    return cells > LARGE && size->cols <= INT32_MAX / 2 && size->entries < cells / FEW;
}

/* Does the size of the file justify the memory that its largest index requires? */
static pen_status check_room(pen_run *run, const pen_input *input, const struct size *size)
{
    const int64_t row = pen_times(size->cols, sizeof(double)),
                  rows = is_sparse(size) ? 1 : size->rows, all = pen_times(rows, row);
    const int64_t most = pen_max(LEAST_ROOM, pen_times(MOST_TIMES, (int64_t)input->size));
    char wanted[PEN_BYTES_SIZE], allowed[PEN_BYTES_SIZE], has[PEN_BYTES_SIZE];

    PEN_REQUIRE(
        run, size->widest == 0 || all <= most, PEN_BAD_DATA,
        "%s:%lld:%lld: index %lld means %lld columns: %lld %s of them %s %s, the limit for a "
        "file of %s is %s",
        input->name, (long long)size->widest, (long long)size->cols, (long long)size->cols,
        (long long)size->cols, (long long)rows, rows == 1 ? "row" : "rows",
        rows == 1 ? "takes" : "take", pen_bytes_text(all, wanted),
        pen_bytes_text((int64_t)input->size, has), pen_bytes_text(most, allowed));
    return PEN_OK;
}

/* Where rows go: dense ones, or entries and the starts of rows. */
struct target {
    int64_t cols;
    double *values;   /* [rows x cols], zeros; or [entries] */
    int64_t *starts;  /* [rows + 1]; NULL: dense */
    int32_t *columns; /* [entries] */
};

/* Memory for the rows in the table. */
static pen_status make_room(pen_run *run, const pen_input *input, const struct size *size,
                            pen_table *table, struct target *to)
{
    const int64_t entry = (int64_t)(sizeof *to->columns + sizeof *to->values);
    const int64_t bytes = pen_plus(pen_times(size->entries, entry),
                                   pen_times(size->rows, (int64_t)sizeof *to->starts));
    char wanted[PEN_BYTES_SIZE], most[PEN_BYTES_SIZE];

    if (!is_sparse(size)) {
        to->values = pen_table_rows(run, input, table, size->rows, to->cols, PEN_F64);
        return to->values ? PEN_OK : PEN_NO_MEMORY;
    }
    PEN_REQUIRE(run, pen_memory_has(bytes), PEN_NO_MEMORY,
                "%s: out of memory: %lld entries take %s, the limit is %s", input->name,
                (long long)size->entries, pen_bytes_text(bytes, wanted),
                pen_bytes_text(pen_memory(), most));
    to->starts = pen_table_keep(run, table, pen_plus(size->rows, 1), sizeof *to->starts);
    to->columns = pen_table_keep(run, table, pen_max(1, size->entries), sizeof *to->columns);
    to->values = pen_table_keep(run, table, pen_max(1, size->entries), sizeof *to->values);
    return to->starts && to->columns && to->values ? PEN_OK : PEN_NO_MEMORY;
}

/* A value of the row; returns where it is stored. */
static double *place(struct target *to, int64_t row, int64_t column)
{
    if (!to->starts)
        return to->values + row * to->cols + column;
    to->columns[to->starts[row + 1]] = (int32_t)column;
    return to->values + to->starts[row + 1]++;
}

/* Read the values after the label; the rest of the row stays 0. */
static pen_status read_row(pen_run *run, const pen_input *input, struct cursor *at,
                           const pen_columns *columns, const pen_value_rules *rules,
                           struct target *to, int64_t row)
{
    int64_t index = 0;
    pen_text text;

    if (to->starts)
        to->starts[row + 1] = to->starts[row];
    PEN_TRY(next_entry(run, input->name, at, &index, &text));
    while (index > 0) {
        if (columns->roles[index - 1] == PEN_COLUMN_VALUE) {
            double *const value = place(to, row, columns->places[index - 1]);
            PEN_TRY(pen_value(run, input->name, at->line, index, text, rules, value));
        }
        PEN_TRY(next_entry(run, input->name, at, &index, &text));
    }
    return PEN_OK;
}

static pen_status read_rows(pen_run *run, const pen_input *input, const pen_read_options *options,
                            pen_table *table)
{
    struct cursor at = { (const char *)input->data, (const char *)input->data + input->size, 1 };
    struct size size = { .cols = options->columns > 0
                                     ? pen_plus(options->columns, options->drop_count)
                                     : 0 };
    struct target to = { .values = NULL };
    pen_columns columns;
    pen_value_rules rules;
    pen_text *labels;
    int64_t rows = 0;

    PEN_TRY(measure(run, input->name, at, &size));
    PEN_TRY(check_room(run, input, &size));
    /* Columns are dropped once each, or the assignment fails. */
    to.cols = pen_max(1, size.cols - options->drop_count);
    PEN_TRY(make_room(run, input, &size, table, &to));
    PEN_TRY(pen_columns_assign(run, input->name, NULL, size.cols, options, &columns));
    PEN_TRY(pen_value_rules_open(run, options, '.', &rules));
    PEN_TRY(PEN_NEW(run, labels, size.rows));
    for (pen_text label = next_row(&at); label.length > 0; label = next_row(&at)) {
        labels[rows] = label;
        PEN_TRY(read_row(run, input, &at, &columns, &rules, &to, rows++));
        skip_line(&at);
    }
    table->x = to.starts ? pen_csr(to.values, PEN_F64, to.starts, to.columns, rows, to.cols)
                         : pen_dense(to.values, PEN_F64, rows, to.cols, to.cols);
    PEN_TRY(pen_columns_describe(run, &columns, table));
    PEN_TRY(pen_table_treat(run, input, options, 0, table,
                            (pen_row_texts[]){ { labels, 1 }, { NULL, 0 } }));
    return pen_table_label(run, table, labels, table->x.rows, options, PEN_LABELS_NUMBERS);
}

/* Do the first lines have a label and index:value pairs, with at least one pair in all? A time in a
 * table has cells after it: 12:30,1. */
static int recognizes(const pen_input *input)
{
    struct cursor at = { (const char *)input->data, (const char *)input->data + input->size, 1 };
    int64_t pairs = 0;
    pen_text left, right;

    for (int line = 0; line < SAMPLE_LINES; line++) {
        pen_text word = next_row(&at);
        if (word.length > 0 && cut(word, &left, &right) && !is_digits(left))
            return 0;
        for (word = next_word(&at); word.length > 0; word = next_word(&at)) {
            if (!cut(word, &left, &right) || right.length == 0
                || memchr(right.start, ',', right.length) || memchr(right.start, ';', right.length)
                || !(is_digits(left) || is_qid(left)))
                return 0;
            pairs++;
        }
        skip_line(&at);
    }
    return pairs > 0;
}

static const char *const extensions[] = { ".libsvm", ".svm", ".svmlight", NULL };

const pen_format pen_format_libsvm = {
    .name = "libsvm", .extensions = extensions, .recognizes = recognizes, .read = read_rows
};
