/* relative_rows.h - rows of the relative space, for the search of the nearest. */
#ifndef PEN_RELATIVE_ROWS_H
#define PEN_RELATIVE_ROWS_H

#include "graph/relative.h"

/* Coordinates first .. first + count - 1 of y_i less the middle of theirs; first a multiple of
 * 16. */
void relative_coordinates(const pen_relative *r, int64_t i, int64_t first, int64_t count,
                          double *restrict to);

/* All of them; `buffer` [m] is used if they are not stored. */
const double *relative_row(const pen_relative *r, int64_t i, double *buffer);

/* What the squares of n - 2 reference rows come to for each of those that are there, if `own` of
 * the m are the two rows themselves. */
double relative_factor(const pen_relative *r, int64_t own);

/* r_ij^2 from y_i, which is there already; `buffer` [m] as above. */
double relative_distance2_from(const pen_relative *r, int64_t i, const double *y_i, int64_t j,
                               double *buffer);

#endif
