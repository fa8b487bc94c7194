/* text.c - tables as text: cells separated by commas, semicolons, tabs or blanks, as in RFC 4180
 * and as R, spreadsheets and NumPy write them; and lists of labels.
 *
 * Messages name file:line:column; the column is the number of the cell in its row. Blank lines are
 * skipped; in a file of labels every line is a row. */
#include "io/block.h"
#include "io/text_job.h"

#include "core/number.h"

#include <string.h>

enum { CONTENT_BYTES = 4096 }; /* bytes that decide whether a file is text */

/* ---- rows ---- */

/* Where the text of column j goes, a label, a group, a name or a cell that is kept; NULL:
 * nowhere. */
static pen_text *place_of(const pen_text_job *job, int64_t row, int64_t j)
{
    const int64_t kept = job->roles.number[PEN_COLUMN_CARRIED],
                  labels = job->roles.number[PEN_COLUMN_LABEL];

    switch (job->roles.roles[j]) {
    case PEN_COLUMN_LABEL:
        return &job->labels[row * labels + job->roles.places[j]];
    case PEN_COLUMN_GROUP:
        return &job->groups[row];
    case PEN_COLUMN_ROW_NAME:
        return &job->row_names[row];
    case PEN_COLUMN_CARRIED:
        return &job->kept[row * kept + job->roles.places[j]];
    default:
        return NULL;
    }
}

/* A cell of a value column that is not simply a number. */
static pen_status read_value(pen_text_job *job, pen_cell cell, int64_t line, int64_t j,
                             double *value)
{
    const enum pen_meaning meaning = pen_meaning_of(&job->rules, cell.text, value);

    if (meaning == PEN_MEANS_NUMBER
        || (meaning == PEN_MEANS_MISSING && job->rules.missing != PEN_MISSING_ERROR))
        return PEN_OK;
    return pen_text_refuse(job, line, j, cell.text);
}

/* Any other cell. */
static pen_status read_text(pen_text_job *job, pen_cell cell, int64_t line, int64_t j, int64_t row)
{
    pen_text *const text = place_of(job, row, j);

    return text ? pen_text_take(job, cell, line, j + 1, text) : PEN_OK;
}

/* The label of a row of several columns, one for each class: that whose cell is 1, or none. It
 * takes the place of a cell that is no longer needed. */
static pen_status choose_label(const pen_text_job *job, int64_t line, int64_t row)
{
    const int64_t count = job->roles.number[PEN_COLUMN_LABEL];
    const pen_text *const cells = job->labels + row * count, *chosen = NULL;
    char quoted[2][PEN_QUOTE_SIZE];

    for (int64_t k = 0; k < count; k++) {
        const pen_text cell = pen_trim(cells[k]), *const class = &job->classes[k];
        double value = 0;
        const int known = pen_number_is(cell.start, cell.length, &value) || pen_is_mark(cell);
        PEN_REQUIRE(job->run, known && (value == 0 || value == 1 || value == -1), PEN_BAD_FORMAT,
                    "%s:%lld: %s in column %s must be 1 in rows of this class, otherwise 0",
                    job->name, (long long)line, pen_quote(cell, quoted[0]),
                    pen_quote(*class, quoted[1]));
        PEN_REQUIRE(job->run, value != 1 || !chosen, PEN_BAD_FORMAT,
                    "%s:%lld: 1 in the columns of two classes, %s and %s", job->name,
                    (long long)line, pen_quote(*chosen, quoted[0]), pen_quote(*class, quoted[1]));
        chosen = value == 1 ? class : chosen;
    }
    job->labels[row] = chosen ? *chosen : pen_text_of("");
    return PEN_OK;
}

/* Read the row at the cursor: values [value columns], NaN where they are missing, and its texts at
 * `row`. */
static pen_status read_row(pen_text_job *job, double *values, int64_t row)
{
    const pen_cursor begin = job->at;
    int64_t j = 0;
    enum pen_follows then = PEN_CELL;

    for (; then == PEN_CELL; j++) {
        pen_cell cell;
        const int64_t line = job->at.line;
        const int is_value = j < job->columns && job->roles.roles[j] == PEN_COLUMN_VALUE;
        double *const value = is_value ? &values[job->roles.places[j]] : NULL;
        if (is_value && job->is_fast && (then = pen_next_number(&job->at, value)) != PEN_MALFORMED)
            continue;
        then = pen_next_cell(&job->at, &cell);
        if (then == PEN_MALFORMED)
            return pen_malformed(job->run, job->name, &job->at);
        if (j >= job->columns)
            continue;
        PEN_TRY(is_value ? read_value(job, cell, line, j, value)
                         : read_text(job, cell, line, j, row));
    }
    if (j != job->columns)
        return pen_text_refuse_width(job, &begin, j);
    return job->classes ? choose_label(job, begin.line, row) : PEN_OK;
}

static pen_status make_room(pen_text_job *job, int64_t rows)
{
    const int64_t *const number = job->roles.number;

    if (number[PEN_COLUMN_LABEL] > 0)
        PEN_TRY(PEN_NEW(job->run, job->labels, pen_times(rows, number[PEN_COLUMN_LABEL])));
    if (number[PEN_COLUMN_LABEL] > 1)
        PEN_TRY(pen_columns_names(job->run, &job->roles, PEN_COLUMN_LABEL, &job->classes));
    if (number[PEN_COLUMN_GROUP] > 0)
        PEN_TRY(PEN_NEW(job->run, job->groups, rows));
    if (number[PEN_COLUMN_ROW_NAME] > 0)
        PEN_TRY(PEN_NEW(job->run, job->row_names, rows));
    if (number[PEN_COLUMN_CARRIED] > 0)
        PEN_TRY(PEN_NEW(job->run, job->kept, pen_times(rows, number[PEN_COLUMN_CARRIED])));
    return PEN_OK;
}

static pen_status read_rows(pen_text_job *job, const pen_input *input)
{
    pen_table *table = job->table;
    const int64_t most = pen_most_rows(&job->at, job->columns),
                  cols = job->roles.number[PEN_COLUMN_VALUE];
    int64_t rows = 0;

    double *const values = pen_table_rows(job->run, input, table, most, cols, PEN_F64);
    if (!values)
        return PEN_NO_MEMORY;
    PEN_TRY(make_room(job, most));
    table->x = pen_dense(values, PEN_F64, 0, cols, cols);
    while (pen_next_line(&job->at)) {
        PEN_TRY(read_row(job, values + rows * cols, rows));
        rows++;
    }
    table->x.rows = rows;
    return PEN_OK;
}

/* ---- a table ---- */

/* Means for missing values, names and labels. */
static pen_status read_rest(pen_text_job *job, const pen_input *input)
{
    pen_table *table = job->table, of_groups = { .owner = table->owner };

    PEN_TRY(pen_columns_describe(job->run, &job->roles, table));
    PEN_TRY(pen_table_treat(
        job->run, input, job->options, job->is_block, table,
        (pen_row_texts[]){ { job->labels, 1 },
                           { job->groups, 1 },
                           { job->row_names, 1 },
                           { job->kept, pen_max(1, job->roles.number[PEN_COLUMN_CARRIED]) },
                           { NULL, 0 } }));
    if (job->labels)
        PEN_TRY(pen_table_label(job->run, table, job->labels, table->x.rows, job->options,
                                PEN_LABELS_TEXT));
    if (job->groups)
        PEN_TRY(pen_table_label(job->run, &of_groups, job->groups, table->x.rows, job->options,
                                PEN_LABELS_TEXT));
    table->groups = of_groups.labels;
    if (job->row_names)
        PEN_TRY(pen_table_keep_texts(job->run, table, job->row_names,
                                     table->x.rows + table->dropped_rows, &table->row_names));
    if (job->kept)
        PEN_TRY(pen_table_keep_texts(
            job->run, table, job->kept,
            pen_times(table->x.rows, job->roles.number[PEN_COLUMN_CARRIED]), &table->carried));
    return PEN_OK;
}

/* Spreadsheets take the delimiter from a first line such as sep=; and so do we. */
static int take_separator(pen_cursor *at)
{
    pen_cursor ahead = *at;
    pen_cell cell;

    if (!pen_next_line(&ahead) || pen_next_cell(&ahead, &cell) != PEN_LINE || cell.text.length < 4
        || cell.text.length > 5 || memcmp(cell.text.start, "sep=", 4) != 0)
        return 0;
    ahead.delimiter = cell.text.length == 5 ? cell.text.start[4] : '\t';
    if (!memchr(",;\t| ", ahead.delimiter, 5))
        return 0;
    *at = ahead;
    return 1;
}

/* The delimiter and the decimal sign, given or found. */
static pen_status open_cells(pen_text_job *job, const pen_input *input)
{
    const pen_read_options *const options = job->options;

    job->at = pen_text_open(input, options);
    const int is_said = take_separator(&job->at);
    if (options->delimiter)
        job->at.delimiter = options->delimiter;
    else if (!is_said)
        job->at.delimiter = pen_find_delimiter(job->at);
    const char decimal = options->decimal ? options->decimal : pen_find_decimal(job->at);
    job->table->decimal_commas = !options->decimal && decimal == ',';
    PEN_TRY(pen_value_rules_open(job->run, options, decimal, &job->rules));
    job->is_fast = decimal == '.' && job->rules.na_number_count == 0;
    return PEN_OK;
}

pen_status pen_text_decide(pen_text_job *job, const pen_input *input)
{
    PEN_TRY(open_cells(job, input));
    PEN_TRY(pen_text_top(job));
    const pen_status status = pen_columns_assign(job->run, job->name, job->header, job->columns,
                                                 job->options, &job->roles);
    return job->roles.twice ? pen_text_refuse_names(job) : status;
}

pen_status pen_text_rows(pen_text_job *job, const pen_input *input)
{
    PEN_TRY(read_rows(job, input));
    return read_rest(job, input);
}

/* The cells the other way round, as a text of its own. */
static pen_status transpose(pen_text_job *job, pen_input *input, pen_read_options *options)
{
    PEN_TRY(open_cells(job, input));
    options->delimiter = job->at.delimiter == ' ' ? '\t' : job->at.delimiter;
    PEN_TRY(pen_text_transpose(job->run, &job->at, job->name, options->delimiter, input));
    options->skip = 0;
    options->comment = '\0';
    return PEN_OK;
}

static pen_status read_table(pen_run *run, const pen_input *input, const pen_read_options *options,
                             pen_table *table)
{
    pen_read_options how = *options;
    pen_input text = *input;
    pen_text_job job = { .run = run, .name = input->name, .options = &how, .table = table };

    if (how.transpose)
        PEN_TRY(transpose(&job, &text, &how));
    PEN_TRY(pen_text_decide(&job, &text));
    return pen_text_rows(&job, &text);
}

/* ---- labels, one per line ---- */

/* Is the first of texts [count] a header: "class", or neither a number nor missing, while all
 * others are? */
static int is_label_header(const pen_text *texts, int64_t count)
{
    double value;
    int64_t numbers = 0;

    if (pen_text_equal(texts[0], pen_text_of("class")))
        return 1;
    if (pen_is_mark(texts[0]) || pen_number_is(texts[0].start, texts[0].length, &value))
        return 0;
    for (int64_t i = 1; i < count; i++) {
        if (pen_number_is(texts[i].start, texts[i].length, &value))
            numbers++;
        else if (!pen_is_mark(texts[i]))
            return 0;
    }
    return numbers > 0;
}

/* skip: the header was the only line. */
static pen_status label_rows(pen_text_job *job, int64_t count, int skip)
{
    PEN_REQUIRE(job->run, count > 0 || job->options->allow_empty, PEN_BAD_DATA, "%s: no labels%s",
                job->name, skip ? ", only a header" : "");
    job->table->x = pen_dense(NULL, PEN_F64, count, 0, 0);
    return pen_table_label(job->run, job->table, job->labels, count, job->options, PEN_LABELS_TEXT);
}

static pen_status read_labels(pen_run *run, const pen_input *input, const pen_read_options *options,
                              pen_table *table)
{
    pen_text_job job = { .run = run, .name = input->name, .options = options, .table = table };
    int64_t count = 0;

    job.at = pen_text_open(input, options);
    PEN_TRY(pen_label_table(run, input, options, job.at, &job.labels, &count));
    if (job.labels)
        return label_rows(&job, count, 0);
    PEN_TRY(PEN_NEW(run, job.labels, pen_most_rows(&job.at, 1)));
    while (job.at.p < job.at.end) {
        const int64_t line = job.at.line;
        const int comment = *job.at.p == job.at.comment && job.at.comment != '\n';
        pen_cell cell;
        if (pen_next_cell(&job.at, &cell) == PEN_MALFORMED)
            return pen_malformed(run, input->name, &job.at);
        if (comment)
            continue;
        PEN_TRY(pen_text_take(&job, cell, line, 1, &job.labels[count++]));
    }
    const int skip =
        count > 0
        && (options->header == 1 || (options->header == 0 && is_label_header(job.labels, count)));
    job.labels += skip;
    return label_rows(&job, count - skip, skip);
}

/* ---- the format ---- */

/* Text has no control characters except white space. */
static int recognizes(const pen_input *input)
{
    const size_t size = input->size < CONTENT_BYTES ? input->size : CONTENT_BYTES;

    for (size_t i = 0; i < size; i++)
        if (input->data[i] < 0x20 && !memchr("\t\n\r", input->data[i], 3))
            return 0;
    return 1;
}

static const char *const extensions[] = { ".csv", ".tsv", ".txt", ".dat", ".data", ".asc", NULL };

const pen_format pen_format_text = { .name = "text",
                                     .extensions = extensions,
                                     .recognizes = recognizes,
                                     .read = read_table,
                                     .read_labels = read_labels,
                                     .read_block = pen_text_block,
                                     .has_columns = 1 };
