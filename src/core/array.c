/* array.c - values of arrays whose rows and columns may be apart. */
#include "core/array.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A tile of consecutive rows. If columns are contiguous, its part of a column is a few cache lines,
 * and the whole tile stays in the first cache. */
enum { TILE_ROWS = 32, TILE_COLS = 16, LANES = 8 };

/* ---- checks ---- */

static int64_t magnitude(int64_t a)
{
    return a >= 0 ? a : a > INT64_MIN ? -a : INT64_MAX;
}

int pen_array_fits(const pen_array *x)
{
    return pen_plus(pen_times(x->rows, magnitude(x->stride)),
                    pen_times(x->cols, magnitude(pen_step(x))))
           <= INT64_MAX / 16;
}

pen_status pen_array_check(pen_run *run, const pen_array *x, const char *what)
{
    PEN_REQUIRE(run, x->dtype == PEN_F64 || x->dtype == PEN_F32 || x->dtype == PEN_U8,
                PEN_BAD_ARGUMENT, "%s: unknown dtype %d", what, (int)x->dtype);
    PEN_REQUIRE(run, x->rows >= 1, PEN_BAD_DATA, "%s must have at least 1 row, got %lld", what,
                (long long)x->rows);
    PEN_REQUIRE(run, x->cols >= 1 && x->cols <= INT32_MAX / 2, PEN_BAD_DATA,
                "%s must have 1 to %d columns, got %lld", what, INT32_MAX / 2, (long long)x->cols);
    PEN_REQUIRE(run, x->starts || !x->columns, PEN_BAD_ARGUMENT,
                "%s.starts must not be NULL if columns are given", what);
    if (x->starts)
        return pen_sparse_check(run, x, what);
    PEN_REQUIRE(run, x->step != 0 || x->stride >= x->cols, PEN_BAD_ARGUMENT,
                "%s: stride must be >= %lld, the number of columns, unless a step is given, got "
                "%lld",
                what, (long long)x->cols, (long long)x->stride);
    PEN_REQUIRE(run, pen_array_fits(x), PEN_BAD_DATA, "%s: %lld rows are too many for memory", what,
                (long long)x->rows);
    PEN_REQUIRE(run, x->values, PEN_BAD_ARGUMENT, "%s.values must not be NULL", what);
    return PEN_OK;
}

/* ---- gathering ---- */

/* Copies one row or column of a tile: `count` values from `at` on, `apart` elements from each
 * other, to places `to_apart` elements from each other. Inlined if the distances are constants. */
static inline void copy_line(const pen_array *x, int64_t at, int64_t apart, int64_t count,
                             pen_dtype type, void *block, int64_t to_apart)
{
    const double *const f64 = (const double *)x->values + (x->dtype == PEN_F64 ? at : 0);
    const float *const f32 = (const float *)x->values + (x->dtype == PEN_F32 ? at : 0);
    const uint8_t *const u8 = (const uint8_t *)x->values + (x->dtype == PEN_U8 ? at : 0);
    double *restrict doubles = block;
    float *restrict floats = block;
    uint8_t *restrict bytes = block;

    if (type == PEN_U8)
        for (int64_t i = 0; i < count; i++)
            bytes[i * to_apart] = u8[i * apart];
    else if (type == PEN_F32 && x->dtype == PEN_U8)
        for (int64_t i = 0; i < count; i++)
            floats[i * to_apart] = (float)u8[i * apart];
    else if (type == PEN_F32)
        for (int64_t i = 0; i < count; i++)
            floats[i * to_apart] = f32[i * apart];
    else if (x->dtype == PEN_U8)
        for (int64_t i = 0; i < count; i++)
            doubles[i * to_apart] = u8[i * apart];
    else if (x->dtype == PEN_F32)
        for (int64_t i = 0; i < count; i++)
            doubles[i * to_apart] = (double)f32[i * apart];
    else
        for (int64_t i = 0; i < count; i++)
            doubles[i * to_apart] = f64[i * apart];
}

/* One row. */
static void copy_row(const pen_array *x, int64_t at, int64_t cols, pen_dtype type, void *to)
{
    if (pen_step(x) != 1)
        copy_line(x, at, pen_step(x), cols, type, to, 1);
    else if (type == x->dtype)
        memcpy(to, (const char *)x->values + at * (int64_t)pen_size(type),
               (size_t)cols * pen_size(type));
    else
        copy_line(x, at, 1, cols, type, to, 1);
}

/* Copies a tile of `high` rows and `wide` columns without changing the type; its first value is at
 * `at`. */
static void copy_tile(const pen_array *x, int64_t at, int64_t high, int64_t wide, char *to,
                      int64_t to_stride)
{
    for (int64_t j = 0; j < wide; j++) {
        char *const column = to + j * (int64_t)pen_size(x->dtype);
        if (x->stride == 1)
            copy_line(x, at + j * x->step, 1, high, x->dtype, column, to_stride);
        else
            copy_line(x, at + j * x->step, x->stride, high, x->dtype, column, to_stride);
    }
}

/* The same with conversion to `type`: transpose first, then convert row by row, in two tight
 * loops. */
static void convert_tile(const pen_array *x, int64_t at, int64_t high, int64_t wide, pen_dtype type,
                         char *to, int64_t to_stride)
{
    float memory[TILE_ROWS * TILE_COLS]; /* only floats and bytes are converted */
    const pen_array tile = pen_dense(memory, x->dtype, high, wide, TILE_COLS);

    copy_tile(x, at, high, wide, (char *)memory, TILE_COLS);
    for (int64_t i = 0; i < high; i++)
        copy_row(&tile, i * TILE_COLS, wide, type, to + i * to_stride * (int64_t)pen_size(type));
}

/* Copies consecutive rows; their first value is at `at`. */
static void copy_tiles(const pen_array *x, int64_t at, int64_t count, int64_t cols, pen_dtype type,
                       char *to)
{
    for (int64_t left = 0; left < cols; left += TILE_COLS)
        for (int64_t top = 0; top < count; top += TILE_ROWS) {
            const int64_t from = at + top * x->stride + left * x->step,
                          high = pen_min(TILE_ROWS, count - top),
                          wide = pen_min(TILE_COLS, cols - left);
            char *const corner = to + (top * cols + left) * (int64_t)pen_size(type);
            if (type == x->dtype)
                copy_tile(x, from, high, wide, corner, cols);
            else
                convert_tile(x, from, high, wide, type, corner, cols);
        }
}

/* The number of rows from position `first` on that follow each other, at most `most`. */
static int64_t consecutive(const int64_t *rows, int64_t first, int64_t most)
{
    int64_t count = 1;

    if (!rows)
        return most;
    while (count < most && rows[first + count] == rows[first] + count)
        count++;
    return count;
}

void pen_array_gather(const pen_array *x, const int64_t *rows, int64_t first, int64_t count,
                      int64_t column, int64_t cols, pen_dtype type, void *block)
{
    const int64_t row_size = cols * (int64_t)pen_size(type);

    for (int64_t i = 0; pen_is_sparse(x) && i < count; i++)
        pen_sparse_gather(x, rows ? rows[first + i] : first + i, column, cols, type,
                          (char *)block + i * row_size);
    if (pen_is_sparse(x))
        return;
    for (int64_t i = 0, together; i < count; i += together) {
        const int64_t row = rows ? rows[first + i] : first + i,
                      at = row * x->stride + column * pen_step(x);
        char *const to = (char *)block + i * row_size;
        together = pen_step(x) == 1 ? 1 : consecutive(rows, first + i, count - i);
        if (together == 1)
            copy_row(x, at, cols, type, to);
        else
            copy_tiles(x, at, together, cols, type, to);
    }
}

/* Each sum is 0, or NaN once a value is not finite; independent sums hide the latency of
 * additions. */
#define ALL_FINITE(NAME, NUMBER)                                                                   \
    static int NAME(const NUMBER *values, int64_t count)                                           \
    {                                                                                              \
        NUMBER sum[LANES] = { 0 };                                                                 \
        int64_t i = 0;                                                                             \
        int finite = 1;                                                                            \
        for (; i + LANES <= count; i += LANES)                                                     \
            for (int64_t l = 0; l < LANES; l++)                                                    \
                sum[l] += values[i + l] * 0;                                                       \
        for (; i < count; i++)                                                                     \
            sum[0] += values[i] * 0;                                                               \
        for (int64_t l = 0; l < LANES; l++)                                                        \
            finite &= sum[l] == 0;                                                                 \
        return finite;                                                                             \
    }
ALL_FINITE(all_finite_floats, float)
ALL_FINITE(all_finite_doubles, double)

int pen_finite_values(pen_dtype type, const void *values, int64_t count)
{
    return type == PEN_F64   ? all_finite_doubles(values, count)
           : type == PEN_F32 ? all_finite_floats(values, count)
                             : 1;
}

pen_status pen_array_pick(pen_run *run, const pen_array *x, int64_t count, const int64_t *rows,
                          pen_array *out)
{
    const int64_t size = (int64_t)pen_size(x->dtype);
    char *values;

    if (pen_is_sparse(x))
        return pen_sparse_pick(run, x, count, rows, out);
    PEN_TRY(PEN_NEW(run, values, pen_times(count, pen_times(x->cols, size))));
    pen_array_gather(x, rows, 0, count, 0, x->cols, x->dtype, values);
    *out = pen_dense(values, x->dtype, count, x->cols, x->cols);
    return PEN_OK;
}

/* Keeps the nonzero entries of a dense row, NaN included. columns NULL: only counts them. */
static int64_t keep_entries(const pen_array *x, int64_t row, int32_t *columns, double *values)
{
    int64_t count = 0;

    for (int64_t j = 0; j < x->cols; j++) {
        const double value = pen_value_at(x, row, j);
        if (value == 0)
            continue;
        if (columns) {
            columns[count] = (int32_t)j;
            values[count] = value;
        }
        count++;
    }
    return count;
}

pen_status pen_array_sparse(pen_run *run, const pen_array *x, pen_array *out)
{
    int64_t *starts;
    int32_t *columns;
    double *values;

    if (pen_is_sparse(x)) {
        *out = *x;
        return PEN_OK;
    }
    PEN_TRY(PEN_NEW(run, starts, pen_plus(x->rows, 1)));
    starts[0] = 0;
    for (int64_t i = 0; i < x->rows; i++)
        starts[i + 1] = starts[i] + keep_entries(x, i, NULL, NULL);
    PEN_TRY(PEN_NEW2(run, columns, values, starts[x->rows]));
    for (int64_t i = 0; i < x->rows; i++)
        keep_entries(x, i, columns + starts[i], values + starts[i]);
    *out = pen_csr(values, PEN_F64, starts, columns, x->rows, x->cols);
    return PEN_OK;
}

int pen_store_row(pen_dtype type, int64_t count, const double *restrict from, void *z, int64_t at)
{
    const double most = type == PEN_F64 ? DBL_MAX : (double)FLT_MAX;
    int fits = 1;

    for (int64_t c = 0; c < count; c++)
        fits &= fabs(from[c]) <= most;
    if (!fits)
        return 0;
    if (type == PEN_F64) {
        memcpy((double *)z + at, from, (size_t)count * sizeof *from);
    } else {
        float *restrict to = (float *)z + at;
        for (int64_t c = 0; c < count; c++)
            to[c] = (float)from[c];
    }
    return 1;
}
