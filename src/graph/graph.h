/* graph.h - sparse symmetric graphs of neighbours. */
#ifndef PEN_GRAPH_H
#define PEN_GRAPH_H

#include "graph/neighbors.h"

/* Edges {i, j}, i < j, of n vertices, each once: those of i are numbers first[i] .. first[i + 1] - 1, ascending in j. */
typedef struct pen_graph {
    int64_t n, edges;
    int64_t *first;    /* [n + 1] */
    int64_t *other;    /* [edges] j */
    double *distance2; /* [edges] squared distance of the rows */
    double *weight;    /* [edges] 1 to begin with */
} pen_graph;

/* Which pairs of rows are edges: one of the two is among the k nearest of the other, or each is. */
enum pen_join { PEN_JOIN_UNION, PEN_JOIN_MUTUAL };

/* The graph of lists of k nearest neighbours, nearest first, found [n x k] as neighbors_nearest has them. Cost: n k log k; memory 32 n k bytes. */
pen_status graph_of_neighbors(pen_run *run, int64_t n, int64_t k, const pen_neighbor *found, enum pen_join join, pen_graph *out);

/* The k nearest of all rows, PEN_BAD_ARGUMENT naming `name` unless 1 <= k <= n - 1. found [n x k], in scratch memory. */
pen_status graph_neighbors(pen_run *run, const pen_rows *x, const char *name, int64_t k, pen_neighbor **found);

/* weight = exp(-distance2 / t), t > 0. */
void graph_weigh_heat(pen_graph *graph, double t);

/* degree[i] = sum of the weights of the edges of i. */
void graph_degrees(const pen_graph *graph, double *degree);

#endif
