/* text.c - tables as text: cells separated by commas, semicolons, tabs or blanks, as in RFC 4180
 * and as R, spreadsheets and NumPy write them.
 *
 * The bytes are parsed in place: a cell is a slice of them. Messages name file:line:column; the
 * column is the number of the cell in its row, and line breaks in quoted cells are counted. Blank
 * lines are skipped; in a file of labels every line is a row. */
#include "io/columns.h"

#include "core/number.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLE_LINES = 8,       /* lines that decide about delimiter and header */
    SAMPLE_BYTES = 1 << 16, /* and how far to read for them */
    CONTENT_BYTES = 4096    /* bytes that decide whether a file is text */
};

/* ---- cells ---- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int is_line_end(char c)
{
    return c == '\n' || c == '\r';
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

/* Skip CR, LF or CR LF, or nothing at the end of the text. */
static void skip_line_end(pen_cursor *at)
{
    if (at->p < at->end && *at->p == '\r')
        at->p++;
    if (at->p < at->end && *at->p == '\n')
        at->p++;
    at->line++;
    at->column = 1;
}

/* The text between quotes; the cursor is after the opening quote. */
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

/* An unquoted cell. */
static void read_plain(pen_cursor *at, pen_cell *cell)
{
    const char *p = at->p;

    if (at->delimiter == ' ')
        while (p < at->end && !is_blank(*p) && !is_line_end(*p))
            p++;
    else
        while (p < at->end && *p != at->delimiter && !is_line_end(*p))
            p++;
    cell->text = pen_trim((pen_text){ at->p, (size_t)(p - at->p) });
    at->p = p;
}

enum pen_follows pen_next_cell(pen_cursor *at, pen_cell *cell)
{
    const int64_t line = at->line;

    *cell = (pen_cell){ .escaped = 0 };
    skip_blanks(at);
    if (at->p < at->end && *at->p == '"') {
        at->p++;
        if (!read_quoted(at, cell)) {
            at->line = line;
            return PEN_MALFORMED;
        }
    } else {
        read_plain(at, cell);
    }
    const char *const after = at->p;
    skip_blanks(at);
    if (at->p == at->end || is_line_end(*at->p)) {
        skip_line_end(at);
        return PEN_LINE;
    }
    if (at->delimiter == ' ' ? at->p == after : *at->p != at->delimiter) {
        at->line = line;
        return PEN_MALFORMED;
    }
    at->p += at->delimiter != ' ';
    at->column++;
    return PEN_CELL;
}

/* The fast path: a number followed by a delimiter or the end of the line. PEN_MALFORMED: the cell
 * is anything else, and the cursor does not move. */
static enum pen_follows next_number(pen_cursor *at, double *value)
{
    pen_cursor ahead = *at;

    skip_blanks(&ahead);
    const size_t used = pen_number_read(ahead.p, (size_t)(ahead.end - ahead.p), value);
    ahead.p += used;
    const char *const after = ahead.p;
    if (at->delimiter == ' ')
        skip_blanks(&ahead);
    if (used == 0 || !isfinite(*value) || ahead.p == ahead.end)
        return PEN_MALFORMED;
    if (is_line_end(*ahead.p)) {
        skip_line_end(&ahead);
        *at = ahead;
        return PEN_LINE;
    }
    if (at->delimiter == ' ' ? ahead.p == after : *ahead.p != at->delimiter)
        return PEN_MALFORMED;
    ahead.p += at->delimiter != ' ';
    ahead.column++;
    *at = ahead;
    return PEN_CELL;
}

int pen_next_line(pen_cursor *at)
{
    while (at->p < at->end) {
        pen_cursor ahead = *at;
        skip_blanks(&ahead);
        if (ahead.p == ahead.end)
            return 0;
        if (!is_line_end(*ahead.p))
            return 1;
        skip_line_end(&ahead);
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

/* Count the cells of the line at the cursor and move to the next line; 0 if it is malformed. */
static int64_t count_cells(pen_cursor *at)
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

static int is_number(pen_cell cell)
{
    double value;
    return pen_number_is(cell.text.start, cell.text.length, &value);
}

/* Also a number that pen_value refuses for its decimal comma. */
static int is_meant_as_number(pen_cell cell)
{
    return is_number(cell) || pen_has_decimal_comma(cell.text);
}

/* ---- delimiter and header, from the first lines ---- */

/* How well a delimiter fits the first lines: the more numbers the better, then lines with equal
 * numbers of cells. The first line may have one cell less. */
static int64_t fit_of(pen_cursor at, char delimiter)
{
    const char *const begin = at.p;
    int64_t numbers = 0, width = 0;
    int equal = 1;

    at.delimiter = delimiter;
    for (int line = 0; line < SAMPLE_LINES && at.p - begin < SAMPLE_BYTES && pen_next_line(&at);
         line++) {
        pen_cell cell;
        enum pen_follows then;
        int64_t cells = 0;
        do {
            then = pen_next_cell(&at, &cell);
            numbers +=
                is_meant_as_number(cell) || (cell.text.length > 0 && pen_is_missing(cell.text));
            cells++;
        } while (then == PEN_CELL && at.p - begin < SAMPLE_BYTES);
        if (then != PEN_LINE)
            break;
        equal &= line == 0 || cells == width || (line == 1 && cells == width + 1);
        width = cells;
    }
    return 2 * numbers + equal;
}

char pen_find_delimiter(pen_cursor at)
{
    static const char known[] = { ',', ';', '\t', ' ' };
    char best = known[0];
    int64_t most = -1;

    for (size_t i = 0; i < sizeof known; i++) {
        const int64_t score = fit_of(at, known[i]);
        if (score > most) {
            most = score;
            best = known[i];
        }
    }
    return best;
}

/* Is the first line a header: does it have a cell that is not a number above one that is? A header
 * may omit the name of the column of row names. */
static int has_header(pen_cursor at, const pen_cell *first, int64_t cells)
{
    const char *const begin = at.p;

    for (int line = 0; line < SAMPLE_LINES && at.p - begin < SAMPLE_BYTES && pen_next_line(&at);
         line++) {
        pen_cursor ahead = at;
        pen_cell cell;
        enum pen_follows then;
        int64_t above = count_cells(&ahead) == cells + 1 ? -1 : 0;
        do {
            then = pen_next_cell(&at, &cell);
            if (above >= 0 && above < cells && is_meant_as_number(cell) && !is_number(first[above])
                && !pen_is_missing(first[above].text))
                return 1;
            above++;
        } while (then == PEN_CELL);
        if (then == PEN_MALFORMED)
            return 0;
    }
    return 0;
}

/* ---- a table ---- */

struct job {
    pen_run *run;
    const char *name;
    const pen_read_options *options;
    pen_table *table;
    pen_cursor at;
    int64_t columns;    /* cells of a row */
    int64_t first_line; /* of the first row, which sets `columns` */
    pen_text *header;   /* [columns], or NULL */
    pen_columns roles;
    pen_text *labels, *row_names; /* [rows], if there is such a column */
    pen_text *kept;               /* [rows x kept columns], likewise */
    int64_t holes;                /* missing values among the rows kept */
};

/* The characters of a cell that is kept as text: in place or, if it contains escaped quotes,
 * unescaped in scratch memory. */
static pen_status take_text(const struct job *job, pen_cell cell, int64_t line, int64_t column,
                            pen_text *out)
{
    char *copy;
    size_t length = 0;

    PEN_REQUIRE(job->run, cell.text.length == 0 || !memchr(cell.text.start, '\0', cell.text.length),
                PEN_BAD_FORMAT, "%s:%lld:%lld: text must not contain a NUL byte", job->name,
                (long long)line, (long long)column);
    *out = cell.text;
    if (!cell.escaped)
        return PEN_OK;
    PEN_TRY(PEN_NEW(job->run, copy, (int64_t)cell.text.length));
    for (size_t i = 0; i < cell.text.length; i++) {
        copy[length++] = cell.text.start[i];
        i += cell.text.start[i] == '"';
    }
    *out = (pen_text){ copy, length };
    return PEN_OK;
}

/* Read the cells of the line at the cursor and move past it. */
static pen_status read_cells(struct job *job, pen_cell **out, int64_t *count)
{
    pen_cursor ahead = job->at;

    *count = count_cells(&ahead);
    if (*count == 0)
        return pen_malformed(job->run, job->name, &ahead);
    PEN_TRY(PEN_NEW(job->run, *out, *count));
    for (int64_t j = 0; j < *count; j++)
        pen_next_cell(&job->at, &(*out)[j]);
    return PEN_OK;
}

/* Take a header that names all columns, or all but the first. */
static pen_status take_header(struct job *job, const pen_cell *cells, int64_t count, int64_t line)
{
    const int64_t shift = job->columns - count;

    PEN_REQUIRE(job->run, shift == 0 || shift == 1, PEN_BAD_FORMAT,
                "%s:%lld: the header must have %lld cells, like the rows, got %lld", job->name,
                (long long)line, (long long)job->columns, (long long)count);
    PEN_TRY(PEN_NEW(job->run, job->header, job->columns));
    job->header[0] = (pen_text){ "", 0 };
    for (int64_t j = 0; j < count; j++)
        PEN_TRY(take_text(job, cells[j], line, j + 1, &job->header[j + shift]));
    return PEN_OK;
}

/* Determine the number of columns and whether there is a header, and go to the first row. */
static pen_status read_top(struct job *job)
{
    const pen_header wanted = job->options->header;
    pen_cell *cells = NULL;
    int64_t count, numbers = 0;

    PEN_REQUIRE(job->run, pen_next_line(&job->at), PEN_BAD_DATA, "%s: no rows, only blank lines",
                job->name);
    const pen_cursor top = job->at;
    PEN_TRY(read_cells(job, &cells, &count));
    const int more = pen_next_line(&job->at);
    for (int64_t j = 0; j < count; j++)
        numbers += is_number(cells[j]) || pen_is_missing(cells[j].text);
    PEN_REQUIRE(job->run,
                more || wanted == PEN_HEADER_NO || (wanted == PEN_HEADER_AUTO && numbers > 0),
                PEN_BAD_DATA, "%s: no rows, only a header", job->name);
    if (wanted == PEN_HEADER_NO
        || (wanted == PEN_HEADER_AUTO && !has_header(job->at, cells, count))) {
        job->at = top;
        job->columns = count;
        job->first_line = top.line;
        return PEN_OK;
    }
    pen_cursor ahead = job->at;
    job->columns = count_cells(&ahead);
    job->first_line = job->at.line;
    if (job->columns == 0)
        return pen_malformed(job->run, job->name, &ahead);
    return take_header(job, cells, count, top.line);
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

/* Where the text of column j goes, a label, a name or a cell that is kept; NULL: nowhere. */
static pen_text *place_of(const struct job *job, int64_t row, int64_t j)
{
    const int64_t kept = job->roles.number[PEN_COLUMN_KEPT];

    switch (job->roles.roles[j]) {
    case PEN_COLUMN_LABEL:
        return &job->labels[row];
    case PEN_COLUMN_ROW_NAME:
        return &job->row_names[row];
    case PEN_COLUMN_KEPT:
        return &job->kept[row * kept + job->roles.places[j]];
    default:
        return NULL;
    }
}

/* Read the row at the cursor: values [value columns], and its texts at `row`. *holes is the number
 * of missing values. */
static pen_status read_row(struct job *job, double *values, int64_t row, int64_t *holes)
{
    const int64_t line = job->at.line;
    int64_t j = 0;
    enum pen_follows then = PEN_CELL;

    *holes = 0;
    for (; then == PEN_CELL; j++) {
        pen_cell cell;
        const int64_t cell_line = job->at.line;
        const int is_value = j < job->columns && job->roles.roles[j] == PEN_COLUMN_VALUE;
        double *const value = is_value ? &values[job->roles.places[j]] : NULL;
        if (is_value && (then = next_number(&job->at, value)) != PEN_MALFORMED)
            continue;
        then = pen_next_cell(&job->at, &cell);
        if (then == PEN_MALFORMED)
            return pen_malformed(job->run, job->name, &job->at);
        if (j >= job->columns)
            continue;
        pen_text *const text = is_value ? NULL : place_of(job, row, j);
        if (is_value) {
            PEN_TRY(pen_value(job->run, job->name, cell_line, j + 1, cell.text,
                              job->options->missing, value));
            *holes += isnan(*value) != 0;
        } else if (text) {
            PEN_TRY(take_text(job, cell, cell_line, j + 1, text));
        }
    }
    PEN_REQUIRE(job->run, j == job->columns, PEN_BAD_FORMAT,
                "%s:%lld: expected %lld cells, as in line %lld, got %lld", job->name,
                (long long)line, (long long)job->columns, (long long)job->first_line, (long long)j);
    return PEN_OK;
}

static pen_status make_room(struct job *job, int64_t rows)
{
    const int64_t *const number = job->roles.number;

    if (number[PEN_COLUMN_LABEL] > 0)
        PEN_TRY(PEN_NEW(job->run, job->labels, rows));
    if (number[PEN_COLUMN_ROW_NAME] > 0)
        PEN_TRY(PEN_NEW(job->run, job->row_names, rows));
    if (number[PEN_COLUMN_KEPT] > 0)
        PEN_TRY(PEN_NEW(job->run, job->kept, pen_times(rows, number[PEN_COLUMN_KEPT])));
    return PEN_OK;
}

static pen_status read_rows(struct job *job, const pen_input *input)
{
    pen_table *table = job->table;
    const int64_t most = pen_most_rows(&job->at, job->columns),
                  cols = job->roles.number[PEN_COLUMN_VALUE];
    double *const values = pen_table_rows(job->run, input, table, most, cols, PEN_F64);
    int64_t rows = 0, holes;

    if (!values)
        return PEN_NO_MEMORY;
    PEN_TRY(make_room(job, most));
    table->x = pen_dense(values, PEN_F64, 0, cols, cols);
    while (pen_next_line(&job->at)) {
        PEN_TRY(read_row(job, values + rows * cols, rows, &holes));
        if (holes > 0 && job->options->missing == PEN_MISSING_DROP) {
            table->dropped_rows++;
            continue;
        }
        job->holes += holes;
        rows++;
    }
    PEN_REQUIRE(job->run, rows > 0, PEN_BAD_DATA, "%s: no rows left: all %lld have missing values",
                job->name, (long long)table->dropped_rows);
    table->x.rows = rows;
    return PEN_OK;
}

/* Everything but the values: names and labels. */
static pen_status read_rest(struct job *job, const pen_input *input)
{
    pen_table *table = job->table;

    if (job->holes > 0)
        PEN_TRY(pen_table_fill(job->run, input, table));
    if (job->labels)
        PEN_TRY(pen_table_label(job->run, table, job->labels, table->x.rows,
                                job->options->unlabelled, PEN_LABELS_TEXT));
    if (job->row_names)
        PEN_TRY(pen_table_keep_texts(job->run, table, job->row_names, table->x.rows,
                                     &table->row_names));
    if (job->kept)
        PEN_TRY(pen_table_keep_texts(job->run, table, job->kept,
                                     pen_times(table->x.rows, job->roles.number[PEN_COLUMN_KEPT]),
                                     &table->kept));
    return pen_columns_describe(job->run, &job->roles, table);
}

pen_cursor pen_text_open(const pen_input *input)
{
    const unsigned char *p = input->data;
    const size_t size = input->size,
                 mark = size >= 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF ? 3 : 0;

    return (pen_cursor){ .p = (const char *)p + mark,
                         .end = (const char *)p + size,
                         .line = 1,
                         .column = 1,
                         .delimiter = '\n' };
}

static pen_status read_table(pen_run *run, const pen_input *input, const pen_read_options *options,
                             pen_table *table)
{
    struct job job = { .run = run, .name = input->name, .options = options, .table = table };

    job.at = pen_text_open(input);
    job.at.delimiter = options->delimiter ? options->delimiter : pen_find_delimiter(job.at);
    PEN_TRY(read_top(&job));
    PEN_TRY(pen_columns_assign(run, job.name, job.header, job.columns, options, &job.roles));
    PEN_TRY(read_rows(&job, input));
    return read_rest(&job, input);
}

/* ---- labels, one per line ---- */

/* Is the first of texts [count] a header: neither a number nor missing, while all others are? */
static int is_label_header(const pen_text *texts, int64_t count)
{
    double value;
    int64_t numbers = 0;

    if (pen_is_missing(texts[0]) || pen_number_is(texts[0].start, texts[0].length, &value))
        return 0;
    for (int64_t i = 1; i < count; i++) {
        if (pen_number_is(texts[i].start, texts[i].length, &value))
            numbers++;
        else if (!pen_is_missing(texts[i]))
            return 0;
    }
    return numbers > 0;
}

static pen_status read_labels(pen_run *run, const pen_input *input, const pen_read_options *options,
                              pen_table *table)
{
    struct job job = { .run = run, .name = input->name, .options = options, .table = table };
    int64_t count = 0;

    job.at = pen_text_open(input);
    PEN_TRY(pen_check_label_lines(run, input, job.at));
    PEN_TRY(PEN_NEW(run, job.labels, pen_most_rows(&job.at, 1)));
    while (job.at.p < job.at.end) {
        const int64_t line = job.at.line;
        pen_cell cell;
        if (pen_next_cell(&job.at, &cell) == PEN_MALFORMED)
            return pen_malformed(run, input->name, &job.at);
        PEN_TRY(take_text(&job, cell, line, 1, &job.labels[count++]));
    }
    const int64_t skip =
        count > 0
        && (options->header == PEN_HEADER_YES
            || (options->header == PEN_HEADER_AUTO && is_label_header(job.labels, count)));
    PEN_REQUIRE(run, count > skip, PEN_BAD_DATA, "%s: no labels%s", input->name,
                skip ? ", only a header" : "");
    table->x = pen_dense(NULL, PEN_F64, count - skip, 0, 0);
    return pen_table_label(run, table, job.labels + skip, count - skip, options->unlabelled,
                           PEN_LABELS_TEXT);
}

/* ---- the format ---- */

/* Text has no control characters except white space. */
static int recognizes(const pen_input *input)
{
    const size_t size = input->size < CONTENT_BYTES ? input->size : CONTENT_BYTES;

    for (size_t i = 0; i < size; i++)
        if (input->data[i] < 0x20 && !is_blank((char)input->data[i])
            && !is_line_end((char)input->data[i]))
            return 0;
    return 1;
}

static const char *const extensions[] = { ".csv", ".tsv", ".txt", ".dat", ".data", ".asc", NULL };

const pen_format pen_format_text = { .name = "text",
                                     .extensions = extensions,
                                     .recognizes = recognizes,
                                     .read = read_table,
                                     .read_labels = read_labels,
                                     .has_columns = 1 };
