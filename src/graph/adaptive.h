/* adaptive.h - graphs of nearest neighbors whose weights are the best there are for the distances
 * at hand.
 *
 * Each row of a group has lists of k others of its group, its nearest in some coordinates, and of
 * weights g_1 .. g_k >= 0 that sum to 1. Together they come to sum over rows of sum_t g_t^2 v_t,
 * v_t squared distances; for given rows and distances that is least, 1 / sum_t (1 / v_t), where
 * g_t = (1 / v_t) / sum_s (1 / v_s). Distances below a floor, 1e-12 of the mean squared distance of
 * rows from their mean, count as the floor: rows that are the same share the weight. The classes of
 * labelled rows are groups of share 1, all rows are one of share alpha.
 * Nie, Wang, Wang, Li: IEEE Transactions on Knowledge and Data Engineering (2021), equations 9, 10,
 * 22 to 24 and 27.
 */
#ifndef PEN_ADAPTIVE_H
#define PEN_ADAPTIVE_H

#include "graph/graph.h"

typedef struct pen_adaptive_rules {
    double alpha; /* share of the group of all rows; 0: there is none */
    /* k in classes, at most the other rows of a class, and in all rows */
    int64_t within, neighbors;
    int strict; /* a class that is too small for `within` is an error */
} pen_adaptive_rules;

typedef struct pen_adaptive_group {
    pen_subset rows;
    int64_t k;
    double share;
    pen_neighbor *found; /* [rows.count x k] numbers and squared distances of rows */
    double *weight;      /* [rows.count x k] */
} pen_adaptive_group;

typedef struct pen_adaptive {
    int64_t n, count;
    pen_adaptive_group *groups; /* [count] classes of two rows or more, then all rows */
    int64_t entries;            /* of all lists */
    int64_t least;              /* the smallest k of a class, 0 for a class of one row */
    int64_t cut;                /* classes with a k below what was wanted */
} pen_adaptive;

/* Groups with room for their lists, in scratch memory. PEN_BAD_ARGUMENT: within_neighbors (if
 * strict) or neighbors; PEN_BAD_DATA: alpha is 0 and no class has two rows. Memory: 24 bytes for
 * each of n neighbors and of `within` for each labelled row. */
pen_status pen_adaptive_open(pen_run *run, const pen_rows *x, const pen_adaptive_rules *rules,
                             pen_adaptive *out);

/* The k nearest in x, with weights 1 / k. Cost: that of searches for neighbors. */
pen_status pen_adaptive_nearest(pen_run *run, const pen_rows *x, pen_adaptive *graphs);

/* Any k, and any weights: distances 0. */
pen_status pen_adaptive_random(pen_run *run, uint64_t seed, pen_adaptive *graphs);

/* The k nearest in z, centered rows in coordinates of their own, with the best weights; *objective
 * is what they come to. The lists there are make the search faster. Cost: as above. */
pen_status pen_adaptive_update(pen_run *run, const pen_rows *z, pen_adaptive *graphs,
                               double *objective);

/* The edges {i, j} with weights sum over groups of share (g_ij^2 + g_ji^2) / 2, in scratch memory,
 * without distances: half of what the lists come to is the trace of the scatter of this graph.
 * Memory: 32 bytes an entry of the lists, half of which go back. */
pen_status pen_adaptive_graph(pen_run *run, const pen_adaptive *graphs, pen_graph *out);

#endif
