/* row_order.h - an order of rows and classes for random draws, independent of row numbers and class
 * names. */
#ifndef PEN_ROW_ORDER_H
#define PEN_ROW_ORDER_H

#include "core/rows.h"

/* order [x->n], in scratch memory: the rows by their distance from the mean in the coordinates of
 * x, nearest first. Ties, which agree in 30 bits, are broken by the sum of the cubes of the
 * centered coordinates, then of the coordinates times their column numbers, then by row number.
 * Except for ties, the order survives a permutation of rows or columns, and equal rows are
 * adjacent. Cost: a pass over the values and n log n. */
pen_status pen_rows_order(pen_run *run, const pen_view *x, int64_t **order);

/* `count` <= x->n rows in scratch memory: the rows at the first positions of permutation(x->n) with
 * this seed (docs/sampling.md) in this order. */
pen_status pen_rows_draw(pen_run *run, const pen_view *x, int64_t count, uint64_t seed,
                         int64_t **rows);

/* Rearranges the members of x, which are grouped by class: the largest class first, ties by their
 * first row, and rows as in `order` [x->n]; NULL: by number. Cost: n, and classes log classes. */
pen_status pen_rows_arrange(pen_run *run, const int64_t *order, pen_view *x);

#endif
