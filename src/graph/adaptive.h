/* adaptive.h - adaptive graphs: nearest neighbors with weights that are optimal for the current
 * distances.
 *
 * Each row of a group has a list of k other rows of its group, its nearest in some coordinates,
 * with weights g_1 .. g_k >= 0 that sum to 1. For given squared distances v_t, the weights
 *
 *   g_t = (1 / v_t) / sum_s (1 / v_s)
 *
 * minimize sum_t g_t^2 v_t, with the minimum 1 / sum_t (1 / v_t); the objective is the sum over
 * rows. Distances below a floor, 1e-12 of the mean squared distance of the rows from their mean,
 * are raised to the floor, so duplicate rows share the weight. The classes of labelled rows are
 * groups of weight 1, and all rows are one group of weight alpha.
 *
 * Nie, Wang, Wang, Li: IEEE Transactions on Knowledge and Data Engineering (2021), equations 9, 10,
 * 22 to 24 and 27. */
#ifndef PEN_ADAPTIVE_H
#define PEN_ADAPTIVE_H

#include "graph/graph.h"

typedef struct pen_adaptive_rules {
    double alpha; /* weight of the group of all rows; 0: no such group */
    /* k within classes, reduced to the other rows of a class, and k over all rows */
    int64_t within, neighbors;
} pen_adaptive_rules;

typedef struct pen_adaptive_group {
    pen_subset rows;
    int64_t k;
    double share;
    pen_neighbor *found; /* [rows.count x k] neighbors and squared distances */
    double *weight;      /* [rows.count x k] */
} pen_adaptive_group;

typedef struct pen_adaptive {
    int64_t n, count;
    pen_adaptive_group *groups; /* [count] classes with at least two rows, then all rows */
    int64_t entries;            /* total length of the lists */
    int64_t least;              /* the smallest k of a class, 0 for a class of one row */
    int64_t cut;                /* number of classes with k reduced */
} pen_adaptive;

/* Creates the groups and their lists in scratch memory. PEN_BAD_ARGUMENT: neighbors; PEN_BAD_DATA:
 * alpha is 0 and no class has two rows. Memory: 24 bytes for each entry, n neighbors of them and
 * `within` for each labelled row. */
pen_status pen_adaptive_open(pen_run *run, const pen_view *x, const pen_adaptive_rules *rules,
                             pen_adaptive *out);

/* Fills the lists with the k nearest rows in x, with weights 1 / k. Cost: that of the neighbor
 * searches. */
pen_status pen_adaptive_nearest(pen_run *run, const pen_problem *problem, pen_adaptive *graphs);

/* Fills the lists with random rows and random weights; distances are 0. */
pen_status pen_adaptive_random(pen_run *run, uint64_t seed, pen_adaptive *graphs);

/* Updates the lists to the k nearest rows in z, centered rows in new coordinates, with optimal
 * weights; *objective is the value of the objective. The previous lists speed up the search. Cost:
 * as above. */
pen_status pen_adaptive_update(pen_run *run, const pen_view *z, pen_adaptive *graphs,
                               double *objective);

/* The graph with the edge weights sum over groups of alpha or 1 times (g_ij^2 + g_ji^2) / 2, in
 * scratch memory, without distances: the trace of its scatter is half the objective. Memory: 32
 * bytes for each list entry, half of them temporary. */
pen_status pen_adaptive_graph(pen_run *run, const pen_adaptive *graphs, pen_graph *out);

/* Adds the lists with their weights to the graphs that the run collects: "neighbors", g_ij over all
 * rows, and "within", g_ij within classes. */
pen_status pen_adaptive_collect(pen_run *run, const pen_adaptive *graphs);

#endif
