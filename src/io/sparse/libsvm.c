/* libsvm.c - sparse rows in the LIBSVM and SVMlight format:
 *
 *     label index:value index:value ... # comment
 *
 * Indices ascend from 1; values that are not listed are 0. A "qid:..." after the label, which
 * groups rows for ranking, is ignored. The number of columns is the largest index, or `columns` of
 * the options plus dropped columns if that is larger. Rows become sparse if there are many values
 * and most are 0; otherwise they become dense. */
#include "io/sparse/libsvm.h"

#include "core/memory.h"
#include "io/table/cell_value.h"
#include "io/table/class_labels.h"
#include "io/table/csr_table.h"
#include "io/text/cells.h"

#include <string.h>

enum {
    SAMPLE_LINES = 8,
    LARGE = 1 << 20, /* more cells become sparse rows if fewer than one in FEW is listed */
    FEW = 4
};

struct size {
    int64_t rows, cols, entries;
    int64_t widest; /* the line of the largest index; 0: cols comes from the options */
};

/* ---- lines ---- */

struct lines {
    const char *name; /* of the file */
    pen_cursor at;
    int64_t line;          /* line number of the row */
    enum pen_follows then; /* PEN_LINE: its last word was read */
};

static struct lines open_lines(const pen_input *input)
{
    struct lines lines = { .name = input->name, .at = pen_text_open(input, NULL) };

    lines.at.delimiter = ' ';
    lines.at.comment = '#';
    return lines;
}

/* The next word of the row; length 0 at its end. */
static pen_text next_word(struct lines *lines)
{
    pen_cell cell = { .text = { "", 0 } };

    if (lines->then == PEN_CELL)
        lines->then = pen_next_cell(&lines->at, &cell);
    return cell.text;
}

/* The first word of the next row. Returns 0 at the end of the text. */
static int next_row(struct lines *lines, pen_text *label)
{
    if (!pen_next_line(&lines->at))
        return 0;
    lines->line = lines->at.line;
    lines->then = PEN_CELL;
    *label = next_word(lines);
    return 1;
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

static int is_qid(pen_text left)
{
    return pen_text_equal(left, pen_text_of("qid"));
}

/* Reads the next index and the text of its value. *index is the previous index on entry (0: none),
 * and 0 on return at the end of the row. */
static pen_status next_entry(pen_run *run, struct lines *lines, int64_t *index, pen_text *value)
{
    const int64_t last = *index, line = lines->line;
    pen_text word = next_word(lines), left;
    char quoted[PEN_QUOTE_SIZE];

    if (last == 0 && cut(word, &left, value) && is_qid(left))
        word = next_word(lines);
    *index = 0;
    if (word.length == 0)
        return PEN_OK;
    PEN_REQUIRE(run, cut(word, &left, value) && pen_is_count(left, index), PEN_BAD_FORMAT,
                "%s:%lld: expected index:value, got \"%s\"", lines->name, (long long)line,
                pen_quote(word, quoted));
    PEN_REQUIRE(run, *index >= 1, PEN_BAD_FORMAT,
                "%s:%lld: indices must be >= 1, got \"%s\"; dump_svmlight_file of scikit-learn "
                "counts from 1 with zero_based=False",
                lines->name, (long long)line, pen_quote(word, quoted));
    PEN_REQUIRE(run, *index > last, PEN_BAD_FORMAT,
                "%s:%lld: indices must be in ascending order, got %lld after %lld", lines->name,
                (long long)line, (long long)*index, (long long)last);
    return PEN_OK;
}

/* ---- the size ---- */

/* Counts the rows and the entries, and raises size->cols to the largest index. */
static pen_status measure(pen_run *run, struct lines lines, struct size *size)
{
    pen_text label, left, value;
    char quoted[PEN_QUOTE_SIZE];

    for (; next_row(&lines, &label); size->rows++) {
        int64_t index = 0, largest;
        PEN_REQUIRE(run, !cut(label, &left, &value), PEN_BAD_FORMAT,
                    "%s:%lld: a line must begin with a label, got \"%s\"", lines.name,
                    (long long)lines.line, pen_quote(label, quoted));
        PEN_REQUIRE(run, !memchr(label.start, '\0', label.length), PEN_BAD_FORMAT,
                    "%s:%lld: a label must not contain a NUL byte", lines.name,
                    (long long)lines.line);
        do {
            largest = index;
            PEN_TRY(next_entry(run, &lines, &index, &value));
            size->entries += index > 0;
        } while (index > 0);
        if (largest > size->cols) {
            size->cols = largest;
            size->widest = lines.line;
        }
    }
    PEN_REQUIRE(run, size->rows > 0, PEN_BAD_DATA, "%s: no rows", lines.name);
    PEN_REQUIRE(run, size->cols > 0, PEN_BAD_DATA,
                "%s: no columns: no line has an index:value pair", lines.name);
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
    const int64_t most = pen_most_room(input);
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

/* ---- rows ---- */

struct reading {
    struct lines begin;
    pen_value_rules rules;
    pen_text *labels; /* [rows] */
};

/* Takes the values after the label. */
static pen_status take_row(pen_run *run, struct lines *lines, const pen_value_rules *rules,
                           int64_t row, pen_entry_table *to)
{
    int64_t index = 0;
    pen_text text;

    PEN_TRY(next_entry(run, lines, &index, &text));
    while (index > 0) {
        double value = 0;
        if (pen_wants_value(to, index - 1))
            PEN_TRY(pen_value(run, lines->name, lines->line, index, text, rules, &value));
        PEN_TRY(pen_take_entry(to, row, index - 1, value));
        PEN_TRY(next_entry(run, lines, &index, &text));
    }
    return PEN_OK;
}

static pen_status walk(pen_run *run, void *context, pen_entry_table *to)
{
    struct reading *const r = context;
    struct lines lines = r->begin;

    for (int64_t i = 0; next_row(&lines, &r->labels[i]); i++)
        PEN_TRY(take_row(run, &lines, &r->rules, i, to));
    return PEN_OK;
}

pen_status pen_read_libsvm(pen_run *run, const pen_input *input, const pen_read_options *options,
                           pen_table *table)
{
    struct reading r = { .begin = open_lines(input) };
    pen_read_options how = *options;
    struct size size = { .cols = options->columns > 0
                                     ? pen_plus(options->columns, options->drop_count)
                                     : 0 };

    PEN_TRY(measure(run, r.begin, &size));
    PEN_TRY(check_room(run, input, &size));
    PEN_TRY(pen_value_rules_open(run, options, '.', &r.rules));
    PEN_TRY(PEN_NEW(run, r.labels, size.rows));
    const pen_entries entries = { .rows = size.rows,
                                  .cols = size.cols,
                                  .is_dense = !is_sparse(&size),
                                  .count = size.entries,
                                  .dtype = PEN_F64,
                                  .texts = (pen_row_texts[]){ { r.labels, 1 }, { NULL, 0 } },
                                  .walk = walk,
                                  .context = &r };
    how.model = NULL; /* positions of columns need their number, which these lines lack */
    PEN_TRY(pen_table_entries(run, input, &how, &entries, table));
    return pen_table_label(run, table, r.labels, table->x.rows, options, PEN_LABELS_NUMBERS);
}

/* Do the first lines have a label and index:value pairs, with at least one pair in all? In a table,
 * cells follow a time: 12:30,1. */
int pen_is_libsvm(const pen_input *input)
{
    struct lines lines = open_lines(input);
    int64_t pairs = 0, index;
    pen_text word, left, right;

    for (int line = 0; line < SAMPLE_LINES && next_row(&lines, &word); line++) {
        if (cut(word, &left, &right) && !pen_is_count(left, &index))
            return 0;
        for (word = next_word(&lines); word.length > 0; word = next_word(&lines)) {
            if (!cut(word, &left, &right) || right.length == 0
                || memchr(right.start, ',', right.length) || memchr(right.start, ';', right.length)
                || !(pen_is_count(left, &index) || is_qid(left)))
                return 0;
            pairs++;
        }
    }
    return pairs > 0;
}
