/* row_order.h - rows and classes in an order that numbers of rows and names of classes do not
 * decide, for everything that is drawn. */
#ifndef PEN_ROW_ORDER_H
#define PEN_ROW_ORDER_H

#include "core/rows.h"

/* order [x->n], in scratch memory: the rows by their distance from the mean in the coordinates of
 * x, nearest first; where it is equal to 30 bits, by the sum of the cubes of their centered
 * coordinates, then by that of the coordinates times the numbers of their columns, then by number.
 * So it is the same set of rows in the same order after a permutation of rows or columns, but for
 * ties, and equal rows are next to each other. Cost: a pass over the values and n log n. */
pen_status pen_rows_order(pen_run *run, const pen_view *x, int64_t **order);

/* `count` <= x->n rows in scratch memory: those that the first numbers of permutation(x->n) with
 * this seed (docs/sampling.md) count in this order. */
pen_status pen_rows_draw(pen_run *run, const pen_view *x, int64_t count, uint64_t seed,
                         int64_t **rows);

/* Replaces the members of x, which are grouped by class: classes come by size, largest first, those
 * of one size by their first row, and rows as in `order` [x->n]; NULL: by number. Cost: n, and
 * classes log classes. */
pen_status pen_rows_arrange(pen_run *run, const int64_t *order, pen_view *x);

#endif
