/* live_columns.c - columns are suspects until a value differs from the first. */
#include "core/live_columns.h"

#include "core/dtype.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of a value, by which rounding may have changed it. */
static const double ROUNDING = 8 * DBL_EPSILON;

/* Is a value that of the first row? Not where either is not a number. */
static int is_equal(double first, double value, int zeros)
{
    return zeros ? first == 0 && value == 0 : fabs(value - first) <= ROUNDING * fabs(first);
}

/* suspects [*count]: those that are left. */
static void watch_dense(const pen_array *x, int zeros, int64_t *suspects, int64_t *count)
{
    for (int64_t i = 0; i<x->rows && * count> 0; i++) {
        int64_t left = 0;
        for (int64_t s = 0; s < *count; s++) {
            const int64_t j = suspects[s];
            if (is_equal(pen_value_at(x, 0, j), pen_value_at(x, i, j), zeros))
                suspects[left++] = j;
        }
        *count = left;
    }
}

/* The first value of a column is that of its first entry, or 0 if a row has none. */
static pen_status watch_sparse(pen_run *run, const pen_array *x, int zeros, int64_t *suspects,
                               int64_t *count)
{
    double *first;
    int64_t *entries, left = 0;

    PEN_TRY(PEN_NEW(run, first, x->cols));
    PEN_TRY(PEN_NEW(run, entries, x->cols));
    memset(first, 0, (size_t)x->cols * sizeof *first);
    memset(entries, 0, (size_t)x->cols * sizeof *entries);
    for (int64_t e = 0; e < x->starts[x->rows]; e++)
        entries[x->columns[e]]++;
    for (int64_t e = x->starts[x->rows] - 1; e >= 0; e--)
        if (entries[x->columns[e]] == x->rows)
            first[x->columns[e]] = pen_entry(x, e);
    for (int64_t e = 0; e < x->starts[x->rows]; e++)
        if (!is_equal(first[x->columns[e]], pen_entry(x, e), zeros))
            entries[x->columns[e]] = -1;
    for (int64_t j = 0; j < x->cols; j++)
        if (entries[j] >= 0)
            suspects[left++] = j;
    *count = left;
    return PEN_OK;
}

pen_status pen_live_columns(pen_run *run, const pen_array *x, int zeros, int64_t *columns,
                            int64_t *count)
{
    int64_t *dead, deaths = x->cols, next = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, dead, x->cols));
    for (int64_t j = 0; j < x->cols; j++)
        dead[j] = j;
    if (pen_is_sparse(x))
        PEN_TRY(watch_sparse(run, x, zeros, dead, &deaths));
    else
        watch_dense(x, zeros, dead, &deaths);
    *count = 0;
    for (int64_t j = 0; j < x->cols; j++)
        if (next < deaths && dead[next] == j)
            next++;
        else
            columns[(*count)++] = j;
    pen_release(run, mark);
    return PEN_OK;
}

/* Sparse rows: their starts, room for all entries as numbers of 8 bytes, then their columns. */
int64_t pen_picked_size(const pen_array *x, int64_t count)
{
    if (pen_is_sparse(x))
        return pen_plus(pen_times(x->rows + 1, 8), pen_times(x->starts[x->rows] + 1, 12));
    return pen_times(pen_times(x->rows, count), (int64_t)pen_size(x->dtype));
}

static void pick_entries(const pen_array *x, int64_t count, const int32_t *places, void *memory,
                         pen_array *out)
{
    const int64_t size = (int64_t)pen_size(x->dtype);
    int64_t *const starts = memory, used = 0;
    char *const values = (char *)(starts + x->rows + 1);
    int32_t *const columns = (int32_t *)(starts + x->rows + 2 + x->starts[x->rows]);

    starts[0] = 0;
    for (int64_t i = 0; i < x->rows; i++) {
        for (int64_t e = x->starts[i]; e < x->starts[i + 1]; e++)
            if (places[x->columns[e]] >= 0) {
                columns[used] = places[x->columns[e]];
                memcpy(values + used++ * size, (const char *)x->values + e * size, (size_t)size);
            }
        starts[i + 1] = used;
    }
    *out = pen_csr(values, x->dtype, starts, columns, x->rows, count);
}

pen_status pen_pick_columns(pen_run *run, const pen_array *x, int64_t count, const int64_t *columns,
                            void *memory, pen_array *out)
{
    const size_t size = pen_size(x->dtype);
    char *to = memory;
    int32_t *places;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, places, x->cols));
    memset(places, -1, (size_t)x->cols * sizeof *places);
    for (int64_t c = 0; c < count; c++)
        places[columns[c]] = (int32_t)c;
    if (pen_is_sparse(x))
        pick_entries(x, count, places, memory, out);
    else
        *out = pen_dense(memory, x->dtype, x->rows, count, count);
    for (int64_t i = 0; !pen_is_sparse(x) && i < x->rows; i++) {
        const char *const row = pen_row_at(x, i);
        for (int64_t c = 0; c < count; c++, to += size)
            memcpy(to, row + columns[c] * pen_step(x) * (int64_t)size, size);
    }
    pen_release(run, mark);
    return PEN_OK;
}
