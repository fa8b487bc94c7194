/* affinity_graph.h - affinity graphs: the union of nearest-neighbor lists, with binary, heat-kernel
 * or adaptive weights. */
#ifndef PEN_AFFINITY_GRAPH_H
#define PEN_AFFINITY_GRAPH_H

#include "graph/graph.h"

/* PEN_EDGES_ADAPTIVE: the mean of what row i gives to j and j to i. Row i gives b - |x_i - x_j|^2,
 * or 0, over its sum in the list of i; b: that of the farthest of the list, and a millionth. The
 * first graph of Nie, Wang, Jordan, Huang: AAAI (2016) 1969, with one row less in the lists. */
enum pen_edge_weights { PEN_EDGES_BINARY, PEN_EDGES_HEAT, PEN_EDGES_ADAPTIVE };
extern const char *const pen_edge_weight_names[];

typedef struct pen_affinity_rules {
    int64_t neighbors;
    enum pen_edge_weights weights;
    /* t of exp(-|x_i - x_j|^2 / t); 0: the mean squared distance over all n k list entries, robust
     * against a few of them (pen_mean_of_most) */
    double heat;
} pen_affinity_rules;

/* Connects rows if either is among the nearest neighbors of the other. If rows are equal, up to the
 * rounding of coordinates, neighbors are the nearest places instead. Row t of a place then has as
 * neighbors row t of each of the nearest places, modulo their numbers of rows, and row (t - 1) / 2
 * of its own place. Lists of a given graph are used unchanged.
 * PEN_BAD_ARGUMENT as pen_graph_neighbors; PEN_BAD_DATA: heat is 0 and all neighbors are equal
 * rows. Notes "heat" for the heat kernel. Cost: a search, and another among the places whose lists
 * contain equal rows. */
pen_status pen_graph_affinities(pen_run *run, const pen_problem *problem,
                                const pen_affinity_rules *rules, pen_graph *out);

/* A cache key for one kind of result from this graph, in scratch memory; NULL: not cached. */
pen_status pen_graph_affinities_key(pen_run *run, const pen_problem *problem,
                                    const pen_affinity_rules *rules, int64_t kind,
                                    pen_cache_key **out);

/* The same, and returns the lists [n x neighbors] without rows of their own place; if there are
 * fewer places, they end with the row itself. */
pen_status pen_graph_affinities_of(pen_run *run, const pen_problem *problem,
                                   const pen_affinity_rules *rules, pen_neighbor **nearest,
                                   pen_graph *out);

#endif
