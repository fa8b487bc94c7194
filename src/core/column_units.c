/* column_units.c - the units of columns, measured without extreme rows. */
#include "core/column_units.h"

#include "core/parallel.h"
#include "core/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TASK = 1024, TOGETHER = 16, FEWEST_ROWS = 30, MOST_SHARE = 100 };

static const double WIDTH = 0.75, CHANGED = 0.1;

/* Limits of the mean square of standardized values: above SUSPECT the row is measured again without
 * such rows, above FAR it is far. The mean square of a single row is at most n - 1. */
static const double SUSPECT = 50, FAR = 900;

/* ---- rows far from all others ---- */

struct distances {
    const pen_view *x; /* standardized */
    double mean2;      /* sparse rows: the mean square of a row of zeros */
    double *square;    /* [n] the mean square of each row */
    pen_slices buffer; /* [TOGETHER x d] */
};

static double sparse_square(const struct distances *s, int64_t row)
{
    const pen_view *const x = s->x;
    const pen_array *const a = &x->values;
    const pen_row_length u = x->unit ? pen_length_of_row(a, row) : (pen_row_length){ 1, 1 };
    double sum = s->mean2;

    for (int64_t e = a->starts[row]; e < a->starts[row + 1]; e++) {
        const int64_t j = a->columns[e];
        const double value = pen_entry(a, e) / u.largest / u.rest,
                     scale2 = x->scale[j] * x->scale[j];
        sum += value * (value - 2 * x->mean[j]) * scale2;
    }
    return sum;
}

static void measure_rows(void *context, int64_t task, int worker)
{
    const struct distances *s = context;
    const int64_t end = pen_min((task + 1) * TASK, s->x->n), d = s->x->d;

    for (int64_t i = task * TASK; i < end; i += TOGETHER) {
        const int64_t count = pen_min(TOGETHER, end - i);
        double *const block = pen_slice(&s->buffer, worker);
        if (pen_rows_are_sparse(s->x)) {
            for (int64_t r = 0; r < count; r++)
                s->square[i + r] = sparse_square(s, i + r) / (double)d;
            continue;
        }
        pen_rows_centered(s->x, NULL, i, count, block);
        pen_squared_lengths(PEN_F64, block, count, d, s->square + i);
        for (int64_t r = 0; r < count; r++)
            s->square[i + r] /= (double)d;
    }
}

/* Measures all rows about `mean` in units of `variance`. */
static pen_status measure(pen_run *run, const pen_view *x, const double *mean,
                          const double *variance, double *square)
{
    pen_view unit = *x;
    struct distances s = { &unit, 0, square, { 0 } };
    const int64_t tasks = (x->n + TASK - 1) / TASK;
    double *scale;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, scale, x->d));
    for (int64_t j = 0; j < x->d; j++) {
        scale[j] = variance[j] > 0 ? 1 / sqrt(variance[j]) : 0;
        s.mean2 += mean[j] * scale[j] * mean[j] * scale[j];
    }
    unit.mean = mean;
    unit.scale = scale;
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks),
                           pen_rows_are_sparse(x) ? 1 : pen_times(TOGETHER, x->d), sizeof(double),
                           &s.buffer));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("reading rows"), tasks, measure_rows, &s));
    pen_release(run, mark);
    return PEN_OK;
}

/* Sums the values less `about`, and their squares, over the rows that are not left out. */
static pen_status sum_others(pen_run *run, const pen_view *x, const char *out, const double *about,
                             double *sum, double *squares)
{
    pen_view plain = *x;
    double *row;

    plain.mean = about;
    plain.scale = NULL;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, row, x->d));
    memset(sum, 0, (size_t)x->d * sizeof *sum);
    memset(squares, 0, (size_t)x->d * sizeof *squares);
    for (int64_t i = 0; i < x->n; i++) {
        if (i % TASK == 0)
            PEN_TRY(pen_poll(run));
        if (out[i])
            continue;
        pen_rows_centered(&plain, NULL, i, 1, row);
        for (int64_t j = 0; j < x->d; j++) {
            sum[j] += row[j];
            squares[j] += row[j] * row[j];
        }
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* Mean and variance of the rows that are not left out, in two passes over all rows, because a copy
 * may not fit into memory. */
static pen_status describe_others(pen_run *run, const pen_view *x, const char *out, int64_t left,
                                  double *mean, double *variance)
{
    const double n = (double)(x->n - left);
    double *sum;

    PEN_TRY(PEN_NEW(run, sum, x->d));
    memcpy(mean, x->mean, (size_t)x->d * sizeof *mean);
    for (int pass = 0; pass < 2; pass++) {
        PEN_TRY(sum_others(run, x, out, mean, sum, variance));
        for (int64_t j = 0; j < x->d; j++) {
            const double rest = sum[j] / n;
            mean[j] += rest;
            variance[j] = fmax(0, variance[j] / n - rest * rest);
        }
    }
    return PEN_OK;
}

/* Marks the rows among `candidates`, or all if NULL, whose square is above the limit. */
static int64_t mark_rows(int64_t n, const double *square, double limit, const char *candidates,
                         char *marks)
{
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++)
        count += marks[i] = (!candidates || candidates[i]) && square[i] > limit;
    return count;
}

pen_status pen_find_far_rows(pen_run *run, pen_view *x, double *variance)
{
    const int64_t n = x->n, most = pen_max(1, n / MOST_SHARE);
    double *square, *mean, *of_others;
    char *suspects, *far;
    int64_t *rows;

    x->far_count = 0;
    if (n < FEWEST_ROWS || x->values.dtype == PEN_U8)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, rows, most));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW3(run, square, suspects, far, n));
    PEN_TRY(PEN_NEW2(run, mean, of_others, x->d));
    PEN_TRY(measure(run, x, x->mean, variance, square));
    int64_t count = mark_rows(n, square, fmin(SUSPECT, (double)n / 4), NULL, suspects);
    if (count > 0 && count <= most) {
        PEN_TRY(describe_others(run, x, suspects, count, mean, of_others));
        PEN_TRY(measure(run, x, mean, of_others, square));
        x->far_count = mark_rows(n, square, FAR, suspects, far);
        if (x->far_count > 0 && x->far_count < count)
            PEN_TRY(describe_others(run, x, far, x->far_count, mean, of_others));
    }
    if (x->far_count > 0)
        memcpy(variance, of_others, (size_t)x->d * sizeof *variance);
    count = 0;
    for (int64_t i = 0; x->far_count > 0 && i < n; i++)
        if (far[i])
            rows[count++] = i;
    x->far_rows = rows;
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- factors of columns ---- */

pen_status pen_auto_scale(pen_run *run, int64_t d, double *scale, int64_t *changed)
{
    double *logs;
    int64_t count = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, logs, d));
    for (int64_t j = 0; j < d; j++)
        if (scale[j] > 0)
            logs[count++] = 2 * log10(scale[j]);
    qsort(logs, (size_t)count, sizeof *logs, pen_by_double);
    const double m = count > 0 ? (logs[(count - 1) / 2] + logs[count / 2]) / 2 : 0;
    *changed = 0;
    for (int64_t j = 0; j < d; j++) {
        const double L = scale[j] > 0 ? 2 * log10(scale[j]) - m : 0;
        *changed += fabs(L) - WIDTH > CHANGED;
        scale[j] = pow(10, -(m + copysign(fmax(fabs(L) - WIDTH, 0), L)) / 2);
    }
    pen_release(run, mark);
    return PEN_OK;
}
