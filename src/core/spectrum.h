/* spectrum.h - functions of a row whose columns are in order, such as wavelengths. Values of any
 * magnitude: no square overflows or underflows. */
#ifndef PEN_SPECTRUM_H
#define PEN_SPECTRUM_H

#include "core/array.h"

/* Standard normal variate: x [n] less its mean, divided by its standard deviation (divisor n - 1,
 * as in Barnes, Dhanoa and Lister 1989). A row that is constant up to rounding becomes zeros. */
void pen_standard_normal(int64_t n, double *x);

/* The derivative of x [n] along the columns, to `out` [n]: the slope of the parabola that best fits
 * the `window` values around each column. Columns at the ends use the first and the last window
 * (Savitzky and Golay 1964). window: odd, 3 .. n. Values near DBL_MAX may overflow. The derivative
 * of a constant is exactly 0. Cost: n window. */
void pen_derivative(int64_t n, int64_t window, const double *x, double *out);

/* Are the rows curves, such as spectra and series? Neighboring columns of curves differ little, for
 * rows about their means and also about the means of the columns, because a table with smooth
 * column means is not a set of curves. The answer is no for sparse rows, few columns or nonfinite
 * values. Cost: some passes over at most 500 rows. */
pen_status pen_are_curves(pen_run *run, const pen_array *x, int *out);

#endif
