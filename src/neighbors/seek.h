/* seek.h - the one place where methods get the nearest of all rows: from a graph that was given,
 * from the relative space, or from an exact search of the rows as they are. */
#ifndef PEN_SEEK_H
#define PEN_SEEK_H

#include "neighbors/given.h"
#include "neighbors/relative.h"

enum pen_space_kind { PEN_SPACE_PLAIN, PEN_SPACE_RELATIVE };
extern const char *const pen_space_names[];

/* The space in which neighbors are sought. */
typedef struct pen_space {
    enum pen_space_kind kind;
    int64_t landmarks, seed; /* of the relative space; landmarks 0: all rows */
    enum pen_landmark_mode mode;
} pen_space;

/* Where the neighbors of the rows of a fit come from (pen_rows.neighbors). */
typedef struct pen_neighbor_source {
    pen_space space;
    const pen_given *given; /* NULL: they are searched */
    int asked;              /* set once neighbors were taken from `given` */
} pen_neighbor_source;

/* Opens the relative space of x. PEN_BAD_ARGUMENT: more landmarks than rows. Cost and memory:
 * pen_relative_open. */
pen_status pen_seek_relative(pen_run *run, const pen_rows *x, const pen_space *space,
                             pen_relative *out);

/* PEN_BAD_ARGUMENT: not all rows are here, and there are no lists of the nearest rows of all
 * (pen_moments.lists), or the space is not theirs. */
pen_status pen_seek_check(pen_run *run, const pen_rows *x);

/* The k nearest of all rows, 1 <= k <= n - 1: found [n x k], nearest first, ties by row, with the
 * squared distances of the space, or those given. `name` is the parameter that k is the value of.
 * PEN_BAD_DATA: a row has fewer neighbors in the given graph. Cost: that of pen_neighbors_nearest
 * or pen_relative_nearest; none where neighbors are given, or lie in the cache of the run. Of rows
 * with moments the lists of all n rows are those that came with them. */
pen_status pen_seek_nearest(pen_run *run, const pen_rows *x, const char *name, int64_t k,
                            pen_neighbor *found);

/* The same with all rows that are as near as the k-th: *found [n x *width] in scratch memory, lists
 * end with a row -1 if they are shorter. A given graph has those that it names. *found is NULL if
 * an exact search would need lists of more than `most`. PEN_BAD_DATA: thousands of rows are tied in
 * the relative space. */
pen_status pen_seek_tied(pen_run *run, const pen_rows *x, const char *name, int64_t k, int64_t most,
                         int64_t *width, pen_neighbor **found);

/* Local scaling among all rows: sigma[i] is the distance from query i to its k-th nearest other
 * row, to the farthest if there are fewer; of the rows as they are in whatever space neighbors are
 * sought, or as given. */
pen_status pen_seek_scaling(pen_run *run, const pen_rows *x, pen_subset queries, int64_t k,
                            double *sigma);

/* The squares of these distances. Of rows with moments the queries are rows that are here, or all
 * n. */
pen_status pen_seek_reach(pen_run *run, const pen_rows *x, pen_subset queries, int64_t k,
                          double *reach2);

#endif
