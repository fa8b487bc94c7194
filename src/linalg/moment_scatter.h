/* moment_scatter.h - scatters of rows given by their sums (pen_moments), and these sums in other
 * coordinates. */
#ifndef PEN_MOMENT_SCATTER_H
#define PEN_MOMENT_SCATTER_H

#include "core/rows.h"
#include "linalg/sym.h"

/* pen_rows_scatter of rows with moments. */
pen_status pen_moments_scatter(pen_run *run, const pen_view *x, double weight, pen_sym *S);

/* Gives `out`, the rows of x in the coordinates V'(u v - mean), V [d x q], the moments in these
 * coordinates. Cost: 2 d^2 q flops, and the same for the scatter within classes. */
pen_status pen_moments_project(pen_run *run, const pen_view *x, const double *V, int64_t q,
                               pen_view *out);

#endif
