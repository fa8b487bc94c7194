/* merge.h - merges the statistics of two sets of blocks. */
#ifndef PEN_MERGE_H
#define PEN_MERGE_H

#include "stats/stats.h"

/* *out: the statistics of all blocks of a and b; a has the lowest block. Free with pen_stats_free.
 * PEN_BAD_ARGUMENT, PEN_BAD_DATA as in pen_stats_merge. */
pen_status pen_stats_merge_two(pen_run *run, const pen_stats *a, const pen_stats *b,
                               pen_stats **out);

/* Compares two tuples of numbers. */
int pen_stats_compare(const int64_t *a, const int64_t *b, int fields);

/* PEN_BAD_DATA: columns or their names differ; PEN_BAD_ARGUMENT: row steps differ. */
pen_status pen_stats_same_columns(pen_run *run, const pen_stats *a, const pen_stats *b);

#endif
