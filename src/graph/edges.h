/* edges.h - weighted edges combined from contributions to pairs, in any order. */
#ifndef PEN_EDGES_H
#define PEN_EDGES_H

#include "graph/graph.h"

/* A contribution to the edge {i, j}: a weight, and bits whose meaning is up to the caller. */
typedef struct pen_statement {
    uint64_t key; /* i n + j, i < j */
    double weight;
    int bits;
} pen_statement;

typedef struct pen_statements {
    int64_t n, count;
    pen_statement *list;
} pen_statements;

/* Allocates room for `room` contributions to pairs of n < 2^32 vertices, in scratch memory. */
pen_status pen_statements_new(pen_run *run, int64_t n, int64_t room, pen_statements *out);

/* Adds a contribution; ignored if i = j. */
void pen_statements_add(pen_statements *statements, int64_t i, int64_t j, double weight, int bits);

/* Combines the `count` contributions to a pair, in order of ascending weight, into one edge with
 * weight *weight. Returns 0 for no edge. */
typedef int (*pen_settle_fn)(void *context, const pen_statement *list, int64_t count,
                             double *weight);

/* Builds the graph of the combined edges; graph->distance2 is NULL. The result does not depend on
 * the order of the contributions, which is lost. Cost: one sort; memory: the size of the list. */
pen_status pen_statements_settle(pen_run *run, pen_statements *statements, pen_settle_fn settle,
                                 void *context, pen_graph *graph);

#endif
