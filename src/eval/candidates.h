/* candidates.h - the maps and readers that are tried where no method is named. */
#ifndef PEN_CANDIDATES_H
#define PEN_CANDIDATES_H

#include "core/run.h"

enum { PEN_CANDIDATES = 8 };

/* What is taken where there are too few labels for trials: class scores by the kernel. */
#define PEN_CANDIDATE_WITHOUT_TRIALS "fme+rbf/scores"

/* Sets the names and specs of candidates for the data, whose landmarks are drawn by the seed. */
pen_status pen_candidates_make(pen_run *run, const pen_data *data, uint64_t seed,
                               pen_chosen candidates[PEN_CANDIDATES]);

/* Do candidates a and b differ by their readers alone? Those that do are next to each other. */
int pen_candidates_share_map(int a, int b);

#endif
