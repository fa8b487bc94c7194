/* folds.h - which labelled rows are held out together. */
#ifndef PEN_FOLDS_H
#define PEN_FOLDS_H

#include "core/rows.h"

/* fold [x->n]: 0 .. k - 1 for labelled rows, -1 for the others. stratified: the members of each
 * class, classes in ascending order and members too, are put in random order and dealt to folds one
 * after the other, going on where the class before ended; else all labelled rows at once. Sizes
 * differ by one at most. PEN_BAD_ARGUMENT: k is not in [2, labelled rows]. docs/evaluation.md. */
pen_status pen_folds_deal(pen_run *run, const pen_rows *x, int64_t k, int stratified, uint64_t seed,
                          int32_t *fold);

#endif
