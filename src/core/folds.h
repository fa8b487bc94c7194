/* folds.h - dealing labelled rows to folds. */
#ifndef PEN_FOLDS_H
#define PEN_FOLDS_H

#include "core/rows.h"

/* fold [x->n]: 0 .. k - 1 for labelled rows, -1 for the others. If stratified, the members of each
 * class in ascending order are permuted at random and dealt to the folds in turn, each class
 * continuing where the previous one ended; otherwise all labelled rows are dealt at once. Fold
 * sizes differ by at most one. docs/evaluation.md defines the order exactly.
 * PEN_NO_LABELS: there are no labelled rows.
 * PEN_BAD_ARGUMENT: k is not in [2, the number of labelled rows]. */
pen_status pen_folds_deal(pen_run *run, const pen_rows *x, int64_t k, int stratified, uint64_t seed,
                          int32_t *fold);

/* x with the labels of the rows in fold `number` alone (keep 1), or of all others (keep 0): classes
 * that lose all rows are gone. labels [x->n], in scratch memory: the numbers of classes in x. */
pen_status pen_folds_select(pen_run *run, const pen_rows *x, const int32_t *fold, int32_t number,
                            int keep, int32_t **labels, pen_rows *out);

#endif
