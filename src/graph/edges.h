/* edges.h - weighted edges combined from contributions to pairs, in any order. */
#ifndef PEN_EDGES_H
#define PEN_EDGES_H

#include "graph/graph.h"

/* A contribution to the edge {i, j}: a weight, and bits whose meaning is up to the caller. */
typedef struct pen_contribution {
    uint64_t key; /* i n + j, i < j */
    double weight;
    int bits;
} pen_contribution;

typedef struct pen_contributions {
    int64_t n, count;
    pen_contribution *list;
} pen_contributions;

/* Allocates room for `room` contributions to pairs of n < 2^32 vertices, in scratch memory. */
pen_status pen_contributions_new(pen_run *run, int64_t n, int64_t room, pen_contributions *out);

/* Adds a contribution; ignored if i = j. */
void pen_contributions_add(pen_contributions *contributions, int64_t i, int64_t j, double weight,
                           int bits);

/* Combines the `count` contributions to a pair, in order of ascending weight, into one edge with
 * weight *weight. Returns 0 for no edge. */
typedef int (*pen_combine_fn)(void *context, const pen_contribution *list, int64_t count,
                              double *weight);

/* Builds the graph of the combined edges; graph->distance2 is NULL. The result does not depend on
 * the order of the contributions, which is lost. Cost: one sort; memory: the size of the list. */
pen_status pen_contributions_combine(pen_run *run, pen_contributions *contributions,
                                     pen_combine_fn combine, void *context, pen_graph *graph);

#endif
