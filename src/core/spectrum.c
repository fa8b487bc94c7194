/* spectrum.c - functions of a row whose columns are in order. */
#include "core/spectrum.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of the largest value, by which rounding may have changed all others. */
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

/* At middle[0], of the parabola that fits `half` values to either side best. */
static double slope(int64_t half, const double *middle)
{
    const double squares = squares_to((double)half);
    double sum = 0;

    for (int64_t k = 1; k <= half; k++)
        sum += (double)k / squares * (middle[k] - middle[-k]);
    return sum;
}

/* Of the same parabola, by which its slope changes from column to column. */
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

/* Of the squares, the differences of neighbors that curves have at most: of a row about its mean,
 * and of all rows about the means of the columns. Spectra and series have .0001 to .03 and .0004 to
 * .07, images row by row .09 and more, tables about 1 and 1. */
static const double OF_ROWS = 0.05, OF_COLUMNS = 0.5;

/* The sum of squares of x [n], and half that of the differences of neighbors. */
static void add_roughness(int64_t n, const double *x, double *squares, double *differences)
{
    for (int64_t j = 0; j < n; j++)
        *squares += x[j] * x[j];
    for (int64_t j = 1; j < n; j++)
        *differences += (x[j] - x[j - 1]) * (x[j] - x[j - 1]) / 2;
}

pen_status pen_are_curves(pen_run *run, const pen_array *x, int *out)
{
    const int64_t d = x->cols, most = pen_max(LEAST_ROWS, pen_min(MOST_ROWS, MOST_VALUES / d)),
                  step = 1 + (x->rows - 1) / most, n = 1 + (x->rows - 1) / step;
    double *values, *mean, squares = 0, differences = 0;

    *out = 0;
    if (x->starts || d < LEAST_COLUMNS)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, values, pen_times(n, d)));
    PEN_TRY(PEN_FILLED(run, mean, d, 0));
    for (int64_t i = 0; i < n; i++) {
        double *const row = values + i * d;
        pen_array_gather(x, NULL, i * step, 1, 0, d, PEN_F64, row);
        pen_standard_normal(d, row);
        for (int64_t j = 0; j < d; j++)
            mean[j] += row[j] / (double)n;
        add_roughness(d, row, &squares, &differences);
    }
    const int smooth = differences <= OF_ROWS * squares;
    squares = differences = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < d; j++)
            values[i * d + j] -= mean[j];
        add_roughness(d, values + i * d, &squares, &differences);
    }
    *out = smooth && squares > 0 && differences <= OF_COLUMNS * squares;
    pen_release(run, mark);
    return PEN_OK;
}
