/* folds.h - dealing labelled rows to folds. */
#ifndef PEN_FOLDS_H
#define PEN_FOLDS_H

#include "core/rng.h"
#include "core/rows.h"

/* fold [x->n]: 0 .. k - 1 for labelled rows, -1 for unlabelled rows. Labelled rows are arranged by
 * `order` [x->n] (core/row_order.h); NULL: by number. If stratified, those of each class are
 * permuted at random and dealt to the folds in turn, each class continuing where the previous one
 * ended; otherwise all labelled rows are dealt at once. Fold sizes differ by at most one. If x has
 * groups, whole groups are dealt, the largest first, each to the fold with the fewest rows of its
 * classes. docs/evaluation.md defines the order exactly.
 * PEN_NO_LABELS: there are no labelled rows.
 * PEN_BAD_ARGUMENT: k is not in [2, the number of labelled rows, or of groups with labelled
 * rows]. */
pen_status pen_folds_deal(pen_run *run, const pen_view *x, const int64_t *order, int64_t k,
                          int stratified, uint64_t seed, int32_t *fold);

/* pen_folds_deal for x with groups: sets fold for the labelled rows, members [x->labelled] in
 * order, with the classes class_of [x->n]. Cost: l k. */
pen_status pen_folds_deal_groups(pen_run *run, const pen_view *x, const int64_t *members,
                                 const int32_t *class_of, int64_t k, int stratified, pen_rng *rng,
                                 int32_t *fold);

/* The most folds in which one class can have rows: the size of the largest class, or the largest
 * number of groups with rows of one class. */
pen_status pen_folds_most(pen_run *run, const pen_view *x, int64_t *most);

/* x with labels in fold `number` only (keep 1), or in all other folds (keep 0), without classes
 * that lose all rows. labels [x->n], in scratch memory: the numbers of classes in x. */
pen_status pen_folds_select(pen_run *run, const pen_view *x, const int32_t *fold, int32_t number,
                            int keep, int32_t **labels, pen_view *out);

/* Labelled rows, those of fold `number` last: places [x->labelled] in x->members, and their classes
 * [x->labelled]. Returns the number of rows in other folds. */
int64_t pen_folds_divide(const pen_view *x, const int32_t *fold, int32_t number, int64_t *places,
                         int32_t *classes);

/* Folds for the choices within a fit: x with all its labels or about 1000 of them, and *count, the
 * number of folds: `folds`, or pen_folds_most if that is less, at least 2. *count 0: there is only
 * one class, or no class has three rows (in three groups). fold [x->n]: room. Without groups,
 * copies of labelled rows form groups. */
pen_status pen_folds_some(pen_run *run, const pen_view *x, const int64_t *order, int64_t folds,
                          int32_t *fold, pen_view *out, int64_t *count);

#endif
