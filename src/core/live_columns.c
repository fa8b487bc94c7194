/* live_columns.c - columns are suspects until a value differs from the first. */
#include "core/live_columns.h"

#include "core/dtype.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Relative change of a value that rounding may cause. */
static const double ROUNDING = 8 * DBL_EPSILON;

/* Does a value equal that of the first row? NaN equals nothing. */
static int is_equal(double first, double value, int zeros)
{
    return zeros ? first == 0 && value == 0 : fabs(value - first) <= ROUNDING * fabs(first);
}

/* suspects [*count]: the columns without variation so far. */
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

    PEN_TRY(PEN_FILLED(run, first, x->cols, 0));
    PEN_TRY(PEN_FILLED(run, entries, x->cols, 0));
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

static pen_status pick_entries(pen_run *run, const pen_array *x, int64_t count,
                               const int64_t *columns, pen_array *out)
{
    const int64_t size = (int64_t)pen_size(x->dtype), most = x->starts[x->rows] + 1;
    int64_t *starts, used = 0;
    int32_t *places, *to;
    char *values;

    PEN_TRY(PEN_NEW(run, starts, x->rows + 1));
    PEN_TRY(PEN_NEW(run, to, most));
    PEN_TRY(PEN_NEW(run, values, pen_times(most, size)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, places, x->cols, -1));
    for (int64_t c = 0; c < count; c++)
        places[columns[c]] = (int32_t)c;
    starts[0] = 0;
    for (int64_t i = 0; i < x->rows; i++) {
        for (int64_t e = x->starts[i]; e < x->starts[i + 1]; e++)
            if (places[x->columns[e]] >= 0) {
                to[used] = places[x->columns[e]];
                memcpy(values + used++ * size, (const char *)x->values + e * size, (size_t)size);
            }
        starts[i + 1] = used;
    }
    *out = pen_csr(values, x->dtype, starts, to, x->rows, count);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_pick_columns(pen_run *run, const pen_array *x, int64_t count, const int64_t *columns,
                            pen_array *out)
{
    const size_t size = pen_size(x->dtype);

    if (pen_is_sparse(x))
        return pick_entries(run, x, count, columns, out);
    char *to = pen_scratch(run, pen_times(x->rows, count), size);
    if (!to)
        return PEN_NO_MEMORY;
    *out = pen_dense(to, x->dtype, x->rows, count, count);
    for (int64_t i = 0; i < x->rows; i++) {
        const char *const row = pen_row_at(x, i);
        for (int64_t c = 0; c < count; c++, to += size)
            memcpy(to, row + columns[c] * pen_step(x) * (int64_t)size, size);
    }
    return PEN_OK;
}
