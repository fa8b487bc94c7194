/* candidates.h - the projections and classifiers to try if no method is named. */
#ifndef PEN_CANDIDATES_H
#define PEN_CANDIDATES_H

#include "eval/choose/selection.h"

enum { PEN_MOST_CANDIDATES = 18 };

/* The choice with too few labels for trials: class scores by the kernel. */
#define PEN_CANDIDATE_WITHOUT_TRIALS "fme+rbf/scores"

/* Sets the names and specs of *count candidates for the data and this number of classes (0: all
 * candidates, without trials), with the seed and the row steps of a spec of auto. list
 * [PEN_MOST_CANDIDATES] is zero on entry. Candidates that differ only in their classifiers are
 * adjacent and have the same number in map [PEN_MOST_CANDIDATES], 0, 1, ... */
pen_status pen_candidates_make(pen_run *run, const pen_data *data, int64_t classes,
                               const pen_spec *spec, pen_chosen *list, int *map, int64_t *count);

#endif
