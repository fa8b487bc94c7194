/* soft_stats.h - statistics of soft classes, to which rows belong in part: of one block, and
 * merged. */
#ifndef PEN_SOFT_STATS_H
#define PEN_SOFT_STATS_H

#include "stats/pair_task.h"

/* A graph of `all`, for methods that propagate labels: the shares of all rows that a fit has
 * written down. */
pen_status pen_soft_shares(pen_run *run, const pen_stats *all, const struct pen_terms *terms,
                           pen_stats **out);

/* The sums of one block; of two blocks 0, for callers that run all pairs. */
pen_status pen_soft_block(pen_run *run, const pen_spec *spec, const pen_stats *shares,
                          const pen_stats_pair *pair, pen_stats **out);

/* Of the blocks of both, of part SOFT alone. PEN_BAD_ARGUMENT: a block twice, or other shares. */
pen_status pen_soft_merge(pen_run *run, const pen_stats *a, const pen_stats *b, pen_stats **out);

/* PEN_BAD_ARGUMENT: not all blocks of s are among those of part SOFT. */
pen_status pen_soft_complete(pen_run *run, const pen_stats *s);

#endif
