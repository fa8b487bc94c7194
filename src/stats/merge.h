/* merge.h - statistics of two sets of blocks as those of both together. */
#ifndef PEN_MERGE_H
#define PEN_MERGE_H

#include "stats/stats.h"

/* *out: the statistics of all blocks of a and b, of which a has the smaller lowest one. Free with
 * pen_stats_free. PEN_BAD_ARGUMENT, PEN_BAD_DATA as in pen_stats_merge. */
pen_status pen_stats_merge_two(pen_run *run, const pen_stats *a, const pen_stats *b,
                               pen_stats **out);

/* m and M of rows of mass n_a and n_b; packed: where M is added to, M_a + M_b are there.
 * delta [d]: scratch. */
void pen_stats_join_moments(int64_t d, double n_a, const double *mean_a, double n_b,
                            const double *mean_b, double *delta, double *mean, double *packed);

/* The order of two tuples of numbers. */
int pen_stats_compare(const int64_t *a, const int64_t *b, int fields);

/* The order of two ascending lists together: takes[t] is 0 for one of a, 1 of b, 2 of both.
 * Returns its length. Keys are the first `fields` of `stride` numbers. */
int64_t pen_stats_merge_order(const int64_t *a, int64_t of_a, const int64_t *b, int64_t of_b,
                              int stride, int fields, char *takes);

/* PEN_BAD_DATA: other columns, or names of these; PEN_BAD_ARGUMENT: another normalize, or row
 * steps. */
pen_status pen_stats_same_columns(pen_run *run, const pen_stats *a, const pen_stats *b);

/* 1: their blocks have the same ids and numbers of rows. */
int pen_stats_same_blocks(const pen_stats *a, const pen_stats *b);

/* PEN_BAD_DATA: one of the blocks, which are the same ids in both, had other rows there. */
pen_status pen_stats_same_rows(pen_run *run, const pen_stats *a, const pen_stats *b);

#endif
