/* graph.h - sparse symmetric neighbor graphs. */
#ifndef PEN_GRAPH_H
#define PEN_GRAPH_H

#include "problem/neighbor_source.h"
#include "linalg/csr.h"

/* Edges {i, j}, i < j, of n vertices, each stored once: those of i are numbers first[i] ..
 * first[i + 1] - 1, ascending in j. */
typedef struct pen_graph {
    int64_t n, edges;
    int64_t *first;    /* [n + 1] */
    int64_t *other;    /* [edges] j */
    double *distance2; /* [edges] squared distance of the rows */
    double *weight;    /* [edges] initially 1 */
} pen_graph;

/* Which pairs of rows are edges: those where either row is among the k nearest of the other, or
 * only those where both are. */
enum pen_join { PEN_JOIN_UNION, PEN_JOIN_MUTUAL };

/* Builds a graph from lists of the k nearest neighbors, nearest first, found [n x k] as in
 * pen_neighbors_nearest. Cost: n k log k; memory: 32 n k bytes. */
pen_status pen_graph_of_neighbors(pen_run *run, int64_t n, int64_t k, const pen_neighbor *found,
                                  enum pen_join join, pen_graph *out);

/* Finds the k nearest of all rows by pen_source_nearest, found [n x k] in scratch memory.
 * PEN_BAD_ARGUMENT: some rows are absent; or, naming the parameter `name`, not 1 <= k <= n - 1. */
pen_status pen_graph_neighbors(pen_run *run, const pen_problem *problem, const char *name,
                               int64_t k, pen_neighbor **found);

/* Two graphs from one search: `shared` connects rows that are mutually among their `few` nearest,
 * weighted by the number of rows among the `few` nearest of both; `nearest` is the PEN_JOIN_UNION
 * graph of the `many` nearest. Either number may be the larger one. */
pen_status pen_graph_shared_and_nearest(pen_run *run, const pen_problem *problem,
                                        const char *few_name, int64_t few, pen_graph *shared,
                                        const char *many_name, int64_t many, pen_graph *nearest);

/* weight = exp(-distance2 / t), t > 0. */
void pen_graph_heat_weights(pen_graph *graph, double t);

/* weight = weight / sqrt(degree_i degree_j) and diagonal[i] = 1, so that diag(diagonal) - weights
 * is the normalized Laplacian. Vertices of degree 0 have a 0 on the diagonal; returns their number.
 * degree [n]: from pen_graph_degrees, before the call. */
int64_t pen_graph_normalize(pen_graph *graph, const double *degree, double *diagonal);

/* A kernel width: `given`, or if that is negative its absolute value times the square of the mean
 * length. PEN_RANK_TOO_SMALL: that is 0. */
pen_status pen_graph_width(pen_run *run, const pen_view *x, double given, double *width);

/* degree[i] = the sum of the weights of the edges of i. */
void pen_graph_degrees(const pen_graph *graph, double *degree);

/* The same with absolute weights. */
void pen_graph_absolute_degrees(const pen_graph *graph, double *degree);

/* weight times the Laplacian, in scratch memory: weight degree_i on the diagonal, -weight A_ij off
 * the diagonal. Memory: 32 bytes for each edge, 16 for each vertex. */
pen_status pen_graph_csr(pen_run *run, const pen_graph *graph, double weight, pen_csr_sym *out);

/* The number of rows that no path along nonzero weights of A connects with one of the labelled rows
 * members [labelled], so that labels do not determine their scores. Notes "unreached" unless it is
 * 0. Cost: the entries of A. */
pen_status pen_graph_unreached(pen_run *run, const pen_csr_sym *A, int64_t labelled,
                               const int64_t *members, int64_t *unreached);

#endif
