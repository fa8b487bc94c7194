/* labels_file.c - files of labels as text: a list, or a table.
 *
 * A label may contain blanks (New York) and occasionally a comma, so each line is one label. The
 * file is a table if most lines have several cells separated by commas, semicolons or tabs, or if
 * blanks cut all lines into the same number of cells, which are numbers or begin with row numbers.
 * One column of a table has the labels, and another may name the rows. */
#include "io/read.h"

#include "io/cell_grid.h"
#include "io/table/class_labels.h"
#include "io/text/text_job.h"

/* The cells of a text for one delimiter. */
struct cells {
    int64_t lines, wide; /* the number of lines, and of those with several cells */
    int64_t line, count; /* the first line with several cells, and their number */
    int equal;           /* all lines have `count` cells */
    int numbers;         /* all cells are numbers, except perhaps in the first line */
    int numbered;        /* first cells count up from 0 or 1, except perhaps in the first line */
    int has_class;       /* the first line has a cell "class" */
    int64_t next;        /* the next number to expect; negative: not started */
};

/* Is the text the next number to expect? */
static int counts(struct cells *c, pen_text text)
{
    int64_t number;

    if (!pen_is_index(text, &number)
        || (c->next < 0 ? number > 1 || number < 0 : number != c->next))
        return 0;
    c->next = number + 1;
    return 1;
}

/* Cuts up to `most` first lines. Returns 0 if quotes are malformed for this delimiter. */
static int cut_lines(pen_cursor at, char delimiter, int64_t most, struct cells *c)
{
    double value;
    pen_cell cell;

    *c = (struct cells){ .equal = 1, .numbers = 1, .numbered = 1, .next = -1 };
    at.delimiter = delimiter;
    pen_sample s = pen_sample_of(at, most, INT64_MAX);
    while (pen_sample_next(&s, &cell)) {
        const int64_t count = s.column + 1;
        c->has_class |= s.lines == 1 && pen_text_equal(cell.text, pen_text_of("class"));
        if (s.column == 0 && !counts(c, cell.text) && s.lines > 1)
            c->numbered = 0;
        if (s.lines > 1 && !pen_is_missing(cell.text) && !pen_is_number(cell.text, '.', &value))
            c->numbers = 0;
        if (s.then != PEN_LINE)
            continue;
        if (count > 1 && c->wide++ == 0) {
            c->line = s.line.line;
            c->count = count;
        }
        c->equal &= count == c->count;
    }
    c->lines = s.lines;
    return s.then != PEN_MALFORMED;
}

static int is_table(const struct cells *c, char delimiter)
{
    if (delimiter != ' ')
        return 2 * c->wide > c->lines;
    return c->wide > 0 && c->equal && c->lines > 1 && (c->numbers || c->numbered);
}

/* Is it a table? If so, sets at->delimiter, preferably to one that gives the first line a cell
 * "class", because names of classes may contain the others. */
static int find_table(pen_cursor *at, struct cells *cells)
{
    static const char delimiters[] = { ',', ';', '\t', ' ' };

    for (size_t i = 0; i < 2 * sizeof delimiters; i++) {
        const char delimiter = delimiters[i % sizeof delimiters];
        if (i < sizeof delimiters
            && !(cut_lines(*at, delimiter, 1, cells) && cells->has_class && cells->wide))
            continue;
        if (cut_lines(*at, delimiter, INT64_MAX, cells) && is_table(cells, delimiter)) {
            at->delimiter = delimiter;
            return 1;
        }
    }
    return 0;
}

/* ---- a table ---- */

struct layout {
    int64_t class, key; /* columns; key: the row of a line; -1: lines are in row order */
    int by_name;        /* the key is a name, not a number */
    int has_header;
};

static int is_name(const pen_read_options *options, pen_text cell, int64_t column)
{
    return pen_text_equal(cell, pen_text_of("name")) || (cell.length == 0 && column == 0)
           || (options->name_column && pen_text_equal(cell, pen_text_of(options->name_column)));
}

/* Takes the layout from the first line. Returns 0 if this is not a table of labels. */
static int find_layout(const pen_read_options *options, const pen_cell_grid *grid,
                       struct layout *out)
{
    const int has_names = options->rows && options->rows->row_names;
    int64_t name = -1, row = -1;

    *out = (struct layout){ .class = -1, .has_header = 1 };
    for (int64_t j = 0; j < grid->columns; j++) {
        const pen_text text = grid->cells[j];
        if (pen_text_equal(text, pen_text_of("class")))
            out->class = j;
        else if (pen_text_equal(text, pen_text_of("row")))
            row = j;
        else if (is_name(options, text, j))
            name = j;
    }
    out->key = row >= 0 && (name < 0 || !has_names) ? row : name;
    out->by_name = out->key != row;
    if (out->class < 0) { /* a row and its class */
        out->has_header = out->key == 0;
        out->by_name = out->has_header ? out->by_name : has_names;
        out->key = 0;
        out->class = 1;
        return grid->columns == 2;
    }
    if (out->key < 0 && grid->columns > 1
        && (has_names || (grid->columns == 2 && out->class == 1))) { /* id,class */
        out->key = out->class == 0;
        out->by_name = has_names;
    }
    return 1;
}

/* The lines of a table of labels. */
struct lines {
    int64_t count;
    pen_text *keys, *labels; /* [count] */
    const int64_t *numbers;  /* [count] of the lines in the file */
    int64_t *rows;           /* [count] the row of each line, or a value below */
};
enum { NO_ROW = -1, SEVERAL_ROWS = -2, NO_NUMBER = INT32_MIN };

static pen_status take_lines(const pen_cell_grid *grid, const struct layout *layout,
                             struct lines *out)
{
    const int64_t first = layout->has_header;

    *out = (struct lines){ .count = grid->rows - first, .numbers = grid->lines + first };
    PEN_TRY(PEN_NEW(grid->run, out->keys, out->count));
    PEN_TRY(PEN_NEW(grid->run, out->labels, out->count));
    PEN_TRY(PEN_NEW(grid->run, out->rows, out->count));
    for (int64_t i = 0; i < out->count; i++) {
        const pen_text *const cells = grid->cells + (first + i) * grid->columns;
        out->labels[i] = cells[layout->class];
        if (layout->key < 0)
            continue;
        out->keys[i] = cells[layout->key];
        if (pen_whole_of_text(out->keys[i], &out->rows[i]) != PEN_WHOLE)
            out->rows[i] = NO_NUMBER;
    }
    return PEN_OK;
}

/* Finds the rows of the names in lines. */
static pen_status find_names(pen_run *run, const pen_table *all, struct lines *lines)
{
    const int64_t n = all->x.rows + all->dropped_rows;
    int64_t *row;
    int32_t *ids;
    pen_text *texts;

    PEN_TRY(PEN_NEW(run, texts, n + lines->count));
    PEN_TRY(PEN_NEW(run, ids, n + lines->count));
    PEN_TRY(PEN_FILLED(run, row, n + lines->count, NO_ROW));
    for (int64_t i = 0; i < n + lines->count; i++)
        texts[i] = i < n ? pen_text_of(all->row_names[i]) : lines->keys[i - n];
    PEN_TRY(pen_number_texts(run, texts, n + lines->count, ids, NULL));
    for (int64_t i = 0; i < n; i++)
        row[ids[i]] = row[ids[i]] != NO_ROW ? SEVERAL_ROWS
                      : all->row_numbers    ? all->row_numbers[i]
                                            : i;
    for (int64_t i = 0; i < lines->count; i++)
        lines->rows[i] = row[ids[n + i]];
    return PEN_OK;
}

/* Does the row of line i exist? */
static pen_status check_row(const pen_text_job *job, int by_name, const struct lines *lines,
                            int64_t i)
{
    const pen_table *const all = job->options->rows;
    const int64_t row = lines->rows[i], n = all->x.rows + all->dropped_rows;
    const int is_known = by_name ? all->row_names != NULL : row != NO_NUMBER;
    const long long line = lines->numbers[i];
    char quoted[PEN_QUOTE_SIZE];
    const char *const text = pen_quote(lines->keys[i], quoted);

    if (!is_known || (by_name && row < 0)) {
        pen_fail(job->run, PEN_BAD_DATA, "%s:%lld: %s row is named \"%s\"%s", job->name, line,
                 is_known && row == SEVERAL_ROWS ? "more than one" : "no", text,
                 is_known ? "" : ": the rows have no names");
        return pen_hint(job->run, PEN_BAD_DATA, is_known ? 0 : PEN_HINT_ROW_NAMES);
    }
    PEN_REQUIRE(job->run, row >= 0 && row < n, PEN_BAD_DATA,
                "%s:%lld: a row number must be in [0, %lld], got \"%s\"", job->name, line,
                (long long)n - 1, text);
    return PEN_OK;
}

/* Puts the labels in row order. */
static pen_status order_lines(pen_text_job *job, int by_name, struct lines *lines, int64_t *count)
{
    const pen_table *const all = job->options->rows;
    pen_text **const texts = &job->texts[PEN_COLUMN_LABEL];
    int64_t *line;
    char quoted[PEN_QUOTE_SIZE];

    PEN_REQUIRE(job->run, all, PEN_BAD_DATA, "%s: its lines name rows, but no rows are given",
                job->name);
    *count = all->x.rows + all->dropped_rows;
    PEN_TRY(PEN_NEW(job->run, *texts, *count));
    PEN_TRY(PEN_FILLED(job->run, line, *count, 0));
    if (by_name && all->row_names)
        PEN_TRY(find_names(job->run, all, lines));
    for (int64_t i = 0; i < *count; i++)
        (*texts)[i] = pen_text_of("");
    for (int64_t i = 0; i < lines->count; i++) {
        const int64_t row = lines->rows[i];
        PEN_TRY(check_row(job, by_name, lines, i));
        PEN_REQUIRE(job->run, line[row] == 0, PEN_BAD_DATA,
                    "%s:%lld: the row \"%s\" has a label in line %lld already", job->name,
                    (long long)lines->numbers[i], pen_quote(lines->keys[i], quoted),
                    (long long)line[row]);
        line[row] = lines->numbers[i];
        (*texts)[row] = lines->labels[i];
    }
    return PEN_OK;
}

static pen_status read_table(pen_text_job *job, const struct cells *c, int64_t *count)
{
    pen_cell_grid grid = { .run = job->run, .name = job->name };
    struct lines lines;
    struct layout layout;
    const char delimiter = job->at.delimiter;

    PEN_TRY(pen_cell_grid_read_lines(&grid, job->at));
    PEN_REQUIRE(job->run, find_layout(job->options, &grid, &layout), PEN_BAD_FORMAT,
                "%s:%lld: expected one label per line, or a row and its class, got %lld cells; "
                "quote labels that contain %s",
                job->name, (long long)c->line, (long long)c->count,
                delimiter == '\t'  ? "tabs"
                : delimiter == ' ' ? "blanks"
                : delimiter == ',' ? "','"
                                   : "';'");
    PEN_TRY(take_lines(&grid, &layout, &lines));
    *count = lines.count;
    job->texts[PEN_COLUMN_LABEL] = lines.labels;
    return layout.key < 0 ? PEN_OK : order_lines(job, layout.by_name, &lines, count);
}

/* ---- a list, or a table ---- */

/* Is the first of texts [count] a header? It is "class", or the only text that is neither a number
 * nor missing, above some number. */
static int is_header(const pen_text *texts, int64_t count)
{
    double value;
    int64_t numbers = 0;

    if (pen_text_equal(texts[0], pen_text_of("class")))
        return 1;
    if (pen_is_mark(texts[0]) || pen_is_number(texts[0], '.', &value))
        return 0;
    for (int64_t i = 1; i < count; i++) {
        if (pen_is_number(texts[i], '.', &value))
            numbers++;
        else if (!pen_is_mark(texts[i]))
            return 0;
    }
    return numbers > 0;
}

/* Reads a label from each line, even a blank one. skip: the first line is a header. */
static pen_status read_list(pen_text_job *job, int64_t *count, int *skip)
{
    pen_cell_grid grid = { .run = job->run, .name = job->name, .blank_rows = 1, .columns = 1 };
    pen_text **const texts = &job->texts[PEN_COLUMN_LABEL];
    const int header = job->options->header;

    PEN_TRY(pen_cell_grid_read_lines(&grid, job->at));
    *texts = grid.cells;
    *count = grid.rows;
    *skip = *count > 0 && (header == 1 || (header == 0 && is_header(*texts, *count)));
    *texts += *skip;
    *count -= *skip;
    return PEN_OK;
}

pen_status pen_read_text_labels(pen_run *run, const pen_input *input,
                                const pen_read_options *options, pen_table *table)
{
    pen_text_job job = {
        .run = run, .name = input->name, .options = options, .at = pen_text_open(input, options)
    };
    struct cells cells;
    int64_t count = 0;
    int skip = 0;

    PEN_REQUIRE(run, !options->transpose, PEN_BAD_ARGUMENT,
                "%s: a file of labels cannot be transposed", input->name);
    if (find_table(&job.at, &cells))
        PEN_TRY(read_table(&job, &cells, &count));
    else
        PEN_TRY(read_list(&job, &count, &skip));
    PEN_REQUIRE(run, count > 0 || options->allow_empty, PEN_BAD_DATA, "%s: no labels%s",
                input->name, skip ? ", only a header" : "");
    table->x = pen_dense(NULL, PEN_F64, count, 0, 0);
    return pen_table_label(run, table, job.texts[PEN_COLUMN_LABEL], count, options,
                           PEN_LABELS_TEXT);
}
