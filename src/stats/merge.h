/* merge.h - statistics of two sets of blocks as those of both together. */
#ifndef PEN_MERGE_H
#define PEN_MERGE_H

#include "stats/stats.h"

/* *out: the statistics of all blocks of a and b, of which a has the smaller lowest one. Free with
 * pen_stats_free. PEN_BAD_ARGUMENT, PEN_BAD_DATA as in pen_stats_merge. */
pen_status pen_stats_merge_two(pen_run *run, const pen_stats *a, const pen_stats *b,
                               pen_stats **out);

/* The order of two tuples of numbers. */
int pen_stats_compare(const int64_t *a, const int64_t *b, int fields);

/* PEN_BAD_DATA: other columns, or names of these; PEN_BAD_ARGUMENT: other row steps. */
pen_status pen_stats_same_columns(pen_run *run, const pen_stats *a, const pen_stats *b);

#endif
