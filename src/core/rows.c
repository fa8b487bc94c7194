/* rows.c - blocks of rows, and distances between them. */
#include "core/rows.h"

#include "core/squared_distance.h"
#include "core/subtract_origin.h"

#include <float.h>
#include <math.h>

enum {
    GATHERED = 64, /* rows gathered at a time if columns are apart */
    LANES = 8,
    SEGMENT = 256
};

int pen_all_finite(const double *row, int64_t d)
{
    return pen_finite_values(PEN_F64, row, d);
}

/* The first column from `column` on in which a row may be nonzero; cols: none. */
static int64_t next_column(const pen_array *x, int64_t row, int64_t column)
{
    if (!pen_is_sparse(x))
        return column;
    const int64_t e = pen_sparse_find(x, row, column);
    return e < x->starts[row + 1] ? x->columns[e] : x->cols;
}

pen_status pen_rows_refuse(pen_run *run, const pen_array *x, int64_t row)
{
    const long long number = pen_run_first(run) + row;

    for (int64_t column = next_column(x, row, 0); column < x->cols;
         column = next_column(x, row, column + 1)) {
        const double value = pen_value_at(x, row, column);
        PEN_REQUIRE(run, isfinite(value), PEN_NOT_FINITE,
                    "values must be finite, got %s at row %lld, column %lld (counted from 0)",
                    isnan(value) ? "NaN" : "infinity", number, (long long)column);
    }
    return pen_fail(run, PEN_BAD_DATA, "row %lld (counted from 0): values are too large", number);
}

/* ---- one row ---- */

pen_row_length pen_length_of_row(const pen_array *a, int64_t row)
{
    double largest = 0, sum = 0;
    pen_row_length u;

    if (pen_is_sparse(a)) {
        pen_sparse_length(a, row, &u.largest, &u.rest);
        return u;
    }
    for (int64_t j = 0; j < a->cols; j++)
        largest = fmax(largest, fabs(pen_value_at(a, row, j)));
    if (!(largest > 0))
        return (pen_row_length){ 1, 1 };
    for (int64_t j = 0; j < a->cols; j++) {
        const double v = pen_value_at(a, row, j) / largest;
        sum += v * v;
    }
    return (pen_row_length){ largest, sqrt(sum) };
}

/* Computes scale (u v - origin) in double. gathered: `to` holds v; otherwise the row is
 * contiguous. */
static void row_f64(const pen_view *x, int64_t row, const double *restrict origin, int gathered,
                    double *restrict to)
{
    const pen_array *const a = &x->values;
    const double *restrict scale = x->scale;

    if (!gathered && !x->unit) { /* one pass over memory */
        pen_shift_double(a->dtype, pen_row_at(a, row), origin, x->d, to);
    } else {
        if (!gathered)
            pen_array_gather(a, NULL, row, 1, 0, x->d, PEN_F64, to);
        const pen_row_length u = x->unit ? pen_length_of_row(a, row) : (pen_row_length){ 1, 1 };
        for (int64_t j = 0; x->unit && j < x->d; j++)
            to[j] = to[j] / u.largest / u.rest;
        for (int64_t j = 0; j < x->d; j++)
            to[j] -= origin[j];
    }
    if (scale)
        for (int64_t j = 0; j < x->d; j++)
            to[j] *= scale[j];
}

/* The same in single precision. The origin is a float, so that only the difference of two floats is
 * rounded. */
static void row_f32(const pen_view *x, int64_t row, int gathered, float *restrict to)
{
    const pen_array *const a = &x->values;
    const float *restrict origin = x->single, *restrict scale = x->scale ? x->single + x->d : NULL;

    if (x->unit) {
        const pen_row_length u = pen_length_of_row(a, row);
        for (int64_t j = 0; j < x->d; j++)
            to[j] = (float)(pen_value_at(a, row, j) / u.largest / u.rest - x->origin[j]);
    } else if (gathered) {
        for (int64_t j = 0; j < x->d; j++)
            to[j] -= origin[j];
    } else {
        pen_shift_single(a->dtype, pen_row_at(a, row), origin, x->d, to);
    }
    if (scale)
        for (int64_t j = 0; j < x->d; j++)
            to[j] *= scale[j];
}

/* Computes scale (u v - origin) of rows first .. first + count - 1, or members[first ..], in this
 * type. If columns are apart or rows are sparse, gathers the values of some rows first. */
static void rows_as(pen_dtype type, const pen_view *x, const int64_t *members, int64_t first,
                    int64_t count, const double *origin, void *block)
{
    const int gathered = !pen_is_contiguous(&x->values);

    for (int64_t i = 0; i < count; i++) {
        const int64_t row = members ? members[first + i] : first + i;
        char *const to = (char *)block + i * x->d * (int64_t)pen_size(type);
        if (gathered && i % GATHERED == 0)
            pen_array_gather(&x->values, members, first + i, pen_min(GATHERED, count - i), 0, x->d,
                             type, to);
        if (type == PEN_F64)
            row_f64(x, row, origin, gathered, (double *)(void *)to);
        else
            row_f32(x, row, gathered, (float *)(void *)to);
    }
}

void pen_rows_block(const pen_view *x, const int64_t *members, int64_t first, int64_t count,
                    void *block)
{
    rows_as(x->work, x, members, first, count, x->origin, block);
}

void pen_rows_centered(const pen_view *x, const int64_t *members, int64_t first, int64_t count,
                       double *block)
{
    rows_as(PEN_F64, x, members, first, count, x->mean, block);
}

/* The sum of squares, in eight independent sums to hide the latency of additions. */
static double squares(const double *restrict row, int64_t d)
{
    double sum[LANES] = { 0 }, all = 0;
    int64_t j = 0;

    for (; j + LANES <= d; j += LANES)
        for (int64_t i = 0; i < LANES; i++)
            sum[i] += row[j + i] * row[j + i];
    for (; j < d; j++)
        all += row[j] * row[j];
    for (int64_t i = 0; i < LANES; i++)
        all += sum[i];
    return all;
}

static double squares_single(const float *restrict row, int64_t d)
{
    double sum[LANES] = { 0 }, all = 0;
    int64_t j = 0;

    for (; j + LANES <= d; j += LANES)
        for (int64_t i = 0; i < LANES; i++)
            sum[i] += (double)row[j + i] * (double)row[j + i];
    for (; j < d; j++)
        all += (double)row[j] * (double)row[j];
    for (int64_t i = 0; i < LANES; i++)
        all += sum[i];
    return all;
}

void pen_squared_lengths(pen_dtype type, const void *block, int64_t count, int64_t d,
                         double *lengths)
{
    for (int64_t i = 0; i < count; i++)
        lengths[i] = type == PEN_F64 ? squares((const double *)block + i * d, d)
                                     : squares_single((const float *)block + i * d, d);
}

pen_status pen_rows_squares(pen_run *run, const pen_view *x, double *squares)
{
    double *block;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, block, pen_times(GATHERED, x->d)));
    for (int64_t first = 0; first < x->n; first += GATHERED) {
        const int64_t count = pen_min(GATHERED, x->n - first);
        pen_rows_centered(x, NULL, first, count, block);
        pen_squared_lengths(PEN_F64, block, count, x->d, squares + first);
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_rows_square_sum(pen_run *run, const pen_view *x, double *sum)
{
    double *squares;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, squares, x->n));
    PEN_TRY(pen_rows_squares(run, x, squares));
    *sum = 0;
    for (int64_t i = 0; i < x->n; i++)
        *sum += squares[i];
    pen_release(run, mark);
    return PEN_OK;
}

/* Columns first .. first + count - 1 of x_i - y_j, count <= SEGMENT; u and v are the lengths of the
 * two rows. */
static void difference(const pen_view *x, int64_t i, pen_row_length u, const pen_view *y, int64_t j,
                       pen_row_length v, int64_t first, int64_t count, double *restrict to)
{
    double q[SEGMENT];

    pen_array_gather(&x->values, NULL, i, 1, first, count, PEN_F64, to);
    pen_array_gather(&y->values, NULL, j, 1, first, count, PEN_F64, q);
    for (int64_t c = 0; !x->unit && c < count; c++)
        to[c] -= q[c];
    for (int64_t c = 0; x->unit && c < count; c++)
        to[c] = to[c] / u.largest / u.rest - q[c] / v.largest / v.rest;
    for (int64_t c = 0; x->scale && c < count; c++)
        to[c] *= x->scale[first + c];
}

void pen_rows_difference(const pen_view *x, int64_t i, int64_t j, double *to)
{
    const pen_row_length one = { 1, 1 }, u = x->unit ? pen_length_of_row(&x->values, i) : one,
                         v = x->unit ? pen_length_of_row(&x->values, j) : one;

    for (int64_t first = 0; first < x->d; first += SEGMENT)
        difference(x, i, u, x, j, v, first, pen_min(SEGMENT, x->d - first), to + first);
}

double pen_rows_distance2_between(const pen_view *x, int64_t i, const pen_view *y, int64_t j)
{
    if (x->source) /* so that equal distances stay equal */
        return pen_rows_distance2_between(x->source, i, y->source, j);

    const pen_row_length one = { 1, 1 }, u = x->unit ? pen_length_of_row(&x->values, i) : one,
                         v = x->unit ? pen_length_of_row(&y->values, j) : one;
    if (pen_rows_are_sparse(x) && pen_rows_are_sparse(y))
        return pen_sparse_distance2((pen_sparse_row){ &x->values, i, u.largest, u.rest },
                                    (pen_sparse_row){ &y->values, j, v.largest, v.rest }, x->unit,
                                    x->scale, SEGMENT);
    const int direct = !x->unit && pen_is_contiguous(&x->values) && pen_is_contiguous(&y->values)
                       && x->values.dtype == y->values.dtype;
    const char *const a = direct ? pen_row_at(&x->values, i) : NULL;
    const char *const b = direct ? pen_row_at(&y->values, j) : NULL;
    double p[SEGMENT], sum = 0;

    for (int64_t first = 0; first < x->d; first += SEGMENT) {
        const int64_t count = pen_min(SEGMENT, x->d - first);
        const size_t at = (size_t)first * pen_size(x->values.dtype);
        if (direct) {
            sum += pen_difference2(x->values.dtype, a + at, b + at,
                                   x->scale ? x->scale + first : NULL, count);
            continue;
        }
        difference(x, i, u, y, j, v, first, count, p);
        sum += squares(p, count);
    }
    return sum;
}

double pen_rows_distance2(const pen_view *x, int64_t i, int64_t j)
{
    return pen_rows_distance2_between(x, i, x, j);
}

pen_status pen_rows_replace(pen_run *run, const pen_view *from, const double *y, int64_t d,
                            const double *rounding, pen_view *out)
{
    double *zero, *own, largest = 0;

    PEN_TRY(PEN_NEW2(run, zero, own, d));
    for (int64_t j = 0; j < from->d; j++)
        largest = fmax(largest, from->rounding[j]);
    for (int64_t j = 0; j < d; j++) {
        zero[j] = 0;
        own[j] = rounding ? rounding[j] : largest;
    }
    *out = *from;
    out->key = NULL;
    out->values = pen_dense(y, PEN_F64, from->n, d, d);
    out->d = d;
    out->unit = 0;
    out->reduced = 1;
    out->work = PEN_F64;
    out->single = NULL;
    out->epsilon = DBL_EPSILON;
    out->mean = out->origin = out->offset = zero;
    out->rounding = own;
    out->scale = out->deviation = NULL;
    out->entries = NULL;
    return PEN_OK;
}
