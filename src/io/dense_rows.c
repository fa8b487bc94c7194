/* dense_rows.c - blocks of rows go straight into the table if all columns are values in their
 * order, otherwise through a block of memory. */
#include "io/dense_rows.h"

#include "core/array.h"

#include <math.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 22 };

struct job {
    pen_run *run;
    const pen_input *input;
    const pen_read_options *options;
    const pen_dense_source *from;
    pen_table *table;
    pen_columns roles;
    char *values; /* [rows x value columns] of the table */
};

/* Are all columns values, in their order? */
static int is_whole(const pen_columns *roles)
{
    if (roles->number[PEN_COLUMN_VALUE] != roles->count)
        return 0;
    for (int64_t j = 0; j < roles->count; j++)
        if (roles->places[j] != j)
            return 0;
    return 1;
}

/* The values of `count` rows into the places of their columns. */
static void place(const struct job *job, const char *block, int64_t count, char *to)
{
    const size_t item = pen_size(job->from->dtype);
    const int64_t cols = job->from->cols, width = job->roles.number[PEN_COLUMN_VALUE];

    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < cols; j++)
            if (job->roles.roles[j] == PEN_COLUMN_VALUE)
                memcpy(to + (size_t)(i * width + job->roles.places[j]) * item,
                       block + (size_t)(i * cols + j) * item, item);
}

static pen_status load(struct job *job)
{
    const pen_dense_source *const from = job->from;
    const int64_t item = (int64_t)pen_size(from->dtype),
                  width = job->roles.number[PEN_COLUMN_VALUE];
    const int64_t most =
        from->block > 0 ? from->block : pen_max(1, BLOCK_BYTES / pen_times(from->cols, item));
    const int whole = is_whole(&job->roles);
    char *block = NULL;

    if (!whole)
        PEN_TRY(PEN_NEW(job->run, block,
                        pen_times(pen_min(most, from->rows), pen_times(from->cols, item))));
    for (int64_t i = 0; i < from->rows; i += most) {
        const int64_t count = pen_min(most, from->rows - i);
        char *const to = job->values + (size_t)(i * width * item);
        PEN_TRY(from->load(job->run, from->context, i, count, whole ? to : block));
        if (!whole)
            place(job, block, count, to);
        PEN_TRY(pen_poll(job->run));
    }
    return PEN_OK;
}

/* ---- missing values ---- */

static pen_status find_holes(const struct job *job, unsigned char *rows, int64_t *holes)
{
    const pen_array *const x = &job->table->x;

    *holes = 0;
    for (int64_t i = 0; i < x->rows; i++) {
        rows[i] = 0;
        if (pen_finite_values(x->dtype, pen_row_at(x, i), x->cols))
            continue;
        for (int64_t j = 0; j < x->cols; j++) {
            const double value = pen_value_at(x, i, j);
            PEN_TRY(pen_check_value(job->run, job->input, job->options->missing, i, j, value));
            rows[i] = rows[i] || isnan(value);
            *holes += isnan(value) != 0;
        }
    }
    return PEN_OK;
}

/* Drops the rows with missing values; `left` [rows] are the others. */
static pen_status drop(struct job *job, const unsigned char *holes, int64_t *left)
{
    pen_array *const x = &job->table->x;
    const size_t row = (size_t)x->cols * pen_size(x->dtype);
    int64_t count = 0;

    for (int64_t i = 0; i < x->rows; i++) {
        if (holes[i])
            continue;
        memmove(job->values + (size_t)count * row, job->values + (size_t)i * row, row);
        left[count++] = i;
    }
    if (!job->from->is_block)
        PEN_TRY(pen_check_left(job->run, job->input->name, job->options, count, x->rows));
    job->table->dropped_rows = x->rows - count;
    x->rows = count;
    return PEN_OK;
}

/* rows: NULL, or those that are left. */
static pen_status treat_holes(struct job *job, int64_t **rows)
{
    const int64_t n = job->table->x.rows;
    unsigned char *missing;
    int64_t holes;

    *rows = NULL;
    PEN_TRY(PEN_NEW(job->run, missing, n));
    PEN_TRY(find_holes(job, missing, &holes));
    if (holes == 0)
        return PEN_OK;
    if (job->options->missing == PEN_MISSING_MEAN)
        return pen_table_fill(job->run, job->input, job->table);
    PEN_TRY(PEN_NEW(job->run, *rows, n));
    return drop(job, missing, *rows);
}

pen_status pen_table_dense(pen_run *run, const pen_input *input, const pen_read_options *options,
                           const pen_dense_source *source, const pen_row_texts *texts,
                           pen_table *table)
{
    struct job job = {
        .run = run, .input = input, .options = options, .from = source, .table = table
    };
    int64_t *rows;

    PEN_TRY(pen_check_shape(run, input, options, source->rows, source->cols));
    PEN_TRY(pen_columns_assign(run, input->name, source->column_names, source->cols, options,
                               &job.roles));
    const int64_t cols = job.roles.number[PEN_COLUMN_VALUE];
    job.values = pen_table_rows(run, input, table, source->rows, cols, source->dtype);
    if (!job.values)
        return PEN_NO_MEMORY;
    PEN_TRY(load(&job));
    table->x = pen_dense(job.values, source->dtype, source->rows, cols, cols);
    PEN_TRY(treat_holes(&job, &rows));
    PEN_TRY(pen_columns_describe(run, &job.roles, table));
    return pen_table_texts(run, texts, rows, table->x.rows, options, table);
}
