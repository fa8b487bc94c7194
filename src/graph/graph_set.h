/* graph_set.h - the graphs of a fit that keeps them (pen_control.keep_graphs).
 *
 * Graph code adds its results to the matrices that the run collects (core/matrix_set.h). */
#ifndef PEN_GRAPH_SET_H
#define PEN_GRAPH_SET_H

#include "graph/graph.h"

/* The weights of a graph, both (i, j) and (j, i). Memory: 32 bytes for each edge. */
pen_status pen_graphs_add(pen_run *run, const char *name, const pen_graph *graph);

/* The entries (i, nearest[i k + c].row), up to the first row -1, with the value weight[i k + c];
 * weight NULL: the distance. Memory: 16 bytes for each. */
pen_status pen_graphs_add_lists(pen_run *run, const char *name, int64_t n, int64_t k,
                                const pen_neighbor *nearest, const double *weight);

#endif
