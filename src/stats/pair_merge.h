/* pair_merge.h - what passes over pairs of blocks find, of several tasks together. */
#ifndef PEN_PAIR_MERGE_H
#define PEN_PAIR_MERGE_H

#include "stats/stats.h"

/* The lists of all tasks of `list`, which are of part LISTS alone, by (distance, row): the same
 * bits in any order. PEN_BAD_ARGUMENT: a task twice, other blocks, other units or lengths. */
pen_status pen_pair_merge_lists(pen_run *run, const pen_stats *const *list, int64_t count,
                                pen_stats **out);

/* The scatters of the tasks of both, of part EDGES alone. PEN_BAD_ARGUMENT: as above, or scatters
 * of other graphs. */
pen_status pen_pair_merge_edges(pen_run *run, const pen_stats *a, const pen_stats *b,
                                pen_stats **out);

/* Checks that two objects belong together, and fills s, which has the blocks and part of a. */
typedef pen_status pen_pair_join(pen_run *run, const pen_stats *a, const pen_stats *b,
                                 pen_stats *s);

/* *out: two objects of one part, joined. */
pen_status pen_pair_merge_two(pen_run *run, const pen_stats *a, const pen_stats *b,
                              pen_pair_join *join, pen_stats **out);

/* Moves the part of `found`, NEAREST, LISTS, EDGES, SOFT or RESIDUALS, to statistics of the same
 * blocks, which do not have it. PEN_BAD_ARGUMENT, PEN_BAD_DATA: they have, or are of others. */
pen_status pen_pair_attach(pen_run *run, pen_stats *found, pen_stats *all);

/* PEN_BAD_ARGUMENT, PEN_BAD_DATA: passes over other blocks, or other columns. */
pen_status pen_pair_same(pen_run *run, const pen_stats *a, const pen_stats *b);

/* The tasks of both [count x 2], as pen_stats_merge_order has them. PEN_BAD_ARGUMENT: one twice. */
pen_status pen_pair_join_tasks(pen_run *run, const char *takes, int64_t count, const int64_t *a,
                               const int64_t *b, int64_t *out);

/* The counts of these parts, which memory depends on. */
void pen_pair_counts(const pen_stats *from, pen_stats *to);

#endif
