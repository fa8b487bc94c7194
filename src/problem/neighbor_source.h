/* neighbor_source.h - the one place where methods get the nearest of all rows: from a graph that
 * was given, or from an exact search. */
#ifndef PEN_NEIGHBOR_SOURCE_H
#define PEN_NEIGHBOR_SOURCE_H

#include "problem/problem.h"

/* The k nearest of all rows, 1 <= k <= n - 1: found [n x k], nearest first, ties by row, with the
 * squared distances of the rows, or those given. `name` is the parameter that k is the value of.
 * PEN_BAD_ARGUMENT: not all rows are here. PEN_BAD_DATA: a row has fewer neighbors in the given
 * graph. Cost: that of pen_neighbors_nearest; none where neighbors are given, or lie in the cache
 * of the run. */
pen_status pen_source_nearest(pen_run *run, const pen_problem *problem, const char *name, int64_t k,
                              pen_neighbor *found);

/* The same with all rows that are as near as the k-th: *found [n x *width] in scratch memory, lists
 * end with a row -1 if they are shorter. A given graph has those that it names. *found is NULL if
 * an exact search would need lists of more than `most`. */
pen_status pen_source_tied(pen_run *run, const pen_problem *problem, const char *name, int64_t k,
                           int64_t most, int64_t *width, pen_neighbor **found);

/* Local scaling among all rows: sigma[i] is the distance from query i to its k-th nearest other
 * row, to the farthest if there are fewer; or as given. */
pen_status pen_source_scaling(pen_run *run, const pen_problem *problem, pen_subset queries,
                              int64_t k, double *sigma);

/* The squares of these distances. Of rows with moments the queries are labelled rows, whose
 * distances came with them. PEN_BAD_ARGUMENT: they did not, or fewer than k. */
pen_status pen_source_reach(pen_run *run, const pen_problem *problem, pen_subset queries, int64_t k,
                            double *reach2);

#endif
