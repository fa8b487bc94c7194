/* label_lines.c - is a text a list of labels, or a table of them?
 *
 * A label may contain blanks (New York) and occasionally a comma, so each line is one label. But if
 * most lines have several cells separated by commas, semicolons or tabs, or if all lines are
 * separated by blanks into the same number of cells that are numbers or have row numbers first, the
 * file is a table: one of its columns has the labels, and another may say of which rows. */
#include "core/number.h"
#include "io/text_job.h"

/* The cells of a text for one delimiter. */
struct cells {
    int64_t lines, wide; /* the number of lines, and of those with several cells */
    int64_t line, count; /* the first line with several cells, and their number */
    int equal;           /* all lines have that number of cells */
    int numbers;         /* all cells are numbers, except perhaps in the first line */
    int numbered;        /* first cells count up from 0 or 1, except perhaps in the first line */
    int64_t next;        /* the next number in that count; negative: not started */
};

/* Is the text the next number in the count? */
static int counts(struct cells *c, pen_text text)
{
    int64_t number;

    if (!pen_is_index(text, &number)
        || (c->next < 0 ? number > 1 || number < 0 : number != c->next))
        return 0;
    c->next = number + 1;
    return 1;
}

/* The first cell of a line. */
static void take_first(struct cells *c, pen_text text)
{
    if (!counts(c, text) && c->lines > 0)
        c->numbered = 0;
}

/* Take the line at the cursor and move past it. Returns 0 if its quotes are malformed for this
 * delimiter. */
static int take_line(struct cells *c, pen_cursor *at)
{
    const int64_t line = at->line;
    enum pen_follows then = PEN_CELL;
    int64_t count = 0;
    double value;

    for (; then == PEN_CELL; count++) {
        pen_cell cell;
        then = pen_next_cell(at, &cell);
        if (then == PEN_MALFORMED)
            return 0;
        if (count == 0)
            take_first(c, cell.text);
        if (c->lines > 0 && !pen_is_missing(cell.text)
            && !pen_number_is(cell.text.start, cell.text.length, &value))
            c->numbers = 0;
    }
    if (count > 1 && c->wide++ == 0) {
        c->line = line;
        c->count = count;
    }
    c->equal &= count == c->count;
    c->lines++;
    return 1;
}

static int cut_lines(pen_cursor at, char delimiter, struct cells *c)
{
    *c = (struct cells){ .equal = 1, .numbers = 1, .numbered = 1, .next = -1 };
    at.delimiter = delimiter;
    while (pen_next_line(&at))
        if (!take_line(c, &at))
            return 0;
    return 1;
}

static int is_table(const struct cells *c, char delimiter)
{
    if (delimiter != ' ')
        return 2 * c->wide > c->lines;
    return c->wide > 0 && c->equal && c->lines > 1 && (c->numbers || c->numbered);
}

/* ---- a table ---- */

/* How lines say of which row they are: not, their order does; by name; by number. */
enum key { KEY_NONE, KEY_NAME, KEY_ROW };

struct layout {
    int64_t key, class; /* columns */
    enum key by;
    int has_header;
};

static int is_name(const pen_read_options *options, pen_text cell, int64_t column)
{
    return pen_text_equal(cell, pen_text_of("name")) || (cell.length == 0 && column == 0)
           || (options->name_column && pen_text_equal(cell, pen_text_of(options->name_column)));
}

/* From the cells of the first line. Returns 0 if it is no table of labels. */
static int find_layout(const pen_read_options *options, pen_cursor at, struct layout *out)
{
    const int has_names = options->rows && options->rows->row_names;
    int64_t name = -1, row = -1, count = 0;
    enum pen_follows then = PEN_CELL;
    pen_cell cell;

    *out = (struct layout){ .class = -1, .has_header = 1 };
    for (; then == PEN_CELL; count++) {
        then = pen_next_cell(&at, &cell);
        if (pen_text_equal(cell.text, pen_text_of("class")))
            out->class = count;
        else if (pen_text_equal(cell.text, pen_text_of("row")))
            row = count;
        else if (is_name(options, cell.text, count))
            name = count;
    }
    out->key = row >= 0 && (name < 0 || !has_names) ? row : name;
    out->by = out->key < 0 ? KEY_NONE : out->key == row ? KEY_ROW : KEY_NAME;
    if (out->by == KEY_NONE && out->class >= 0 && count > 1
        && (has_names || (count == 2 && out->class == 1))) { /* id,class */
        out->key = out->class == 0;
        out->by = has_names ? KEY_NAME : KEY_ROW;
    }
    if (out->class >= 0 || count != 2)
        return out->class >= 0;
    out->has_header = out->key == 0;
    if (!out->has_header)
        out->by = has_names ? KEY_NAME : KEY_ROW;
    out->key = 0;
    out->class = 1;
    return 1;
}

/* The lines of a table of labels. */
struct lines {
    int64_t count;
    pen_text *keys, *labels; /* [count] */
    int64_t *numbers;        /* [count] of the lines in the file */
};

static pen_status read_lines(const pen_text_job *job, const struct layout *layout, pen_cursor at,
                             struct lines *out)
{
    const int64_t most = pen_most_rows(&at, 1), least = pen_max(layout->key, layout->class);

    PEN_TRY(PEN_NEW(job->run, out->keys, most));
    PEN_TRY(PEN_NEW(job->run, out->labels, most));
    PEN_TRY(PEN_NEW(job->run, out->numbers, most));
    for (int skip = layout->has_header; pen_next_line(&at); skip = 0) {
        enum pen_follows then = PEN_CELL;
        const int64_t line = at.line, i = out->count;
        int64_t j = 0;
        for (; then == PEN_CELL; j++) {
            pen_cell cell;
            then = pen_next_cell(&at, &cell);
            if (then == PEN_MALFORMED)
                return pen_malformed(job->run, job->name, &at);
            if (!skip && (j == layout->key || j == layout->class))
                PEN_TRY(pen_text_take(job, cell, line, j + 1,
                                      j == layout->class ? &out->labels[i] : &out->keys[i]));
        }
        PEN_REQUIRE(job->run, j > least, PEN_BAD_FORMAT,
                    "%s:%lld: expected a row and its class, got %lld cell%s", job->name,
                    (long long)line, (long long)j, j == 1 ? "" : "s");
        out->numbers[i] = line;
        out->count += !skip;
    }
    return PEN_OK;
}

/* rows [count]: of the names in lines; -1: there is none; -2: there are more. */
static pen_status find_names(pen_run *run, const pen_table *all, const struct lines *lines,
                             int64_t *rows)
{
    const int64_t n = all->x.rows + all->dropped_rows;
    int64_t *row;
    int32_t *ids;
    pen_text *texts;

    PEN_TRY(PEN_NEW(run, texts, n + lines->count));
    PEN_TRY(PEN_NEW(run, ids, n + lines->count));
    PEN_TRY(PEN_FILLED(run, row, n + lines->count, -1));
    for (int64_t i = 0; i < n + lines->count; i++)
        texts[i] = i < n ? pen_text_of(all->row_names[i]) : lines->keys[i - n];
    PEN_TRY(pen_number_texts(run, texts, n + lines->count, ids));
    for (int64_t i = 0; i < n; i++)
        row[ids[i]] = row[ids[i]] != -1 ? -2 : all->row_numbers ? all->row_numbers[i] : i;
    for (int64_t i = 0; i < lines->count; i++)
        rows[i] = row[ids[n + i]];
    return PEN_OK;
}

/* Is there the row of line i? *row is that of its name, or becomes its number. */
static pen_status check_row(const pen_text_job *job, enum key by, const struct lines *lines,
                            int64_t i, int64_t *row)
{
    const pen_table *const all = job->options->rows;
    const int is_known =
        by == KEY_NAME ? all->row_names != NULL : pen_is_index(lines->keys[i], row);
    const long long line = lines->numbers[i], n = all->x.rows + all->dropped_rows;
    char quoted[PEN_QUOTE_SIZE];
    const char *const text = pen_quote(lines->keys[i], quoted);

    if (!is_known || (by == KEY_NAME && *row < 0)) {
        pen_fail(job->run, PEN_BAD_DATA, "%s:%lld: %s row is named \"%s\"%s", job->name, line,
                 is_known && *row < -1 ? "more than one" : "no", text,
                 is_known ? "" : ": the rows have no names");
        return pen_hint(job->run, PEN_BAD_DATA, is_known ? 0 : PEN_HINT_ROW_NAMES);
    }
    PEN_REQUIRE(job->run, *row >= 0 && *row < n, PEN_BAD_DATA,
                "%s:%lld: a row number must be in [0, %lld], got \"%s\"", job->name, line, n - 1,
                text);
    return PEN_OK;
}

/* The labels in the order of the rows. */
static pen_status order_lines(const pen_text_job *job, enum key by, const struct lines *lines,
                              pen_text **texts, int64_t *count)
{
    const pen_table *const all = job->options->rows;
    int64_t *rows, *line;
    char quoted[PEN_QUOTE_SIZE];

    PEN_REQUIRE(job->run, all, PEN_BAD_DATA, "%s: its lines name rows, and there are none",
                job->name);
    *count = all->x.rows + all->dropped_rows;
    PEN_TRY(PEN_NEW(job->run, *texts, *count));
    PEN_TRY(PEN_FILLED(job->run, line, *count, 0));
    PEN_TRY(PEN_NEW(job->run, rows, lines->count));
    if (by == KEY_NAME && all->row_names)
        PEN_TRY(find_names(job->run, all, lines, rows));
    for (int64_t i = 0; i < *count; i++)
        (*texts)[i] = pen_text_of("");
    for (int64_t i = 0; i < lines->count; i++) {
        PEN_TRY(check_row(job, by, lines, i, &rows[i]));
        PEN_REQUIRE(job->run, line[rows[i]] == 0, PEN_BAD_DATA,
                    "%s:%lld: the row \"%s\" has a label in line %lld already", job->name,
                    (long long)lines->numbers[i], pen_quote(lines->keys[i], quoted),
                    (long long)line[rows[i]]);
        line[rows[i]] = lines->numbers[i];
        (*texts)[rows[i]] = lines->labels[i];
    }
    return PEN_OK;
}

static pen_status read_table(const pen_text_job *job, pen_cursor at, const struct cells *c,
                             pen_text **texts, int64_t *count)
{
    struct lines lines = { .count = 0 };
    struct layout layout;
    pen_cursor first = at;

    PEN_REQUIRE(job->run, pen_next_line(&first) && find_layout(job->options, first, &layout),
                PEN_BAD_FORMAT,
                "%s:%lld: expected one label per line, or a row and its class, got %lld cells; "
                "quote labels that contain %s",
                job->name, (long long)c->line, (long long)c->count,
                at.delimiter == '\t'  ? "tabs"
                : at.delimiter == ' ' ? "blanks"
                : at.delimiter == ',' ? "','"
                                      : "';'");
    PEN_TRY(read_lines(job, &layout, at, &lines));
    if (layout.by != KEY_NONE)
        return order_lines(job, layout.by, &lines, texts, count);
    *texts = lines.labels;
    *count = lines.count;
    return PEN_OK;
}

/* ---- a text ---- */

/* libsvm rows begin with a number, so "ratio 1:2" is a label. */
static int is_libsvm(const pen_input *input)
{
    const char *const text = (const char *)input->data;
    double value;

    return pen_format_libsvm.recognizes(input) && pen_number_read(text, input->size, &value) > 0;
}

/* Has the first line, cut there, a cell "class"? Names of classes may have any other delimiter. */
static int has_class_cell(pen_cursor at, char delimiter)
{
    enum pen_follows then = PEN_CELL;
    int64_t count = 0;
    int found = 0;
    pen_cell cell;

    at.delimiter = delimiter;
    for (pen_next_line(&at); then == PEN_CELL; count++) {
        then = pen_next_cell(&at, &cell);
        found |= pen_text_equal(cell.text, pen_text_of("class"));
    }
    return found && count > 1;
}

pen_status pen_label_table(pen_run *run, const pen_input *input, const pen_read_options *options,
                           pen_cursor at, pen_text **texts, int64_t *count)
{
    static const char delimiters[] = { ',', ';', '\t', ' ' };
    const pen_text_job job = { .run = run, .name = input->name, .options = options };
    struct cells cells;

    *texts = NULL;
    PEN_REQUIRE(run, !is_libsvm(input), PEN_BAD_FORMAT,
                "%s: expected one label per line, got libsvm rows, which include their labels",
                input->name);
    for (size_t i = 0; i < 2 * sizeof delimiters; i++) {
        const char delimiter = delimiters[i % sizeof delimiters];
        if (i < sizeof delimiters && !has_class_cell(at, delimiter))
            continue;
        if (cut_lines(at, delimiter, &cells) && is_table(&cells, delimiter)) {
            at.delimiter = delimiter;
            return read_table(&job, at, &cells, texts, count);
        }
    }
    return PEN_OK;
}
