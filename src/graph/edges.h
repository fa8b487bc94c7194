/* edges.h - weighted edges combined from contributions to pairs, row by row. */
#ifndef PEN_EDGES_H
#define PEN_EDGES_H

#include "graph/graph.h"

/* The contributions to the pairs {i, j}, j > i, of a row i: a weight each, and bits whose meaning
 * is up to the caller. */
typedef struct pen_edge_row {
    int64_t i, count;
    int64_t *others; /* [count] j, in any order */
    double *weight;  /* [n] by j: the largest weight */
    int *bits;       /* [n] by j: all bits, 0: no contribution */
    int64_t added;   /* number of contributions to all rows, including ignored ones */
} pen_edge_row;

/* Adds a contribution to {row->i, j} with at least one bit; ignored unless j > row->i. */
static inline void pen_edge_add(pen_edge_row *row, int64_t j, double weight, int bits)
{
    row->added++;
    if (j <= row->i)
        return;
    if (row->bits[j] == 0)
        row->others[row->count++] = j;
    if (row->bits[j] == 0 || weight > row->weight[j])
        row->weight[j] = weight;
    row->bits[j] |= bits;
}

typedef struct pen_edge_rule {
    /* Adds all contributions to the pairs {row->i, j}, j > row->i: called twice for each row. */
    void (*fill)(void *context, pen_edge_row *row);
    /* Makes an edge with weight *weight, initially the largest, of a pair {row->i, j}; called once
     * for each pair with contributions, in ascending order. Returns 0 for no edge. */
    int (*combine)(void *context, int64_t j, int bits, double *weight);
    void *context;
} pen_edge_rule;

/* Counts the pairs of n vertices with contributions, up to `most`: *pairs is greater if there are
 * more. Cost: the contributions. Memory: 20 n bytes. */
pen_status pen_edges_count(pen_run *run, int64_t n, const pen_edge_rule *rule, int64_t most,
                           int64_t *pairs);

/* Builds the graph of the combined edges in scratch memory; graph->distance2 is NULL. pairs: from
 * pen_edges_count. The result does not depend on the order of the contributions to a row. Cost: the
 * contributions, and a sort of the pairs of each row; memory: 16 bytes for each pair. */
pen_status pen_edges_build(pen_run *run, int64_t n, const pen_edge_rule *rule, int64_t pairs,
                           pen_graph *graph);

#endif
