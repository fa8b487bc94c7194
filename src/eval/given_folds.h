/* given_folds.h - folds that the caller gives instead of dealt ones. */
#ifndef PEN_GIVEN_FOLDS_H
#define PEN_GIVEN_FOLDS_H

#include "eval/protocol.h"

/* Number the folds of each run from 0: folds [runs x x->n], -1 for rows without a class; *count:
 * the number of folds in each run. x: classes and groups.
 * PEN_BAD_ARGUMENT: a number below -1; a run without folds, or with another number of them than the
 * first or protocol->folds; a group in two of them. PEN_NO_LABELS: a fold without labelled rows. */
pen_status pen_folds_given(pen_run *run, const pen_protocol *protocol, const pen_rows *x,
                           int32_t *folds, int64_t *count);

#endif
