/* affinity_graph.h - the graph of nearest neighbors as methods of labels take it: the union of the
 * lists, binary or with the heat kernel. */
#ifndef PEN_AFFINITY_GRAPH_H
#define PEN_AFFINITY_GRAPH_H

#include "graph/graph.h"

enum pen_edge_weights { PEN_EDGES_BINARY, PEN_EDGES_HEAT };
extern const char *const pen_edge_weight_names[];

typedef struct pen_weighting {
    int64_t neighbors;
    enum pen_edge_weights weights;
    /* t of exp(-|x_i - x_j|^2 / t); 0: the mean squared distance of a row and one of its nearest,
     * over all n k of them */
    double heat;
} pen_weighting;

/* The graph of rows one of which is among the nearest of the other. PEN_BAD_ARGUMENT as
 * pen_graph_neighbors; PEN_BAD_DATA: heat 0, and all neighbors are equal rows. Notes "heat" if
 * there is one. */
pen_status pen_graph_affinities(pen_run *run, const pen_rows *x, const pen_weighting *how,
                                pen_graph *out);

/* The same, and the lists it is made of: [n x neighbors], as pen_graph_neighbors has them. */
pen_status pen_graph_affinities_of(pen_run *run, const pen_rows *x, const pen_weighting *how,
                                   pen_neighbor **nearest, pen_graph *out);

#endif
