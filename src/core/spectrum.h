/* spectrum.h - functions of a row whose columns are in order, such as wavelengths. Values of any
 * magnitude: no square overflows or underflows. */
#ifndef PEN_SPECTRUM_H
#define PEN_SPECTRUM_H

#include "core/array.h"

/* Standard normal variate: x [n] less its mean, divided by its standard deviation (divisor n - 1,
 * as Barnes, Dhanoa and Lister 1989). A row without deviation but rounding becomes zeros. */
void pen_standard_normal(int64_t n, double *x);

/* The derivative of x [n] by the column, to `out` [n]: in each column that of the parabola which
 * fits the `window` values about it best, at the ends of the row that of the first and the last
 * window (Savitzky and Golay 1964). window: odd, 3 .. n. Not finite where a value near DBL_MAX
 * overflows. Constants have derivative 0, to the bit. Cost: n window. */
void pen_derivative(int64_t n, int64_t window, const double *x, double *out);

/* Are the rows curves, as spectra and series are? They are where neighbors differ little, in most
 * rows and about the means of the columns, too: a table whose columns have means in order is no
 * set of curves. Never of sparse rows, of few columns, or of values that are not finite. Cost: some
 * passes over at most 500 rows. */
pen_status pen_are_curves(pen_run *run, const pen_array *x, int *out);

#endif
