/* graph_set.h - the graphs of a fit, for callers who want them (pen_control.keep_graphs).
 *
 * Graph code adds what it made; that costs nothing unless the run collects graphs. The names are
 * string literals; a later graph of the same name replaces the earlier one. */
#ifndef PEN_GRAPH_SET_H
#define PEN_GRAPH_SET_H

#include "graph/graph.h"

typedef struct pen_graphs pen_graphs;

/* An empty set, or NULL if out of memory; pen_graphs_free frees it. */
pen_graphs *pen_graphs_new(void);
void pen_graphs_free(pen_graphs *graphs);

/* Graph `index`, and its name if that is wanted; NULL: there is none, or no set. */
const pen_sparse *pen_graphs_at(const pen_graphs *graphs, int64_t index, const char **name);

/* The weights of a graph, both (i, j) and (j, i). Memory: 32 bytes for each edge. */
pen_status pen_graphs_add(pen_run *run, const char *name, const pen_graph *graph);

/* The entries (i, nearest[i k + c].row), up to the first row -1, with the value weight[i k + c];
 * weight NULL: the distance. Memory: 16 bytes for each. */
pen_status pen_graphs_add_lists(pen_run *run, const char *name, int64_t n, int64_t k,
                                const pen_neighbor *nearest, const double *weight);

#endif
