/* column_units.h - factors for columns that come in different units, and rows far from all others.
 */
#ifndef PEN_COLUMN_UNITS_H
#define PEN_COLUMN_UNITS_H

#include "core/rows.h"

/* Sets x->far, the rows far from all others: with 30 rows or more, one or at most a hundredth of
 * them, each more than 30 standard deviations from the mean of the other rows, in root mean square
 * over the columns. variance [d]: of the unscaled columns; becomes the variance of the other rows.
 * Cost: one pass over the rows, and three more if some are far. */
pen_status pen_find_far_rows(pen_run *run, pen_view *x, double *variance);

/* From deviations [d] to factors [d] between columns as they are and standardized ones. With
 * L_j = log10 of the variance j, less the median m of those above 0,
 *
 *   log10 t_j = m + sign(L_j) max(|L_j| - 3/4, 0)       factor_j = t_j^(-1/2)
 *
 * Differences within 3/4 of the median are information and stay; the part beyond 3/4 comes from
 * units and is removed. A deviation of 0 counts as the median. *changed: the columns whose variance
 * changes by more than a tenth of a decade relative to the other columns. */
pen_status pen_auto_scale(pen_run *run, int64_t d, double *scale, int64_t *changed);

#endif
