/* neighbor_source.h - the only place where methods get neighbors among all rows: from a given
 * graph, or from an exact search. */
#ifndef PEN_NEIGHBOR_SOURCE_H
#define PEN_NEIGHBOR_SOURCE_H

#include "problem/problem.h"

/* The k nearest of all rows, 1 <= k <= n - 1: found [n x k], nearest first, ties by row, with
 * squared distances, computed or given. `name` is the parameter that set k. PEN_BAD_ARGUMENT: some
 * rows are absent. PEN_BAD_DATA: a row has fewer neighbors in the given graph. Cost: that of
 * pen_neighbors_nearest; none if neighbors are given, or in the cache of the run. */
pen_status pen_source_nearest(pen_run *run, const pen_problem *problem, const char *name, int64_t k,
                              pen_neighbor *found);

/* The same, and all rows tied with the k-th: *found [n x *width] in scratch memory; a shorter list
 * ends with row -1. With a given graph, only rows that it names. *found is NULL if an exact search
 * would need lists of more than `most`. */
pen_status pen_source_tied(pen_run *run, const pen_problem *problem, const char *name, int64_t k,
                           int64_t most, int64_t *width, pen_neighbor **found);

/* Local scaling among all rows: sigma[i] is the distance from query i to its k-th nearest other
 * row, or to the farthest if there are fewer; or the given one. */
pen_status pen_source_scaling(pen_run *run, const pen_problem *problem, pen_subset queries,
                              int64_t k, double *sigma);

/* The squares of these distances. If the rows have moments, the queries are labelled rows, and
 * their distances came with the moments. PEN_BAD_ARGUMENT: they did not, or fewer than k did. */
pen_status pen_source_reach(pen_run *run, const pen_problem *problem, pen_subset queries, int64_t k,
                            double *reach2);

#endif
