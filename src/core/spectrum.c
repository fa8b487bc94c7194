/* spectrum.c - functions of a row whose columns are in order. */
#include "core/spectrum.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Relative to the largest value: the change that rounding may cause. */
static const double ROUNDING = 8 * DBL_EPSILON;

void pen_standard_normal(int64_t n, double *x)
{
    double largest = 0, mean = 0, off = 0, squares = 0;

    for (int64_t j = 0; j < n; j++)
        largest = fmax(largest, fabs(x[j]));
    for (int64_t j = 0; j < n; j++) {
        x[j] = largest > 0 ? x[j] / largest : 0;
        mean += x[j];
    }
    mean /= (double)n;
    for (int64_t j = 0; j < n; j++) {
        x[j] -= mean;
        off = fmax(off, fabs(x[j]));
    }
    if (!(off > ROUNDING)) {
        memset(x, 0, (size_t)n * sizeof *x);
        return;
    }
    for (int64_t j = 0; j < n; j++)
        squares += x[j] / off * (x[j] / off);
    const double deviation = off * sqrt(squares / (double)(n - 1));
    for (int64_t j = 0; j < n; j++)
        x[j] /= deviation;
}

/* The sum of k^2 over k = -half .. half. */
static double squares_to(double half)
{
    return half * (half + 1) * (2 * half + 1) / 3;
}

/* The slope at middle[0] of the parabola that best fits `half` values on either side. */
static double slope(int64_t half, const double *middle)
{
    const double squares = squares_to((double)half);
    double sum = 0;

    for (int64_t k = 1; k <= half; k++)
        sum += (double)k / squares * (middle[k] - middle[-k]);
    return sum;
}

/* The change of that parabola's slope from column to column. */
static double bend(int64_t half, const double *middle)
{
    const double h = (double)half, squares = squares_to(h), mean = squares / (2 * h + 1),
                 variance = squares * ((3 * h * h + 3 * h - 1) / 5 - mean);
    double sum = 0;

    for (int64_t k = 1; k <= half; k++)
        sum += 2 * ((double)(k * k) - mean) / variance
               * ((middle[k] - *middle) + (middle[-k] - *middle));
    return sum;
}

void pen_derivative(int64_t n, int64_t window, const double *x, double *out)
{
    const int64_t half = window / 2, last = n - 1 - half;
    const double first_bend = bend(half, x + half), last_bend = bend(half, x + last);

    for (int64_t j = half; j <= last; j++)
        out[j] = slope(half, x + j);
    for (int64_t j = 0; j < half; j++) {
        out[j] = out[half] - (double)(half - j) * first_bend;
        out[n - 1 - j] = out[last] + (double)(half - j) * last_bend;
    }
}

/* ---- curves ---- */

enum { LEAST_ROWS = 10, MOST_ROWS = 500, MOST_VALUES = 2000000, LEAST_COLUMNS = 30 };

/* For curves, the largest ratio of half the squared differences of neighbors to squared values: of
 * rows about their means, and then about the means of the columns. Spectra and series have .0001 to
 * .03 and .0004 to .07, images row by row .09 and more, tables about 1 and 1. */
static const double OF_ROWS = 0.05, OF_COLUMNS = 0.5;

/* For rows x [n x d] of mean 0. */
static int is_smooth(int64_t n, int64_t d, const double *x, double most)
{
    double squares = 0, differences = 0;

    for (int64_t e = 0; e < n * d; e++) {
        const double step = e % d > 0 ? x[e] - x[e - 1] : 0;
        squares += x[e] * x[e];
        differences += step * step / 2;
    }
    return squares > 0 && differences <= most * squares;
}

pen_status pen_are_curves(pen_run *run, const pen_array *x, int *out)
{
    const int64_t d = x->cols, most = pen_max(LEAST_ROWS, pen_min(MOST_ROWS, MOST_VALUES / d)),
                  step = 1 + (x->rows - 1) / most, n = 1 + (x->rows - 1) / step;
    double *rows, *mean;

    *out = 0;
    if (x->starts || d < LEAST_COLUMNS)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rows, pen_times(n, d)));
    PEN_TRY(PEN_FILLED(run, mean, d, 0));
    for (int64_t i = 0; i < n; i++) {
        pen_array_gather(x, NULL, i * step, 1, 0, d, PEN_F64, rows + i * d);
        pen_standard_normal(d, rows + i * d);
        for (int64_t j = 0; j < d; j++)
            mean[j] += rows[i * d + j] / (double)n;
    }
    *out = is_smooth(n, d, rows, OF_ROWS);
    for (int64_t e = 0; e < n * d; e++)
        rows[e] -= mean[e % d];
    *out = *out && is_smooth(n, d, rows, OF_COLUMNS);
    pen_release(run, mark);
    return PEN_OK;
}
