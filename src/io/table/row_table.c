/* row_table.c - building a table: the memory it owns, copies of texts, means for missing values. */
#include "io/table/row_table.h"

#include "core/array.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* The header of a memory block of a table; the block follows, with the alignment of malloc. */
struct kept {
    _Alignas(max_align_t) struct kept *next;
};

struct pen_table_owner {
    struct kept *newest;
    pen_bytes bytes;
};

struct table_with_owner {
    pen_table table;
    struct pen_table_owner owner;
};

pen_status pen_table_new(pen_run *run, pen_table **out)
{
    struct table_with_owner *both = pen_keep(run, 1, sizeof *both);

    if (!both)
        return PEN_NO_MEMORY;
    both->table.owner = &both->owner;
    *out = &both->table;
    return PEN_OK;
}

void pen_table_free(pen_table *table)
{
    if (!table)
        return;
    while (table->owner->newest) {
        struct kept *kept = table->owner->newest;
        table->owner->newest = kept->next;
        free(kept);
    }
    pen_bytes_free(&table->owner->bytes);
    free(table); /* the first member of a table_with_owner */
}

void *pen_table_keep(pen_run *run, pen_table *table, int64_t count, size_t size)
{
    const int64_t head = (int64_t)((sizeof(struct kept) + size - 1) / size);
    struct kept *const kept = pen_keep(run, pen_plus(count, head), size);

    if (!kept)
        return NULL;
    kept->next = table->owner->newest;
    table->owner->newest = kept;
    return kept + 1;
}

pen_status pen_check_shape(pen_run *run, const pen_input *input, const pen_read_options *options,
                           int64_t rows, int64_t cols)
{
    PEN_REQUIRE(run, (rows > 0 || options->allow_empty) && cols > 0, PEN_BAD_DATA,
                "%s: no %s, the shape is %lld x %lld", input->name,
                rows > 0 || options->allow_empty ? "columns" : "rows", (long long)rows,
                (long long)cols);
    PEN_REQUIRE(run, !input->header || input->header_count == cols, PEN_BAD_DATA,
                "%s: %lld column names for %lld columns", input->name,
                (long long)input->header_count, (long long)cols);
    return PEN_OK;
}

void *pen_table_rows(pen_run *run, const pen_input *input, pen_table *table, int64_t rows,
                     int64_t cols, pen_dtype dtype)
{
    const int64_t item = (int64_t)pen_size(dtype), bytes = pen_times(pen_times(rows, cols), item);
    void *const values = pen_memory_has(bytes)
                             ? pen_table_keep(NULL, table, pen_times(rows, cols), (size_t)item)
                             : NULL;
    char wanted[PEN_BYTES_SIZE], there[PEN_BYTES_SIZE];

    if (!values)
        pen_fail(run, PEN_NO_MEMORY,
                 "%s: out of memory: %lld rows of %lld columns take %s, the limit is %s",
                 input->name, (long long)rows, (long long)cols, pen_bytes_text(bytes, wanted),
                 pen_bytes_text(pen_memory(), there));
    return values;
}

void pen_table_keep_bytes(pen_table *table, pen_bytes *bytes)
{
    table->owner->bytes = *bytes;
    *bytes = (pen_bytes){ NULL, 0, 0 };
}

pen_status pen_table_keep_texts(pen_run *run, pen_table *table, const pen_text *texts,
                                int64_t count, char ***out)
{
    int64_t characters = 0;

    for (int64_t i = 0; i < count; i++)
        characters = pen_plus(characters, (int64_t)texts[i].length + 1);
    char **const list = pen_table_keep(run, table, count, sizeof *list);
    char *p = list ? pen_table_keep(run, table, characters, 1) : NULL;
    if (!p)
        return PEN_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        list[i] = p;
        if (texts[i].length > 0)
            memcpy(p, texts[i].start, texts[i].length);
        p += texts[i].length + 1;
    }
    *out = list;
    return PEN_OK;
}

/* ---- missing values ---- */

static double stored(const pen_array *x, int64_t e)
{
    return pen_load_value(x->dtype, x->values, e);
}

/* The number of the column in the file. */
static long long column_number(const pen_table *table, int64_t j)
{
    return table->column_numbers ? table->column_numbers[j] : j;
}

static pen_status check_value(pen_run *run, const pen_input *input, pen_missing missing,
                              const pen_table *table, int64_t row, int64_t e)
{
    const double value = stored(&table->x, e);

    if (isfinite(value) || (isnan(value) && missing != PEN_MISSING_ERROR))
        return PEN_OK;
    pen_fail(run, PEN_BAD_FORMAT, "%s: row %lld, column %lld (counted from 0): value %s, got %s",
             input->name, (long long)(input->first_row + row),
             column_number(table, pen_entry_column(&table->x, e)),
             isnan(value) ? "is missing" : "must be finite",
             isnan(value) ? "nan"
             : value < 0  ? "-inf"
                          : "inf");
    return pen_hint(run, PEN_BAD_FORMAT, isnan(value) ? PEN_HINT_MISSING : 0);
}

pen_status pen_table_holes(pen_run *run, const pen_input *input, const pen_read_options *options,
                           const pen_table *table, int64_t *holes)
{
    const pen_array *const x = &table->x;

    *holes = 0;
    if (pen_finite_values(x->dtype, x->values, pen_row_start(x, x->rows)))
        return PEN_OK;
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t e = pen_row_start(x, i); e < pen_row_start(x, i + 1); e++) {
            PEN_TRY(check_value(run, input, options->missing, table, i, e));
            *holes += isnan(stored(x, e)) != 0;
        }
    return PEN_OK;
}

/* Moves the rows without missing values to the front. table->row_numbers becomes their numbers,
 * then those of the dropped rows, the last one first. */
static void drop_rows(pen_table *table)
{
    const pen_array *const x = &table->x;
    const size_t item = pen_size(x->dtype);
    char *const values = (char *)(uintptr_t)x->values; /* the table's own */
    int32_t *const columns = (int32_t *)(uintptr_t)x->columns;
    int64_t *const starts = (int64_t *)(uintptr_t)x->starts, left = 0, to = 0, dropped = x->rows;

    for (int64_t i = 0, first = 0, end; i < x->rows; i++, first = end) {
        int whole = 1;
        end = pen_row_start(x, i + 1);
        for (int64_t e = first; e < end; e++)
            whole &= !isnan(stored(x, e));
        if (!whole) {
            table->row_numbers[--dropped] = i;
            continue;
        }
        memmove(values + (size_t)to * item, values + (size_t)first * item,
                (size_t)(end - first) * item);
        if (starts)
            memmove(columns + to, columns + first, (size_t)(end - first) * sizeof *columns);
        to += end - first;
        table->row_numbers[left++] = i;
        if (starts)
            starts[left] = to;
    }
    table->dropped_rows = x->rows - left;
    table->x.rows = left;
}

/* Puts the texts of the rows in the same order. */
static pen_status order_texts(pen_run *run, const pen_table *table, pen_row_texts list)
{
    const int64_t count = pen_times(table->x.rows + table->dropped_rows, list.each);
    pen_text *copy;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, copy, count));
    for (int64_t i = 0; i < count; i++)
        copy[i] = list.texts[table->row_numbers[i / list.each] * list.each + i % list.each];
    memcpy(list.texts, copy, (size_t)count * sizeof *copy);
    pen_release(run, mark);
    return PEN_OK;
}

enum { SMALLER = 64 }; /* scaling by 2^-64 keeps the sum of any number of large values finite */

/* The mean of the present values of each column; NaN: no values. */
static pen_status find_means(pen_run *run, const pen_array *x, double *mean)
{
    double *largest;
    int64_t *present;

    PEN_TRY(PEN_FILLED(run, largest, x->cols, 0));
    PEN_TRY(PEN_NEW(run, present, x->cols));
    for (int64_t j = 0; j < x->cols; j++) {
        mean[j] = 0;
        present[j] = x->rows; /* zeros that are not stored are present */
    }
    for (int64_t e = 0; e < pen_row_start(x, x->rows); e++) {
        const int64_t j = pen_entry_column(x, e);
        const double value = stored(x, e);
        present[j] -= isnan(value) != 0;
        mean[j] += isnan(value) ? 0 : ldexp(value, -SMALLER);
        largest[j] = fmax(largest[j], fabs(value)); /* fmax of a number and NaN is the number */
    }
    for (int64_t j = 0; j < x->cols; j++) {
        mean[j] = ldexp(mean[j] / (double)present[j], SMALLER);
        /* rounding must not push the mean out of the range of the values */
        mean[j] = fmax(-largest[j], fmin(largest[j], mean[j])) + 0.0; /* 0 and not -0 */
        if (present[j] == 0)
            mean[j] = (double)NAN;
    }
    return PEN_OK;
}

/* Keeps the means and replaces the `holes` by them, or by 0 without a mean. The table owns the
 * values. */
static pen_status fill(pen_run *run, pen_table *table, int64_t holes)
{
    const pen_array *const x = &table->x;
    void *const values = (void *)(uintptr_t)x->values;

    table->fill = pen_table_keep(run, table, x->cols, sizeof *table->fill);
    if (!table->fill)
        return PEN_NO_MEMORY;
    PEN_TRY(find_means(run, x, table->fill));
    for (int64_t e = 0; holes > 0 && e < pen_row_start(x, x->rows); e++)
        if (isnan(stored(x, e))) {
            const double mean = table->fill[pen_entry_column(x, e)];
            pen_store_value(x->dtype, values, e, isnan(mean) ? 0 : mean);
            table->filled_cells += !isnan(mean);
        }
    return PEN_OK;
}

/* All rows were dropped but are still in place: names a column without values, if there is one. */
static pen_status none_left(pen_run *run, const pen_input *input, const pen_table *table)
{
    const char *const *const names = (const char *const *)table->column_names;
    pen_array x = table->x;
    char quoted[PEN_QUOTE_SIZE];

    x.rows = table->dropped_rows;
    for (int64_t j = 0; j < x.cols; j++) {
        int64_t i = 0;
        while (i < x.rows && isnan(pen_value_at(&x, i, j)))
            i++;
        PEN_REQUIRE(run, i < x.rows, PEN_BAD_DATA, "%s: no rows left: column %lld%s%s has no value",
                    input->name, column_number(table, j), names ? " " : "",
                    names ? pen_quote(pen_text_of(names[j]), quoted) : "");
    }
    return pen_fail(run, PEN_BAD_DATA, "%s: no rows left: all %lld have missing values",
                    input->name, (long long)x.rows);
}

pen_status pen_table_treat(pen_run *run, const pen_input *input, const pen_read_options *options,
                           int is_block, pen_table *table, const pen_row_texts *texts)
{
    int64_t holes;

    PEN_TRY(pen_table_holes(run, input, options, table, &holes));
    if (options->missing == PEN_MISSING_MEAN)
        return fill(run, table, holes);
    table->filled_cells = options->missing == PEN_MISSING_KEEP ? holes : 0;
    if (holes == table->filled_cells)
        return PEN_OK;
    table->row_numbers = pen_table_keep(run, table, table->x.rows, sizeof *table->row_numbers);
    if (!table->row_numbers)
        return PEN_NO_MEMORY;
    drop_rows(table);
    for (; texts && texts->each > 0; texts++)
        if (texts->texts)
            PEN_TRY(order_texts(run, table, *texts));
    return table->x.rows > 0 || is_block || options->allow_empty ? PEN_OK
                                                                 : none_left(run, input, table);
}
