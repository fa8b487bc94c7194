/* row_statistics.c - mean, variance and extremes of the columns, their scale, and rows opened with
 * them. */
#include "core/column_units.h"
#include "core/parallel.h"
#include "core/rows.h"
#include "core/sparse_statistics.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    BLOCK = 1024,  /* rows in a task of a statistics pass */
    GATHERED = 64, /* rows gathered at a time if columns are apart */
    /* with fewer values, single precision saves too little to be worth its rounding */
    MIN_SINGLE_ELEMENTS = 1 << 20,
    MAX_EXPONENT = 1000, /* the range of powers of 2 that have a reciprocal */
    /* differences from it, and sums of 1024 products of them, are exact in float */
    U8_CENTER = 128,
};

/* Columns with a variance outside this range overflow or underflow in single precision. */
static const double MIN_VARIANCE = 1e-24, MAX_VARIANCE = 1e24;

/* Data with a largest deviation from a column mean outside this range is refused: weighted sums of
 * squares would lose digits or overflow. */
static const double MIN_DEVIATION = 1e-140, MAX_DEVIATION = 1e140;

/* A variance outside this range may have lost digits to underflow, or overflowed. */
static const double MIN_SQUARE = 1e-270, MAX_SQUARE = 1e270;

/* One pass: for each block of rows the sums of (u v - origin) and of its squares, or the minima and
 * maxima. */
struct statistics {
    const pen_view *x;
    const double *origin;
    int extremes;
    int64_t together;   /* rows read at a time */
    pen_slices buffer;  /* [together x d] */
    double *parts;      /* [blocks x 2 d] */
    int64_t *first_bad; /* [blocks] first row with a non-finite value, or -1 */
};

/* Adds a row to the sums and sums of squares, or the minima and maxima, of its task. */
static void add_row(const struct statistics *s, const double *restrict row, double *restrict low,
                    double *restrict high)
{
    const int64_t d = s->x->d;

    if (s->extremes)
        for (int64_t j = 0; j < d; j++) {
            low[j] = row[j] < low[j] ? row[j] : low[j];
            high[j] = row[j] > high[j] ? row[j] : high[j];
        }
    else
        for (int64_t j = 0; j < d; j++) {
            low[j] += row[j];
            high[j] += row[j] * row[j];
        }
}

/* Adds `count` contiguous rows, four at a time to keep sums in registers. Each sum is in row
 * order. */
#define ADD_PLAIN_ROWS(NAME, NUMBER)                                                               \
    static void NAME(const NUMBER *rows, int64_t stride, int64_t count, int64_t d,                 \
                     const double *restrict origin, double *restrict sums,                         \
                     double *restrict squares_of)                                                  \
    {                                                                                              \
        for (; count >= 4; count -= 4, rows += 4 * stride) {                                       \
            const NUMBER *restrict a = rows, *restrict b = a + stride, *restrict c = b + stride,   \
                                   *restrict e = c + stride;                                       \
            for (int64_t j = 0; j < d; j++) {                                                      \
                const double p = (double)a[j] - origin[j], q = (double)b[j] - origin[j],           \
                             r = (double)c[j] - origin[j], t = (double)e[j] - origin[j];           \
                sums[j] = sums[j] + p + q + r + t;                                                 \
                squares_of[j] = squares_of[j] + p * p + q * q + r * r + t * t;                     \
            }                                                                                      \
        }                                                                                          \
        for (; count > 0; count--, rows += stride)                                                 \
            for (int64_t j = 0; j < d; j++) {                                                      \
                const double p = (double)rows[j] - origin[j];                                      \
                sums[j] += p;                                                                      \
                squares_of[j] += p * p;                                                            \
            }                                                                                      \
    }
ADD_PLAIN_ROWS(add_floats, float)
ADD_PLAIN_ROWS(add_doubles, double)

/* The same for contiguous rows as given, without a copy; finite sums prove finite values. Returns 0
 * if the rows are of another kind, values are not finite, or sums overflow. */
static int add_plain_rows(const struct statistics *s, int64_t first, int64_t count, double *sums,
                          double *squares_of)
{
    const pen_view *const x = s->x;
    const pen_array *const a = &x->values;

    if (s->extremes || x->unit || x->scale || !pen_is_contiguous(a) || a->dtype == PEN_U8)
        return 0;
    memset(sums, 0, (size_t)x->d * sizeof *sums);
    memset(squares_of, 0, (size_t)x->d * sizeof *squares_of);
    if (a->dtype == PEN_F64)
        add_doubles(pen_row_at(a, first), a->stride, count, x->d, s->origin, sums, squares_of);
    else
        add_floats(pen_row_at(a, first), a->stride, count, x->d, s->origin, sums, squares_of);
    return pen_all_finite(sums, x->d);
}

static void statistics_of_block(void *context, int64_t task, int worker)
{
    const struct statistics *s = context;
    const int64_t d = s->x->d, first = task * BLOCK, end = pen_min(first + BLOCK, s->x->n);
    double *const rows = pen_slice(&s->buffer, worker), *const low = s->parts + task * 2 * d,
                  *const high = low + d;
    pen_view about = *s->x;

    about.mean = s->origin;
    s->first_bad[task] = -1;
    if (add_plain_rows(s, first, end - first, low, high))
        return;
    for (int64_t j = 0; j < d; j++) {
        low[j] = s->extremes ? DBL_MAX : 0;
        high[j] = s->extremes ? -DBL_MAX : 0;
    }
    for (int64_t i = first; i < end; i += s->together) {
        const int64_t count = pen_min(s->together, end - i);
        pen_rows_centered(&about, NULL, i, count, rows);
        for (int64_t r = 0; r < count; r++) {
            if (s->first_bad[task] < 0 && !pen_all_finite(rows + r * d, d))
                s->first_bad[task] = i + r;
            add_row(s, rows + r * d, low, high);
        }
    }
}

/* Only sums, for bytes: integer arithmetic is exact and fast. */
static void sums_of_bytes(void *context, int64_t task, int worker)
{
    const struct statistics *s = context;
    const pen_array *const a = &s->x->values;
    const int64_t d = a->cols, first = task * BLOCK, end = pen_min(first + BLOCK, a->rows);
    uint32_t *restrict sum = pen_slice(&s->buffer, worker);

    memset(sum, 0, (size_t)d * sizeof *sum);
    for (int64_t i = first; pen_step(a) == 1 && i < end; i++) {
        const uint8_t *restrict row = pen_row_at(a, i);
        for (int64_t j = 0; j < d; j++)
            sum[j] += row[j];
    }
    for (int64_t j = 0; pen_step(a) != 1 && j < d; j++) {
        const uint8_t *restrict column = (const uint8_t *)pen_row_at(a, first) + j * a->step;
        for (int64_t i = 0; i < end - first; i++)
            sum[j] += column[i * a->stride];
    }
    s->first_bad[task] = -1;
    for (int64_t j = 0; j < d; j++) {
        s->parts[task * 2 * d + j] = sum[j];
        s->parts[task * 2 * d + d + j] = 0;
    }
}

/* The same for sparse rows, plus the number of entries of each column: counts [d] or NULL. */
static pen_status sparse_pass(pen_run *run, const pen_view *x, const double *origin, int extremes,
                              double *low, double *high, int64_t *counts)
{
    const pen_scaled_rows rows = { &x->values, x->unit, x->scale };
    int64_t bad;

    PEN_TRY(pen_sparse_statistics(run, &rows, origin, extremes, low, high, counts, &bad));
    return bad < 0 ? PEN_OK : pen_rows_refuse(run, &x->values, bad);
}

/* One pass over all rows. The sums (or the extremes) of the blocks are combined in order into low
 * and high [d]. */
static pen_status statistics_pass(pen_run *run, const pen_view *x, pen_task_fn task,
                                  const double *origin, int extremes, double *low, double *high)
{
    const int64_t d = x->d, blocks = (x->n + BLOCK - 1) / BLOCK;

    if (pen_rows_are_sparse(x))
        return sparse_pass(run, x, origin, extremes, low, high, NULL);
    const pen_mark_t mark = pen_mark(run);
    struct statistics s = { .x = x, .origin = origin, .extremes = extremes };

    s.together = pen_step(&x->values) == 1 ? 1 : pen_min(GATHERED, x->n);
    PEN_TRY(pen_slices_new(run, pen_workers(run, blocks), pen_times(s.together, d), sizeof(double),
                           &s.buffer));
    PEN_TRY(PEN_NEW(run, s.parts, pen_times(pen_times(blocks, 2), d)));
    PEN_TRY(PEN_NEW(run, s.first_bad, blocks));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("reading rows"), blocks, task, &s));
    for (int64_t b = 0; b < blocks; b++)
        if (s.first_bad[b] >= 0)
            return pen_rows_refuse(run, &x->values, s.first_bad[b]);
    memcpy(low, s.parts, (size_t)d * sizeof *low);
    memcpy(high, s.parts + d, (size_t)d * sizeof *high);
    for (int64_t b = 1; b < blocks; b++)
        for (int64_t j = 0; j < d; j++) {
            const double l = s.parts[b * 2 * d + j], h = s.parts[b * 2 * d + d + j];
            low[j] = !extremes ? low[j] + l : l < low[j] ? l : low[j];
            high[j] = !extremes ? high[j] + h : h > high[j] ? h : high[j];
        }
    pen_release(run, mark);
    return PEN_OK;
}

/* The variance of n values whose squares add up to `squares`; infinity if those overflow. */
static double variance_of(double squares, double mean, double n)
{
    const double variance = squares / n - mean * mean;
    return isfinite(variance) ? fmax(0, variance) : (double)INFINITY;
}

/* low [d], then high [d]: a pen_make_fn. */
static pen_status make_extremes(pen_run *run, void *context, pen_made *out)
{
    const pen_view *const x = context;
    double *both;

    PEN_TRY(PEN_NEW(run, both, pen_times(2, x->d)));
    *out = (pen_made){ .object = both, .size = 16 * x->d };
    return statistics_pass(run, x, statistics_of_block, x->mean, 1, both, both + x->d);
}

/* The minimum and the maximum of the centered and scaled values of each column. */
pen_status pen_rows_extremes(pen_run *run, const pen_view *x, double **low, double **high)
{
    pen_view rows = *x;
    pen_cache_key *key;
    const void *value;

    PEN_TRY(PEN_NEW2(run, *low, *high, x->d));
    for (int64_t j = 0; x->moments && j < x->d; j++) {
        const double scale = x->scale ? x->scale[j] : 1;
        (*low)[j] = (x->moments->low[j] - x->mean[j]) * scale;
        (*high)[j] = (x->moments->high[j] - x->mean[j]) * scale;
    }
    if (x->moments)
        return PEN_OK;
    PEN_TRY(pen_rows_key(run, x, PEN_CACHE_EXTREMES, 0, &key));
    PEN_TRY(pen_cache_get(run, key, make_extremes, &rows, &value));
    memcpy(*low, value, (size_t)x->d * sizeof **low);
    memcpy(*high, (const double *)value + x->d, (size_t)x->d * sizeof **high);
    return PEN_OK;
}

/* The mean and the variance of u v. The sums are of differences from the first row, so that
 * rounding depends on the spread of a column and not on its distance from 0; sums of bytes are
 * exact. A second pass computes the variance about the mean. */
static pen_status find_mean(pen_run *run, pen_view *x, double *mean, double *variance)
{
    const double n = (double)x->n;
    const int bytes = x->values.dtype == PEN_U8 && !x->unit;
    double *sum;

    PEN_TRY(PEN_FILLED(run, sum, x->d, 0));
    x->mean = sum;
    pen_rows_centered(x, NULL, 0, 1, mean);
    for (int64_t j = 0; bytes && j < x->d; j++)
        mean[j] = 0;
    PEN_TRY(statistics_pass(run, x, bytes ? sums_of_bytes : statistics_of_block, mean, 0, sum,
                            variance));
    for (int64_t j = 0; j < x->d; j++) {
        const double rest = sum[j] / n;
        mean[j] += rest;
        variance[j] = variance_of(variance[j], rest, n);
        PEN_REQUIRE(run, isfinite(mean[j]), PEN_BAD_DATA,
                    "column %lld: values are too large to add", (long long)j);
    }
    x->mean = mean;
    PEN_TRY(statistics_pass(run, x, statistics_of_block, mean, 0, sum, variance));
    for (int64_t j = 0; j < x->d; j++)
        variance[j] = variance_of(variance[j], sum[j] / n, n);
    return PEN_OK;
}

/* Columns of sparse rows: the number of entries, and the rounding error of the mean. */
struct column {
    int64_t *counts; /* [d] */
    double *rest;    /* [d] mean of u v, less mean */
};

/* The same for sparse rows: first about 0, then about that mean, which makes mean and variance
 * exact to rounding, however far a column is from 0. */
static pen_status find_sparse_mean(pen_run *run, pen_view *x, double *mean, double *variance,
                                   struct column *columns)
{
    const double n = (double)x->n;
    double *sum;

    PEN_TRY(PEN_NEW3(run, columns->counts, columns->rest, sum, x->d));
    for (int64_t j = 0; j < x->d; j++)
        mean[j] = 0;
    PEN_TRY(sparse_pass(run, x, mean, 0, sum, variance, columns->counts));
    for (int64_t j = 0; j < x->d; j++) {
        mean[j] = sum[j] / n;
        PEN_REQUIRE(run, isfinite(mean[j]), PEN_BAD_DATA,
                    "column %lld: values are too large to add", (long long)j);
    }
    PEN_TRY(sparse_pass(run, x, mean, 0, sum, variance, NULL));
    for (int64_t j = 0; j < x->d; j++) {
        const double rest = isfinite(sum[j]) ? sum[j] / n : 0, about = mean[j];
        mean[j] = about + rest;
        columns->rest[j] = rest - (mean[j] - about);
        variance[j] = variance_of(variance[j], rest, n);
    }
    x->mean = mean;
    return PEN_OK;
}

/* 1 if entries have no units: the rows are normalized, here or earlier. */
static int is_unit(const pen_view *x)
{
    return x->unit || (x->moments && x->moments->unit);
}

/* The bound on differences within a column that rounding alone can cause. */
static double rounding(const pen_view *x, int64_t column)
{
    return 8 * DBL_EPSILON * (fabs(x->mean[column]) + is_unit(x));
}

/* 1 if squares of values with this variance are representable without loss of digits. */
static int squares_hold(double variance)
{
    return variance >= MIN_SQUARE && variance <= MAX_SQUARE;
}

/* The variance of a column, from the diagonal of the scatter. */
static double moment_variance(const pen_moments *m, int64_t column)
{
    return fmax(0, m->scatter[column * (column + 3) / 2]) / (double)m->n;
}

/* Each column is multiplied by a power of 2 that brings it near 1, so no square underflows or
 * overflows, and no digit changes. */
pen_status pen_rows_deviations(pen_run *run, const pen_view *x, double *deviation)
{
    pen_view scaled = *x;
    double *sum, *factor, *low, *high;
    int exponent;

    for (int64_t j = 0; x->moments && j < x->d; j++) {
        const double found = sqrt(moment_variance(x->moments, j));
        deviation[j] = found > rounding(x, j) ? found * (x->scale ? x->scale[j] : 1) : 0;
    }
    if (x->moments)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, sum, factor, x->d));
    PEN_TRY(pen_rows_extremes(run, x, &low, &high));
    for (int64_t j = 0; j < x->d; j++) {
        const double scale = x->scale ? x->scale[j] : 1;
        frexp(fmax(-low[j], high[j]) / scale, &exponent);
        factor[j] = ldexp(1, -(int)pen_max(-MAX_EXPONENT, pen_min(exponent, MAX_EXPONENT)));
    }
    scaled.scale = factor;
    PEN_TRY(statistics_pass(run, &scaled, statistics_of_block, x->mean, 0, sum, deviation));
    for (int64_t j = 0; j < x->d; j++) {
        const double found =
            sqrt(variance_of(deviation[j], sum[j] / (double)x->n, (double)x->n)) / factor[j];
        deviation[j] = found > rounding(x, j) ? found * (x->scale ? x->scale[j] : 1) : 0;
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* Standard deviations, 0 within rounding. Variances that underflow or overflow, which is impossible
 * for floats and bytes, are recomputed. */
static pen_status find_deviation(pen_run *run, pen_view *x, const double *variance)
{
    int representable = 1;
    double *deviation;

    PEN_TRY(PEN_NEW(run, deviation, x->d));
    for (int64_t j = 0; j < x->d; j++) {
        deviation[j] = sqrt(variance[j]);
        deviation[j] = deviation[j] > rounding(x, j) ? deviation[j] : 0;
        representable &= x->values.dtype != PEN_F64 || squares_hold(variance[j]);
    }
    if (!representable && x->far_count == 0) /* with far rows, the variances exclude them */
        PEN_TRY(pen_rows_deviations(run, x, deviation));
    x->deviation = deviation;
    return PEN_OK;
}

/* Factors from standard deviations. */
static pen_status find_standard_scale(pen_run *run, pen_view *x, enum pen_scale kind, double *scale)
{
    for (int64_t j = 0; j < x->d; j++) {
        const double deviation = x->deviation[j], factor = deviation > 0 ? 1 / deviation : 1;
        PEN_REQUIRE(run, isfinite(deviation) && isfinite(factor), PEN_BAD_DATA,
                    "column %lld: its standard deviation is too %s to divide by", (long long)j,
                    isfinite(deviation) ? "small" : "large");
        scale[j] = kind == PEN_SCALE_STANDARD ? factor : deviation;
    }
    return kind == PEN_SCALE_STANDARD ? PEN_OK
                                      : pen_auto_scale(run, x->d, scale, &x->scaled_columns);
}

/* Reciprocal ranges. */
static pen_status find_range_scale(pen_run *run, const pen_view *x, double *scale)
{
    double *low, *high;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_rows_extremes(run, x, &low, &high));
    for (int64_t j = 0; j < x->d; j++) {
        const double range = high[j] - low[j];
        scale[j] = range > rounding(x, j) ? 1 / range : 1;
        PEN_REQUIRE(run, isfinite(range) && isfinite(scale[j]), PEN_BAD_DATA,
                    "column %lld: its range is too %s to divide by", (long long)j,
                    isfinite(range) ? "small" : "large");
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* The scale factors of the columns. A column that is constant up to rounding keeps its scale. */
static pen_status find_scale(pen_run *run, pen_view *x, enum pen_scale kind)
{
    double *scale;

    PEN_TRY(PEN_NEW(run, scale, x->d));
    PEN_TRY(kind == PEN_SCALE_MINMAX ? find_range_scale(run, x, scale)
                                     : find_standard_scale(run, x, kind, scale));
    x->scale = scale;
    return PEN_OK;
}

pen_status pen_rows_need_squares(pen_run *run, const pen_view *x, int may_scale)
{
    double *low, *high, largest = 0;
    int64_t column = 0;

    if (x->squares_hold)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_rows_extremes(run, x, &low, &high));
    for (int64_t j = 0; j < x->d; j++)
        if (fmax(-low[j], high[j]) > largest) {
            largest = fmax(-low[j], high[j]);
            column = j;
        }
    pen_release(run, mark);
    PEN_REQUIRE(run, largest == 0 || largest >= MIN_DEVIATION, PEN_BAD_DATA,
                "values are too small: the largest deviation from a column mean is %.3g, and its "
                "square underflows%s",
                largest, may_scale ? "; set scale standard, or multiply the columns" : "");
    PEN_REQUIRE(run, largest <= MAX_DEVIATION, PEN_BAD_DATA,
                "values are too large: column %lld (counted from 0) deviates from its mean by "
                "%.3g, and the square of that overflows%s",
                (long long)column, largest,
                may_scale ? "; set scale standard, or divide the column" : "");
    return PEN_OK;
}

/* 1 if the variances show that squares are representable, as they are for ordinary data. Scaled
 * values are near 1, and squares of bytes and floats always fit in a double. */
static int variances_show_squares_hold(const pen_view *x, const double *variance)
{
    double largest = 0;

    for (int64_t j = 0; j < x->d; j++)
        largest = fmax(largest, variance[j]);
    return x->scale || x->values.dtype != PEN_F64 || squares_hold(largest);
}

/* Blocks of sparse rows stay sparse: their origin is 0, except in columns with entries in more than
 * half of the rows, whose mean may be far from 0 relative to the deviation. */
static double sparse_origin(const pen_view *x, const struct column *columns, int64_t j)
{
    return columns->counts[j] > x->n / 2 ? x->mean[j] : 0;
}

/* The origin of the blocks and its distance from the mean. In sparse rows the distance includes the
 * rounding of the mean, which matters if sums are far from 0. columns: NULL for dense rows.
 */
static pen_status find_origin(pen_run *run, pen_view *x, const struct column *columns)
{
    double *origin, *offset, *error;
    float *single;
    const double unit_error =
        is_unit(x) ? 4 * (x->work == PEN_F64 ? DBL_EPSILON : (double)FLT_EPSILON) : 0;
    const int exact = x->values.dtype == PEN_U8 && !x->unit && !x->scale;

    PEN_TRY(PEN_NEW3(run, origin, offset, error, x->d));
    PEN_TRY(PEN_NEW(run, single, pen_times(2, x->d)));
    for (int64_t j = 0; j < x->d; j++) {
        const double scale = x->scale ? x->scale[j] : 1;
        origin[j] = columns              ? sparse_origin(x, columns, j)
                    : x->work == PEN_F64 ? x->mean[j]
                    : exact              ? U8_CENTER
                                         : (double)(float)x->mean[j];
        offset[j] = (x->mean[j] - origin[j] + (columns ? columns->rest[j] : 0)) * scale;
        single[j] = (float)origin[j];
        single[x->d + j] = (float)scale;
        error[j] = (2 * DBL_EPSILON * fabs(x->mean[j]) + unit_error) * scale;
    }
    x->origin = origin;
    x->offset = offset;
    x->single = single;
    x->rounding = error;
    x->epsilon = x->work == PEN_F64 || exact ? DBL_EPSILON : (double)FLT_EPSILON;
    return PEN_OK;
}

/* ---- opening ---- */

/* Opens rows without classes, with the factors `scale` of the columns; NULL: factors of this
 * kind. */
static pen_status open_scaled(pen_run *run, const pen_array *x, int unit, enum pen_scale kind,
                              const double *scale, pen_view *out)
{
    double *mean, *variance;
    struct column columns;

    PEN_TRY(pen_array_check(run, x, "x"));
    const int single =
        !pen_is_sparse(x) && x->dtype != PEN_F64 && x->rows >= MIN_SINGLE_ELEMENTS / x->cols;
    *out =
        (pen_view){ .values = *x, .n = x->rows, .d = x->cols, .work = single ? PEN_F32 : PEN_F64 };
    out->unit = unit;
    PEN_TRY(PEN_NEW2(run, mean, variance, x->cols));
    PEN_TRY(pen_is_sparse(x) ? find_sparse_mean(run, out, mean, variance, &columns)
                             : find_mean(run, out, mean, variance));
    if (kind == PEN_SCALE_AUTO)
        PEN_TRY(pen_find_far_rows(run, out, variance));
    for (int64_t j = 0; x->dtype == PEN_F32 && j < x->cols; j++)
        if (!(variance[j] == 0 || (variance[j] >= MIN_VARIANCE && variance[j] <= MAX_VARIANCE)))
            out->work = PEN_F64;
    PEN_TRY(find_deviation(run, out, variance));
    out->scale = scale;
    if (!scale && kind != PEN_SCALE_NONE)
        PEN_TRY(find_scale(run, out, kind));
    out->squares_hold = variances_show_squares_hold(out, variance);
    return find_origin(run, out, pen_is_sparse(x) ? &columns : NULL);
}

pen_status pen_rows_open(pen_run *run, const pen_data *data, int unit, enum pen_scale scale,
                         pen_view *out)
{
    PEN_TRY(open_scaled(run, &data->x, unit, scale, NULL, out));
    PEN_TRY(pen_rows_group(run, data->groups, out));
    return pen_rows_label(run, data->labels, out->n, out);
}

struct opening {
    const pen_array *x;
    int unit;
    enum pen_scale scale;
};

/* A pen_make_fn. */
static pen_status make_statistics(pen_run *run, void *context, pen_made *out)
{
    const struct opening *const o = context;
    pen_view *x;

    PEN_TRY(PEN_NEW(run, x, 1));
    PEN_TRY(open_scaled(run, o->x, o->unit, o->scale, NULL, x));
    x->values = (pen_array){ .rows = 0 }; /* the cache does not own them */
    const int64_t numbers = 8 * x->d;
    *out = (pen_made){ x,
                       sizeof *x,
                       8,
                       { { offsetof(pen_view, mean), numbers },
                         { offsetof(pen_view, scale), numbers },
                         { offsetof(pen_view, deviation), numbers },
                         { offsetof(pen_view, origin), numbers },
                         { offsetof(pen_view, offset), numbers },
                         { offsetof(pen_view, rounding), numbers },
                         { offsetof(pen_view, single), numbers },
                         { offsetof(pen_view, far_rows), 8 * x->far_count } } };
    return PEN_OK;
}

pen_status pen_rows_open_shared(pen_run *run, const pen_data *data, int unit, enum pen_scale scale,
                                pen_view *out)
{
    struct opening o = { &data->x, unit, scale };
    pen_cache_key *key;
    const void *value;

    PEN_TRY(pen_cache_key_new(run, &data->x, PEN_CACHE_STATISTICS, &key));
    if (!key)
        return pen_rows_open(run, data, unit, scale, out);
    key->normalize = unit;
    key->scale = scale;
    PEN_TRY(pen_cache_get(run, key, make_statistics, &o, &value));
    *out = *(const pen_view *)value;
    out->values = data->x;
    out->key = key;
    PEN_TRY(pen_rows_group(run, data->groups, out));
    return pen_rows_label(run, data->labels, out->n, out);
}

pen_status pen_rows_key(pen_run *run, const pen_view *x, int64_t kind, double number,
                        pen_cache_key **out)
{
    *out = NULL;
    if (!x->key)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, *out, 1));
    memcpy(*out, x->key, sizeof **out); /* including padding */
    (*out)->kind = kind;
    (*out)->number = number;
    (*out)->precision = x->work;
    return PEN_OK;
}

/* labels [count]: the classes of x. */
static pen_status labels_of_part(pen_run *run, const pen_view *x, int64_t count,
                                 const int64_t *numbers, int32_t *labels)
{
    int32_t *class_of;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_rows_classes(run, x, &class_of));
    for (int64_t i = 0; i < count; i++)
        labels[i] = class_of[numbers[i]];
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_rows_open_part(pen_run *run, const pen_view *x, int64_t count,
                              const int64_t *numbers, pen_view *out)
{
    int32_t *labels;
    pen_array some;

    PEN_TRY(PEN_NEW(run, labels, count));
    PEN_TRY(labels_of_part(run, x, count, numbers, labels));
    PEN_TRY(pen_array_pick(run, &x->values, count, numbers, &some));
    PEN_TRY(open_scaled(run, &some, x->unit, PEN_SCALE_NONE, x->scale, out));
    return pen_rows_label(run, labels, out->n, out);
}

/* As above, with known statistics. */
pen_status pen_rows_open_moments(pen_run *run, const pen_moments *moments, const pen_array *x,
                                 const int32_t *labels, enum pen_scale scale, pen_view *out)
{
    double *variance;

    *out = (pen_view){ .values = *x,
                       .n = x->rows,
                       .d = x->cols,
                       .work = PEN_F64,
                       .mean = moments->mean,
                       .moments = moments };
    PEN_TRY(PEN_NEW(run, variance, x->cols));
    for (int64_t j = 0; j < x->cols; j++)
        variance[j] = moment_variance(moments, j);
    PEN_TRY(find_deviation(run, out, variance));
    if (scale != PEN_SCALE_NONE)
        PEN_TRY(find_scale(run, out, scale));
    out->squares_hold = variances_show_squares_hold(out, variance);
    PEN_TRY(find_origin(run, out, NULL));
    PEN_TRY(pen_rows_label(run, labels, out->n, out));
    if (!moments->classes)
        return PEN_OK;
    out->class_moments = moments->classes;
    out->members = NULL;
    out->starts = moments->classes->starts;
    out->classes = moments->classes->count;
    out->labelled = out->starts[out->classes];
    return PEN_OK;
}
