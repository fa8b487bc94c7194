/* read_folds.c - files of folds: a line for each row, a column for each run, as text or npy.
 *
 * A blank line is a row, too: one that no run holds out. */
#include "io/io.h"

#include "core/arguments.h"
#include "core/number.h"

#include <stdlib.h>
#include <string.h>

struct kept {
    pen_fold_table table;
    int32_t values[];
};

struct job {
    pen_run *run;
    const char *name;
    int64_t rows;
    struct kept *kept;
};

/* ---- the table ---- */

static pen_status reserve(struct job *job, int64_t rows, int64_t runs)
{
    const int64_t head = (int64_t)(sizeof *job->kept / sizeof *job->kept->values) + 1;

    PEN_REQUIRE(job->run, rows == job->rows, PEN_BAD_DATA,
                "%s: folds must be of all %lld rows, got those of %lld", job->name,
                (long long)job->rows, (long long)rows);
    PEN_REQUIRE(job->run, runs >= 1 && runs <= PEN_MOST_RUNS, PEN_BAD_FORMAT,
                "%s: a column is a run, of which there may be 1 to %d, got %lld", job->name,
                PEN_MOST_RUNS, (long long)runs);
    job->kept = pen_keep(NULL, pen_plus(head, pen_times(rows, runs)), sizeof *job->kept->values);
    PEN_REQUIRE(job->run, job->kept, PEN_NO_MEMORY, "%s: out of memory for %lld x %lld folds",
                job->name, (long long)rows, (long long)runs);
    job->kept->table = (pen_fold_table){ .rows = rows, .runs = runs };
    memset(job->kept->values, 0xFF, (size_t)(rows * runs) * sizeof *job->kept->values);
    return PEN_OK;
}

static int is_fold(int64_t value)
{
    return value >= -1 && value <= INT32_MAX;
}

static void keep(const struct job *job, int64_t row, int64_t r, int64_t value)
{
    job->kept->values[r * job->rows + row] = (int32_t)value;
}

/* ---- text ---- */

/* A cell as a fold: whole numbers also as 3.0. */
static int fold_of_cell(pen_text text, int64_t *value)
{
    double number;

    *value = -1;
    if (pen_is_missing(text))
        return 1;
    return pen_number_is(text.start, text.length, &number)
           && pen_whole_of(number, value) == PEN_WHOLE && is_fold(*value);
}

static int is_text(pen_text text)
{
    double number;

    return !pen_is_missing(text) && !pen_number_is(text.start, text.length, &number);
}

/* The line at the cursor, which moves past it: the number of its cells, and of those that are text.
 * 0: its quotes are malformed. */
static int64_t count_cells(pen_cursor *at, int64_t *texts)
{
    enum pen_follows then;
    int64_t count = 0;
    pen_cell cell;

    *texts = 0;
    do {
        then = pen_next_cell(at, &cell);
        *texts += is_text(cell.text);
        count++;
    } while (then == PEN_CELL);
    return then == PEN_LINE ? count : 0;
}

/* The lines from the cursor on; of blank ones at the end only those of the first `rows`. */
static int64_t count_lines(pen_cursor at, int64_t rows)
{
    int64_t count = 0, needed = 0, texts;

    while (at.p < at.end) {
        pen_cursor line = at;
        count++;
        needed = pen_next_line(&line) && line.p == at.p ? count : needed;
        if (count_cells(&at, &texts) == 0)
            break; /* it is reported where it is read */
    }
    return pen_max(needed, pen_min(count, rows));
}

static pen_status read_line(const struct job *job, pen_cursor *at, int64_t row)
{
    const int64_t line = at->line, runs = job->kept->table.runs;
    char quoted[PEN_QUOTE_SIZE];
    enum pen_follows then;
    int64_t count = 0, value;
    pen_cell cell;

    do {
        then = pen_next_cell(at, &cell);
        if (then == PEN_MALFORMED)
            return pen_malformed(job->run, job->name, at);
        PEN_REQUIRE(job->run, fold_of_cell(cell.text, &value), PEN_BAD_FORMAT,
                    "%s:%lld:%lld: a fold must be a whole number >= 0, or -1 or empty: never held "
                    "out, got \"%s\"",
                    job->name, (long long)line, (long long)count + 1, pen_quote(cell.text, quoted));
        if (count < runs)
            keep(job, row, count, value);
        count++;
    } while (then == PEN_CELL);
    PEN_REQUIRE(job->run, count == runs || (count == 1 && cell.text.length == 0), PEN_BAD_FORMAT,
                "%s:%lld: %lld columns, but the first line has %lld", job->name, (long long)line,
                (long long)count, (long long)runs);
    return PEN_OK;
}

/* The number of runs is that of the first line that is not blank. */
static pen_status read_text(struct job *job, const pen_input *input)
{
    pen_cursor at = pen_text_open(input, '\0'), top;
    int64_t texts = 0, runs = 1;

    at.delimiter = pen_find_delimiter(at);
    top = at;
    if (pen_next_line(&top))
        runs = count_cells(&top, &texts);
    if (texts > 0 && texts == runs)
        at = top; /* a header */
    const int64_t rows = count_lines(at, job->rows);
    PEN_TRY(reserve(job, rows, runs));
    for (int64_t i = 0; i < rows; i++)
        PEN_TRY(read_line(job, &at, i));
    return PEN_OK;
}

/* ---- npy ---- */

static pen_status read_npy(struct job *job, const pen_input *input)
{
    pen_npy npy;

    PEN_TRY(pen_npy_open(job->run, input, &npy));
    PEN_REQUIRE(job->run, npy.kind != 'b', PEN_BAD_FORMAT,
                "%s: folds must be integers, or whole floats, got the dtype b1", job->name);
    PEN_TRY(pen_npy_fits(job->run, input, &npy));
    PEN_TRY(reserve(job, npy.rows, npy.cols));
    for (int64_t i = 0; i < npy.rows; i++)
        for (int64_t r = 0; r < npy.cols; r++) {
            const int64_t index = npy.fortran ? r * npy.rows + i : i * npy.cols + r;
            char text[PEN_NUMBER_SIZE];
            int64_t value;
            pen_npy_text(&npy, (size_t)index, text);
            PEN_REQUIRE(job->run,
                        pen_npy_whole(&npy, (size_t)index, &value) == PEN_WHOLE && is_fold(value),
                        PEN_BAD_FORMAT,
                        "%s: row %lld, run %lld: a fold must be a whole number >= 0, or -1: never "
                        "held out, got %s",
                        job->name, (long long)i, (long long)r + 1, text);
            keep(job, i, r, value);
        }
    return PEN_OK;
}

/* ---- the call ---- */

static int by_value(const void *a, const void *b)
{
    const int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

/* The different numbers in the first run. */
static pen_status count_folds(const struct job *job, int64_t *folds)
{
    int32_t *sorted;

    PEN_TRY(PEN_NEW(job->run, sorted, job->rows));
    memcpy(sorted, job->kept->values, (size_t)job->rows * sizeof *sorted);
    qsort(sorted, (size_t)job->rows, sizeof *sorted, by_value);
    *folds = 0;
    for (int64_t i = 0; i < job->rows; i++)
        *folds += sorted[i] >= 0 && (i == 0 || sorted[i] != sorted[i - 1]);
    return PEN_OK;
}

static pen_status read_content(struct job *job, const pen_input *input)
{
    PEN_TRY(pen_refuse_kind(job->run, input, NULL));
    PEN_TRY(pen_format_npy.recognizes(input) ? read_npy(job, input) : read_text(job, input));
    PEN_TRY(count_folds(job, &job->kept->table.folds));
    job->kept->table.fold_of = job->kept->values;
    return PEN_OK;
}

static pen_status read_path(pen_run *run, const char *path, int64_t rows, pen_fold_table **out)
{
    struct job job = { .run = run, .rows = rows };
    pen_bytes bytes;
    pen_input input;

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_REQUIRE(run, rows >= 1, PEN_BAD_ARGUMENT, "rows must be >= 1, got %lld", (long long)rows);
    PEN_TRY(pen_input_read(run, path, 0, &bytes, &input));
    job.name = input.name;
    const pen_status status = read_content(&job, &input);
    pen_bytes_free(&bytes);
    if (status != PEN_OK)
        free(job.kept);
    else
        *out = &job.kept->table;
    return status;
}

pen_status pen_read_folds(const char *path, int64_t rows, pen_fold_table **out, pen_error *err)
{
    if (out)
        *out = NULL;
    PEN_CALL(NULL, err, read_path(run, path, rows, out));
}

void pen_fold_table_free(pen_fold_table *table)
{
    free(table); /* the first member of a struct kept, which also contains the folds */
}
