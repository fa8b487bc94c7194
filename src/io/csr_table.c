/* csr_table.c - from the entries of a file to CSR: count the entries of each row, place them,
 * sort each row, and treat missing values.
 *
 * Entries come in blocks, twice: once to be counted and once to be placed. So a matrix by columns
 * becomes rows with no other copy of it. */
#include "io/csr_table.h"

#include "core/array.h"
#include "core/memory.h"
#include "core/sort.h"
#include "io/columns.h"

#include <stdlib.h>
#include <string.h>

struct job {
    pen_run *run;
    const pen_input *input;
    const pen_read_options *options;
    const pen_entries *from;
    pen_dtype dtype; /* of the values of the table; sums of bytes need not be bytes */
    pen_table *table;
    pen_columns roles; /* .roles NULL: all columns are values, in their order */
    int64_t *rows;     /* [PEN_ENTRIES] if entries are not sorted */
    int64_t *indices;  /* [PEN_ENTRIES] */
    double *values;    /* [PEN_ENTRIES] */
    int64_t *starts;   /* [rows + 1] of the table */
    int32_t *columns;  /* [count] */
    void *cells;       /* [count] */
    int64_t *next;     /* [rows] where the next entry of each row goes */
};

/* ---- what the file claims ---- */

static pen_status check(const struct job *job)
{
    const pen_entries *const from = job->from;

    PEN_TRY(pen_check_shape(job->run, job->input, job->options, from->rows, from->cols));
    PEN_REQUIRE(job->run, from->cols <= INT32_MAX, PEN_BAD_DATA,
                "%s: sparse rows must have fewer than 2^31 columns, got %lld", job->input->name,
                (long long)from->cols);
    return PEN_OK;
}

static pen_status bad_index(const struct job *job, int64_t row, int64_t column)
{
    return pen_fail(
        job->run, PEN_BAD_FORMAT,
        "%s: an entry is in row %lld, column %lld (counted from 0), the shape is %lld x "
        "%lld",
        job->input->name, (long long)row, (long long)column, (long long)job->from->rows,
        (long long)job->from->cols);
}

/* ---- sorted rows ---- */

struct entry {
    int64_t column, order;
    double value;
};

static int ascends(const int32_t *columns, int64_t first, int64_t end)
{
    for (int64_t e = first + 1; e < end; e++)
        if (columns[e] <= columns[e - 1])
            return 0;
    return 1;
}

/* The entries first .. end - 1, sorted and added, from `to` on; returns the end of them there. */
static int64_t sort_row(struct entry *row, int64_t first, int64_t end, int64_t to, int32_t *columns,
                        pen_dtype dtype, void *values)
{
    for (int64_t e = first; e < end; e++)
        row[e - first] = (struct entry){ columns[e], e, pen_load_value(dtype, values, e) };
    if (!ascends(columns, first, end))
        qsort(row, (size_t)(end - first), sizeof *row, pen_by_two_int64);
    for (int64_t e = 0; e < end - first; e++) {
        if (e > 0 && row[e].column == row[e - 1].column) {
            row[e].value += row[e - 1].value;
            to--;
        }
        columns[to] = (int32_t)row[e].column;
        pen_store_value(dtype, values, to++, row[e].value);
    }
    return to;
}

/* Sorts the entries of each row by columns and adds those of one place; starts [rows + 1] are then
 * those of the entries that are left. */
static pen_status sort_entries(pen_run *run, int64_t rows, int64_t *starts, int32_t *columns,
                               pen_dtype dtype, void *values)
{
    struct entry *row;
    int64_t longest = 0, to = 0;

    for (int64_t i = 0; i < rows; i++)
        longest = pen_max(longest, starts[i + 1] - starts[i]);
    PEN_TRY(PEN_NEW(run, row, longest));
    for (int64_t i = 0, first = 0; i < rows; i++) {
        const int64_t end = starts[i + 1];
        if (to == first && ascends(columns, first, end))
            to = end;
        else
            to = sort_row(row, first, end, to, columns, dtype, values);
        starts[i + 1] = to;
        first = end;
    }
    return PEN_OK;
}

/* ---- blocks of entries ---- */

typedef void (*take_entry)(struct job *job, int64_t row, int64_t column, double value);

/* Passes an entry on if its column is a value. */
static void give(struct job *job, int64_t row, int64_t column, double value, take_entry take)
{
    if (!job->roles.roles)
        take(job, row, column, value);
    else if (job->roles.roles[column] == PEN_COLUMN_VALUE)
        take(job, row, job->roles.places[column], value);
}

/* The entries of a block that begins at `first`; *major is that of the entry before. */
static pen_status give_block(struct job *job, int64_t first, int64_t count, int64_t *major,
                             take_entry take)
{
    const pen_entries *const from = job->from;

    for (int64_t e = 0; e < count; e++) {
        const int64_t minor = job->indices[e];
        while (from->starts && from->starts[*major + 1] <= first + e)
            ++*major;
        const int64_t row = !from->starts      ? job->rows[e]
                            : from->by_columns ? minor
                                               : *major,
                      column = from->starts && from->by_columns ? *major : minor;
        if (row < 0 || row >= from->rows || column < 0 || column >= from->cols)
            return bad_index(job, row, column);
        give(job, row, column, job->values[e], take);
        if (from->symmetric && row != column)
            give(job, column, row, from->symmetric * job->values[e], take);
    }
    return PEN_OK;
}

/* Passes all entries of columns that are values to `take`, block by block. */
static pen_status each_entry(struct job *job, int with_values, take_entry take)
{
    const pen_entries *const from = job->from;
    int64_t major = 0;

    for (int64_t first = 0; first < from->count; first += PEN_ENTRIES) {
        const int64_t count = pen_min(PEN_ENTRIES, from->count - first);
        PEN_TRY(from->load(job->run, from->context, first, count, job->rows, job->indices,
                           with_values ? job->values : NULL));
        PEN_TRY(give_block(job, first, count, &major, take));
    }
    return PEN_OK;
}

static void count(struct job *job, int64_t row, int64_t column, double value)
{
    (void)column;
    (void)value;
    job->starts[row + 1]++;
}

static void place(struct job *job, int64_t row, int64_t column, double value)
{
    const int64_t at = job->next[row]++;

    job->columns[at] = (int32_t)column;
    pen_store_value(job->dtype, job->cells, at, value);
}

static pen_status make_room(struct job *job)
{
    const int64_t rows = job->from->rows, entries = job->starts[rows],
                  bytes =
                      pen_times(entries, (int64_t)(sizeof *job->columns + pen_size(job->dtype)));
    char wanted[PEN_BYTES_SIZE], most[PEN_BYTES_SIZE];

    PEN_REQUIRE(job->run, pen_memory_has(bytes), PEN_NO_MEMORY,
                "%s: out of memory: %lld entries take %s, the limit is %s", job->input->name,
                (long long)entries, pen_bytes_text(bytes, wanted),
                pen_bytes_text(pen_memory(), most));
    job->columns = pen_table_keep(job->run, job->table, entries, sizeof *job->columns);
    job->cells =
        job->columns ? pen_table_keep(job->run, job->table, entries, pen_size(job->dtype)) : NULL;
    return job->cells ? PEN_OK : PEN_NO_MEMORY;
}

static pen_status read_entries(struct job *job)
{
    const int64_t rows = job->from->rows;

    if (!job->from->starts)
        PEN_TRY(PEN_NEW(job->run, job->rows, PEN_ENTRIES));
    PEN_TRY(PEN_NEW(job->run, job->indices, PEN_ENTRIES));
    PEN_TRY(PEN_NEW(job->run, job->values, PEN_ENTRIES));
    memset(job->values, 0, PEN_ENTRIES * sizeof *job->values);
    PEN_REQUIRE(job->run, pen_memory_has(pen_times(rows, 2 * sizeof *job->starts)), PEN_NO_MEMORY,
                "%s: out of memory: it has %lld rows", job->input->name, (long long)rows);
    job->starts = pen_table_keep(job->run, job->table, pen_plus(rows, 1), sizeof *job->starts);
    if (!job->starts)
        return PEN_NO_MEMORY;
    PEN_TRY(each_entry(job, 0, count));
    for (int64_t i = 0; i < rows; i++)
        job->starts[i + 1] += job->starts[i];
    PEN_TRY(make_room(job));
    PEN_TRY(PEN_NEW(job->run, job->next, rows));
    memcpy(job->next, job->starts, (size_t)rows * sizeof *job->next);
    PEN_TRY(each_entry(job, 1, place));
    return sort_entries(job->run, rows, job->starts, job->columns, job->dtype, job->cells);
}

/* ---- the table ---- */

/* A shape may claim far more columns than there are entries, so nothing is made for each of them
 * unless the options name some. */
static pen_status assign(struct job *job)
{
    const pen_entries *const from = job->from;

    job->roles.number[PEN_COLUMN_VALUE] = from->cols;
    if (job->options->drop_count == 0)
        return PEN_OK;
    PEN_REQUIRE(job->run, pen_memory_has(pen_times(from->cols, 2 * sizeof(int64_t))), PEN_NO_MEMORY,
                "%s: out of memory: it has %lld columns", job->input->name, (long long)from->cols);
    return pen_columns_assign(job->run, job->input->name, NULL, from->cols, job->options,
                              &job->roles);
}

pen_status pen_table_sparse(pen_run *run, const pen_input *input, const pen_read_options *options,
                            const pen_entries *entries, pen_table *table)
{
    struct job job = {
        .run = run, .input = input, .options = options, .from = entries, .table = table
    };

    job.dtype = entries->dtype == PEN_U8 ? PEN_F32 : entries->dtype;
    PEN_TRY(check(&job));
    PEN_TRY(assign(&job));
    PEN_TRY(read_entries(&job));
    table->x = pen_csr(job.cells, job.dtype, job.starts, job.columns, entries->rows,
                       job.roles.number[PEN_COLUMN_VALUE]);
    if (job.roles.roles)
        PEN_TRY(pen_columns_describe(run, &job.roles, table));
    return pen_table_treat(run, input, options, 0, table, NULL);
}
