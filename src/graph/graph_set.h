/* graph_set.h - the graphs of a fit, for callers who want them (pen_fit_graphs).
 *
 * Graph code adds what it made; that costs nothing unless the run collects graphs. The names are
 * string literals; a later graph of the same name replaces the earlier one. */
#ifndef PEN_GRAPH_SET_H
#define PEN_GRAPH_SET_H

#include "graph/graph.h"

/* An empty set, or NULL if out of memory; pen_graphs_free frees it. */
pen_graphs *pen_graphs_new(void);

/* The weights of a graph, both (i, j) and (j, i). Memory: 32 bytes for each edge. */
pen_status pen_graphs_add(pen_run *run, const char *name, const pen_graph *graph);

/* The entries (i, nearest[i k + c].row), up to the first row -1, with the value weight[i k + c];
 * weight NULL: the distance. Memory: 16 bytes for each. */
pen_status pen_graphs_add_lists(pen_run *run, const char *name, int64_t n, int64_t k,
                                const pen_neighbor *nearest, const double *weight);

#endif
