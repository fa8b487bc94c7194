/* edges.h - weighted edges put together from many small statements about pairs, in any order. */
#ifndef PEN_EDGES_H
#define PEN_EDGES_H

#include "graph/graph.h"

/* What is said of {i, j}: a weight, and bits that mean something to the one who says it. */
typedef struct pen_statement {
    uint64_t key; /* i n + j, i < j */
    double weight;
    int bits;
} pen_statement;

typedef struct pen_statements {
    int64_t n, count;
    pen_statement *list;
} pen_statements;

/* Room for so many statements about pairs of n < 2^32 vertices, in scratch memory. */
pen_status pen_statements_new(pen_run *run, int64_t n, int64_t room, pen_statements *out);

/* One more; nothing if i = j. */
void pen_statements_add(pen_statements *statements, int64_t i, int64_t j, double weight, int bits);

/* Makes one edge of all that is said of a pair, `said` [count] by ascending weight: its weight into
 * *weight; 0: no edge. */
typedef int (*pen_settle_fn)(void *context, const pen_statement *said, int64_t count,
                             double *weight);

/* The graph of the edges; graph->distance2 is NULL. The order of the statements makes no
 * difference, and is lost. Cost: a sort; memory: as much again. */
pen_status pen_statements_settle(pen_run *run, pen_statements *statements, pen_settle_fn settle,
                                 void *context, pen_graph *graph);

#endif
