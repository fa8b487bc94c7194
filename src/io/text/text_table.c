/* text_table.c - tables as text: cells separated by commas, semicolons, tabs or blanks, as in RFC
 * 4180 and the files of R, spreadsheets and NumPy.
 *
 * Messages name file:line:column; the column is the number of the cell in its row. Blank lines are
 * skipped. */
#include "io/text/text_table.h"

#include "core/number.h"
#include "io/table/class_labels.h"
#include "io/table/reading.h"
#include "io/text/text_job.h"

#include <string.h>

enum { CONTENT_BYTES = 4096 }; /* bytes that decide whether a file is text */

/* ---- rows ---- */

/* Reads a cell of a value column that is not a plain number. */
static pen_status read_value(pen_text_job *job, pen_cell cell, int64_t line, int64_t j,
                             double *value)
{
    const enum pen_meaning meaning = pen_meaning_of(&job->rules, cell.text, value);

    if (meaning == PEN_MEANS_NUMBER
        || (meaning == PEN_MEANS_MISSING && job->rules.missing != PEN_MISSING_ERROR))
        return PEN_OK;
    return pen_text_refuse(job, line, j, cell.text);
}

/* Reads any other cell. */
static pen_status read_text(pen_text_job *job, pen_cell cell, int64_t line, int64_t j, int64_t row)
{
    const enum pen_role role = job->roles.roles[j];
    const int64_t at = row * job->roles.number[role] + job->roles.places[j];

    return job->texts[role]
               ? pen_text_take(job->run, job->name, cell, line, j + 1, &job->texts[role][at])
               : PEN_OK;
}

/* Chooses the label of a row with one column for each class: the class whose cell is 1, or none.
 * The label replaces a cell that is no longer needed. */
static pen_status choose_label(const pen_text_job *job, int64_t line, int64_t row)
{
    const int64_t count = job->roles.number[PEN_COLUMN_LABEL];
    pen_text *const labels = job->texts[PEN_COLUMN_LABEL];
    const pen_text *const cells = labels + row * count, *chosen = NULL;
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
    labels[row] = chosen ? *chosen : pen_text_of("");
    return PEN_OK;
}

/* Read the row at the cursor: values [value columns], NaN if missing, and its texts at `row`. */
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

/* Columns that are not read need no memory. */
static pen_status make_room(pen_text_job *job, int64_t rows)
{
    const int64_t *const number = job->roles.number;

    for (int role = PEN_COLUMN_LABEL; role < PEN_COLUMN_DROPPED; role++)
        if (number[role] > 0)
            PEN_TRY(PEN_NEW(job->run, job->texts[role], pen_times(rows, number[role])));
    return number[PEN_COLUMN_LABEL] < 2
               ? PEN_OK
               : pen_columns_names(job->run, &job->roles, PEN_COLUMN_LABEL, &job->classes);
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

static pen_status treat(pen_text_job *job, const pen_input *input)
{
    pen_row_texts texts[PEN_COLUMN_ROLES + 1] = { { NULL, 0 } };

    for (int role = 0; role < PEN_COLUMN_ROLES; role++) {
        const int64_t number = role == PEN_COLUMN_LABEL ? 1 : job->roles.number[role];
        texts[role] = (pen_row_texts){ job->texts[role], pen_max(1, number) };
    }
    return pen_table_treat(job->run, input, job->options, job->is_block, job->table, texts);
}

/* Adds means for missing values, names and labels. */
static pen_status read_rest(pen_text_job *job, const pen_input *input)
{
    pen_run *const run = job->run;
    pen_table *table = job->table, of_groups = { .owner = table->owner };
    pen_text *const *const texts = job->texts;

    PEN_TRY(pen_columns_describe(run, job->given, &job->roles, table));
    PEN_TRY(treat(job, input));
    const int64_t rows = table->x.rows;
    if (texts[PEN_COLUMN_LABEL])
        PEN_TRY(pen_table_label(run, table, texts[PEN_COLUMN_LABEL], rows, job->options,
                                PEN_LABELS_TEXT));
    if (texts[PEN_COLUMN_GROUP])
        PEN_TRY(pen_table_label(run, &of_groups, texts[PEN_COLUMN_GROUP], rows, job->options,
                                PEN_LABELS_TEXT));
    table->groups = of_groups.labels;
    if (texts[PEN_COLUMN_ROW_NAME])
        PEN_TRY(pen_table_keep_texts(run, table, texts[PEN_COLUMN_ROW_NAME],
                                     rows + table->dropped_rows, &table->row_names));
    if (texts[PEN_COLUMN_CARRIED])
        PEN_TRY(pen_table_keep_texts(run, table, texts[PEN_COLUMN_CARRIED],
                                     pen_times(rows, job->roles.number[PEN_COLUMN_CARRIED]),
                                     &table->carried));
    return PEN_OK;
}

/* Like spreadsheets, takes the delimiter from a first line such as sep=;. */
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

/* Sets the delimiter and the decimal sign, given or detected. */
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

/* Does the first line name columns of the model (two of them, because one may come before the
 * values), or is it as wide as a row of the model's file, or as its values? */
static int is_as_in_fit(const pen_fit_lines *fit, const pen_read_options *options, pen_cursor at)
{
    const int64_t wanted = pen_min(2, options->select_count);
    int64_t width = 0, words = 0, names = 0;
    enum pen_follows then = PEN_CELL;
    pen_cell cell;

    if (!pen_next_line(&at))
        return 1;
    for (; then == PEN_CELL; width++) {
        then = pen_next_cell(&at, &cell);
        for (int64_t k = 0; k < wanted; k++)
            names += pen_text_equal(pen_trim(cell.text), pen_trim(pen_text_of(options->select[k])));
        words += !pen_is_meant_as_number(cell.text) && !pen_is_missing(pen_trim(cell.text));
    }
    return (names > 0 && names == wanted)
           || (width == fit->columns && (words == 0 || options->select_count == 0))
           || (width == options->columns && words == 0);
}

pen_status pen_text_layout(pen_text_job *job, const pen_input *input, pen_read_options *how)
{
    pen_fit_lines fit;

    if (!how->model)
        return PEN_OK;
    PEN_TRY(open_cells(job, input));
    PEN_TRY(pen_reading_lines(job->run, how->model, &fit));
    if (!fit.is_known || is_as_in_fit(&fit, how, job->at))
        return PEN_OK;
    how->delimiter = how->delimiter ? how->delimiter : fit.delimiter;
    job->at.delimiter = how->delimiter ? how->delimiter : job->at.delimiter;
    if (is_as_in_fit(&fit, how, job->at))
        return PEN_OK;
    how->skip = how->skip > 0 ? how->skip : fit.skip;
    how->transpose |= fit.transpose;
    return PEN_OK;
}

pen_status pen_text_decide(pen_text_job *job, const pen_input *input)
{
    PEN_TRY(open_cells(job, input));
    PEN_TRY(pen_text_first_line(job));
    const pen_status status = pen_columns_assign(job->run, job->name, job->header, job->columns,
                                                 job->options, 1, &job->roles);
    return job->roles.twice ? pen_text_refuse_names(job) : status;
}

pen_status pen_text_rows(pen_text_job *job, const pen_input *input)
{
    PEN_TRY(read_rows(job, input));
    return read_rest(job, input);
}

/* Replaces the text by its transpose. */
static pen_status transpose(pen_text_job *job, pen_input *input, pen_read_options *options)
{
    PEN_TRY(open_cells(job, input));
    options->delimiter = job->at.delimiter == ' ' ? '\t' : job->at.delimiter;
    PEN_TRY(pen_text_transpose(job->run, &job->at, job->name, options->delimiter, input));
    options->skip = 0;
    options->comment = '\0';
    return PEN_OK;
}

pen_status pen_read_text(pen_run *run, const pen_input *input, const pen_read_options *options,
                         pen_table *table)
{
    pen_read_options how = *options;
    pen_input text = *input;
    pen_text_job job = {
        .run = run, .name = input->name, .options = &how, .given = options, .table = table
    };

    PEN_TRY(pen_text_layout(&job, &text, &how));
    if (how.transpose)
        PEN_TRY(transpose(&job, &text, &how));
    PEN_TRY(pen_text_decide(&job, &text));
    return pen_text_rows(&job, &text);
}

/* ---- the format ---- */

int pen_is_text(const pen_input *input)
{
    const size_t size = input->size < CONTENT_BYTES ? input->size : CONTENT_BYTES;

    for (size_t i = 0; i < size; i++)
        if (input->data[i] < 0x20 && !memchr("\t\n\r", input->data[i], 3))
            return 0;
    return 1;
}
