/* measure.c - what is left of a mean, and the extremes of columns. */
#include "stats/measure.h"

#include "core/parallel.h"

#include <math.h>

enum { PIECE = 1024 };

/* Sums of residuals, minima and maxima of pieces. */
struct pieces {
    const pen_rows *x;
    const double *mean;
    pen_slices slices; /* [d] */
    double *parts;     /* [pieces x 3 d] */
};

static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Adds a row to the sums of what rows are off the mean, and to the extremes. */
static void measure_row(const double *restrict row, int64_t d, const double *restrict mean,
                        double *restrict sum, double *restrict low, double *restrict high)
{
    for (int64_t j = 0; j < d; j++) {
        sum[j] += row[j] - mean[j];
        low[j] = lesser(row[j], low[j]);
        high[j] = greater(row[j], high[j]);
    }
}

/* The same for four rows, which are read at a time. */
static void measure_four(const double *restrict a, int64_t stride, int64_t d,
                         const double *restrict mean, double *restrict sum, double *restrict low,
                         double *restrict high)
{
    const double *restrict b = a + stride, *restrict c = b + stride, *restrict e = c + stride;

    for (int64_t j = 0; j < d; j++) {
        const double least = lesser(lesser(a[j], b[j]), lesser(c[j], e[j])),
                     most = greater(greater(a[j], b[j]), greater(c[j], e[j]));
        sum[j] = sum[j] + (a[j] - mean[j]) + (b[j] - mean[j]) + (c[j] - mean[j]) + (e[j] - mean[j]);
        low[j] = lesser(least, low[j]);
        high[j] = greater(most, high[j]);
    }
}

static void measure_piece(void *context, int64_t task, int worker)
{
    const struct pieces *p = context;
    const pen_rows *const x = p->x;
    const pen_array *const values = &x->values;
    const int64_t d = x->d, end = pen_min(x->n, (task + 1) * PIECE);
    const double *const mean = p->mean;
    double *const row = pen_slice(&p->slices, worker), *const sum = p->parts + task * 3 * d,
                  *const low = sum + d, *const high = low + d;
    int64_t i = task * PIECE;

    for (int64_t j = 0; j < d; j++) {
        sum[j] = 0;
        low[j] = INFINITY;
        high[j] = -INFINITY;
    }
    /* no copy of doubles as they are */
    if (values->dtype == PEN_F64 && !x->unit && !pen_rows_are_sparse(x)
        && pen_is_contiguous(values))
        for (; i + 4 <= end; i += 4)
            measure_four(pen_row_at(values, i), values->stride, d, mean, sum, low, high);
    for (; i < end; i++) {
        pen_rows_centered(x, NULL, i, 1, row);
        measure_row(row, d, mean, sum, low, high);
    }
}

pen_status pen_measure_columns(pen_run *run, const pen_rows *x, const double *mean, double *rest,
                               double *low, double *high)
{
    const int64_t d = x->d, n = x->n, pieces = (n + PIECE - 1) / PIECE;
    struct pieces p = { .x = x, .mean = mean };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, pieces), d, sizeof(double), &p.slices));
    PEN_TRY(PEN_NEW(run, p.parts, pen_times(pieces, pen_times(3, d))));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("reading rows"), pieces, measure_piece, &p));
    for (int64_t j = 0; j < d; j++) {
        rest[j] = 0;
        low[j] = p.parts[d + j];
        high[j] = p.parts[2 * d + j];
    }
    for (int64_t t = 0; t < pieces; t++)
        for (int64_t j = 0; j < d; j++) {
            const double *const part = p.parts + t * 3 * d;
            rest[j] += part[j] / (double)n;
            low[j] = fmin(low[j], part[d + j]);
            high[j] = fmax(high[j], part[2 * d + j]);
        }
    pen_release(run, mark);
    return PEN_OK;
}
