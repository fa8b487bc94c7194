/* csr_table.c - builds rows from the entries of a file: places them, sorts each row, and treats
 * missing values. Entries in any order are counted first, so that a matrix by columns becomes rows
 * without another copy. */
#include "io/table/csr_table.h"

#include "core/array.h"
#include "core/memory.h"
#include "core/sort.h"
#include "io/table/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING = 1024 };

/* Dense word counts of documents take a few hundred times the size of the file. */
static const int64_t LEAST_ROOM = INT64_C(1) << 32, MOST_TIMES = 1000;

/* Entries wait in a batch, because in a matrix by columns each place is far from the last: the
 * processor then fetches many at once. */
struct waiting {
    int64_t row, column;
    double value;
};

struct pen_entry_table {
    pen_run *run;
    const pen_input *input;
    const pen_read_options *options;
    const pen_entries *from;
    pen_dtype dtype; /* type of values in the table; sums of bytes need not be bytes */
    pen_table *table;
    pen_columns roles; /* .roles NULL: all columns are values, in file order */
    double *dense;     /* [rows x value columns], or NULL: sparse rows */
    int64_t *starts;   /* [rows + 1] of sparse rows */
    int32_t *columns;  /* [entries] */
    void *values;      /* [entries]; NULL: only counting */
    int64_t *next;     /* [rows] the place of each row's next entry; NULL: row by row */
    int64_t row, used; /* row by row: the last entry's row, and the number of entries */
    struct waiting waiting[WAITING];
    int64_t count; /* of waiting entries */
};

/* ---- claims of the file ---- */

int64_t pen_most_room(const pen_input *input)
{
    return pen_max(LEAST_ROOM, pen_times(MOST_TIMES, (int64_t)input->size));
}

static pen_status check(const pen_entry_table *to)
{
    const pen_entries *const from = to->from;

    PEN_TRY(pen_check_shape(to->run, to->input, to->options, from->rows, from->cols));
    PEN_REQUIRE(to->run, from->is_dense || from->cols <= INT32_MAX, PEN_BAD_DATA,
                "%s: sparse rows must have fewer than 2^31 columns, got %lld", to->input->name,
                (long long)from->cols);
    return PEN_OK;
}

/* A shape may claim far more columns than there are entries, so arrays over columns are made only
 * if the options name columns. */
static pen_status assign(pen_entry_table *to)
{
    const int64_t cols = to->from->cols;

    to->roles.number[PEN_COLUMN_VALUE] = cols;
    if (to->options->drop_count == 0 && !to->input->header && !to->options->model)
        return PEN_OK;
    PEN_REQUIRE(to->run, pen_memory_has(pen_times(cols, 2 * sizeof(int64_t))), PEN_NO_MEMORY,
                "%s: out of memory: it has %lld columns", to->input->name, (long long)cols);
    return pen_columns_assign(to->run, to->input->name, to->input->header, cols, to->options, 0,
                              &to->roles);
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

/* Sorts entries first .. end - 1, adds equal places, and writes them from `to` on; returns their
 * end. */
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

/* Sorts the entries of each row by column, adds entries at the same place, and updates starts [rows
 * + 1]. */
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

/* ---- entries ---- */

int pen_is_counting(const pen_entry_table *to)
{
    return !to->dense && !to->values;
}

int pen_wants_value(const pen_entry_table *to, int64_t column)
{
    return !pen_is_counting(to)
           && (!to->roles.roles || to->from->symmetric
               || to->roles.roles[column] == PEN_COLUMN_VALUE);
}

/* Counts or places an entry if its column is a value column. */
static void put(pen_entry_table *to, int64_t row, int64_t column, double value)
{
    if (to->roles.roles && to->roles.roles[column] != PEN_COLUMN_VALUE)
        return;
    const int64_t place = to->roles.roles ? to->roles.places[column] : column;
    if (to->dense) {
        to->dense[row * to->roles.number[PEN_COLUMN_VALUE] + place] = value;
    } else if (!to->values) {
        to->starts[row + 1]++;
    } else {
        while (!to->next && to->row < row)
            to->starts[++to->row] = to->used;
        const int64_t at = to->next ? to->next[row]++ : to->used++;
        to->columns[at] = (int32_t)place;
        pen_store_value(to->dtype, to->values, at, value);
    }
}

static void put_waiting(pen_entry_table *to)
{
    const int symmetric = to->from->symmetric;

    for (int64_t i = 0; i < to->count; i++) {
        const struct waiting e = to->waiting[i];
        put(to, e.row, e.column, e.value);
        if (symmetric && e.row != e.column)
            put(to, e.column, e.row, symmetric * e.value);
    }
    to->count = 0;
}

pen_status pen_take_entry(pen_entry_table *to, int64_t row, int64_t column, double value)
{
    const pen_entries *const from = to->from;

    PEN_REQUIRE(to->run, row >= 0 && row < from->rows && column >= 0 && column < from->cols,
                PEN_BAD_FORMAT,
                "%s: an entry is in row %lld, column %lld (counted from 0), the shape is %lld x "
                "%lld",
                to->input->name, (long long)row, (long long)column, (long long)from->rows,
                (long long)from->cols);
    to->waiting[to->count++] = (struct waiting){ row, column, value };
    if (to->count == WAITING)
        put_waiting(to);
    return PEN_OK;
}

static pen_status walk(pen_entry_table *to)
{
    PEN_TRY(to->from->walk(to->run, to->from->context, to));
    put_waiting(to);
    return PEN_OK;
}

/* ---- the table ---- */

static pen_status make_room(pen_entry_table *to, int64_t entries)
{
    const int64_t entry = (int64_t)(sizeof *to->columns + pen_size(to->dtype)),
                  bytes = pen_times(entries, entry);
    char what[sizeof((pen_error *)NULL)->message];

    snprintf(what, sizeof what, "%s: out of memory: %lld entries", to->input->name,
             (long long)entries);
    PEN_TRY(pen_memory_check(to->run, bytes, what));
    to->columns = pen_table_keep(to->run, to->table, entries, sizeof *to->columns);
    to->values =
        to->columns ? pen_table_keep(to->run, to->table, entries, pen_size(to->dtype)) : NULL;
    return to->values ? PEN_OK : PEN_NO_MEMORY;
}

static pen_status read_ordered(pen_entry_table *to)
{
    const pen_entries *const from = to->from;

    PEN_TRY(make_room(to, from->count));
    PEN_TRY(walk(to));
    while (to->row < from->rows)
        to->starts[++to->row] = to->used;
    return PEN_OK;
}

static pen_status read_unordered(pen_entry_table *to)
{
    const pen_entries *const from = to->from;

    PEN_TRY(walk(to));
    for (int64_t i = 0; i < from->rows; i++)
        to->starts[i + 1] += to->starts[i];
    PEN_TRY(make_room(to, to->starts[from->rows]));
    PEN_TRY(PEN_NEW(to->run, to->next, from->rows));
    memcpy(to->next, to->starts, (size_t)from->rows * sizeof *to->next);
    PEN_TRY(walk(to));
    return sort_entries(to->run, from->rows, to->starts, to->columns, to->dtype, to->values);
}

static pen_status read_sparse(pen_entry_table *to)
{
    const int64_t rows = to->from->rows;

    PEN_REQUIRE(to->run, pen_memory_has(pen_times(rows, 2 * sizeof *to->starts)), PEN_NO_MEMORY,
                "%s: out of memory: it has %lld rows", to->input->name, (long long)rows);
    to->starts = pen_table_keep(to->run, to->table, pen_plus(rows, 1), sizeof *to->starts);
    if (!to->starts)
        return PEN_NO_MEMORY;
    PEN_TRY(to->from->count > 0 ? read_ordered(to) : read_unordered(to));
    to->table->x = pen_csr(to->values, to->dtype, to->starts, to->columns, rows,
                           to->roles.number[PEN_COLUMN_VALUE]);
    return PEN_OK;
}

static pen_status read_dense(pen_entry_table *to)
{
    const int64_t rows = to->from->rows, cols = to->roles.number[PEN_COLUMN_VALUE];

    to->dense = pen_table_rows(to->run, to->input, to->table, rows, cols, PEN_F64);
    if (!to->dense)
        return PEN_NO_MEMORY;
    PEN_TRY(walk(to));
    to->table->x = pen_dense(to->dense, PEN_F64, rows, cols, cols);
    return PEN_OK;
}

pen_status pen_table_entries(pen_run *run, const pen_input *input, const pen_read_options *options,
                             const pen_entries *entries, pen_table *table)
{
    pen_entry_table to = { .run = run,
                           .input = input,
                           .options = options,
                           .from = entries,
                           .dtype = entries->dtype == PEN_U8 ? PEN_F32 : entries->dtype,
                           .table = table };

    PEN_TRY(check(&to));
    PEN_TRY(assign(&to));
    PEN_TRY(entries->is_dense ? read_dense(&to) : read_sparse(&to));
    if (to.roles.roles)
        PEN_TRY(pen_columns_describe(run, options, &to.roles, table));
    return pen_table_treat(run, input, options, 0, table, entries->texts);
}
