/* folds.h - dealing labelled rows to folds. */
#ifndef PEN_FOLDS_H
#define PEN_FOLDS_H

#include "core/rng.h"
#include "core/rows.h"

/* fold [x->n]: 0 .. k - 1 for labelled rows, -1 for the others. Labelled rows are arranged by
 * `order` [x->n] (core/row_order.h); NULL: by number. If stratified, those of each class are
 * permuted at random and dealt to the folds in turn, each class continuing where the previous one
 * ended; otherwise all labelled rows are dealt at once. Fold sizes differ by at most one. Where x
 * has groups, whole ones are dealt, the largest first, each to the fold that has the least of its
 * classes. docs/evaluation.md defines the order exactly.
 * PEN_NO_LABELS: there are no labelled rows.
 * PEN_BAD_ARGUMENT: k is not in [2, the number of labelled rows, or of groups that have any]. */
pen_status pen_folds_deal(pen_run *run, const pen_view *x, const int64_t *order, int64_t k,
                          int stratified, uint64_t seed, int32_t *fold);

/* That of x with groups: sets fold for the labelled rows, members [x->labelled] in order, with the
 * classes class_of [x->n]. Cost: l k. */
pen_status pen_folds_deal_groups(pen_run *run, const pen_view *x, const int64_t *members,
                                 const int32_t *class_of, int64_t k, int stratified, pen_rng *rng,
                                 int32_t *fold);

/* The number of folds in which one class can have rows: those of the largest class, or the groups
 * with rows of one. */
pen_status pen_folds_most(pen_run *run, const pen_view *x, int64_t *most);

/* x with the labels of the rows in fold `number` alone (keep 1), or of all others (keep 0): classes
 * that lose all rows are gone. labels [x->n], in scratch memory: the numbers of classes in x. */
pen_status pen_folds_select(pen_run *run, const pen_view *x, const int32_t *fold, int32_t number,
                            int keep, int32_t **labels, pen_view *out);

/* Labelled rows, those of fold `number` last: places [x->labelled] in x->members, and their classes
 * [x->labelled]. Returns the number of the others. */
int64_t pen_folds_divide(const pen_view *x, const int32_t *fold, int32_t number, int64_t *places,
                         int32_t *classes);

/* What a fit holds out: x with its labels, or with those of about 1000 rows of more, and *count,
 * the number of folds: `folds`, or as many as a class can be in if that is less, at least 2. 0:
 * there is one class, or none has three rows (in as many groups). fold [x->n]: room. Without groups
 * copies of labelled rows are one. */
pen_status pen_folds_some(pen_run *run, const pen_view *x, const int64_t *order, int64_t folds,
                          int32_t *fold, pen_view *out, int64_t *count);

#endif
