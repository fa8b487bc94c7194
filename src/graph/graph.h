/* graph.h - sparse symmetric graphs of neighbors. */
#ifndef PEN_GRAPH_H
#define PEN_GRAPH_H

#include "neighbors/neighbors.h"
#include "linalg/csr.h"

/* Edges {i, j}, i < j, of n vertices, each once: those of i are numbers first[i] .. first[i + 1] -
 * 1, ascending in j. */
typedef struct pen_graph {
    int64_t n, edges;
    int64_t *first;    /* [n + 1] */
    int64_t *other;    /* [edges] j */
    double *distance2; /* [edges] squared distance of the rows */
    double *weight;    /* [edges] 1 to begin with */
} pen_graph;

/* Which pairs of rows are edges: one of the two is among the k nearest of the other, or each is. */
enum pen_join { PEN_JOIN_UNION, PEN_JOIN_MUTUAL };

/* The graph of lists of k nearest neighbors, nearest first, found [n x k] as pen_neighbors_nearest
 * has them. Cost: n k log k; memory 32 n k bytes. */
pen_status pen_graph_of_neighbors(pen_run *run, int64_t n, int64_t k, const pen_neighbor *found,
                                  enum pen_join join, pen_graph *out);

/* The k nearest of all rows, PEN_BAD_ARGUMENT naming `name` unless 1 <= k <= n - 1. found [n x k],
 * in scratch memory. */
pen_status pen_graph_neighbors(pen_run *run, const pen_rows *x, const char *name, int64_t k,
                               pen_neighbor **found);

/* From one search: the graph of rows that are among each other's `few` nearest, its weights how
 * many rows are among the `few` nearest of both; and the graph of the `many` nearest,
 * PEN_JOIN_UNION. Either may be the larger number. */
pen_status pen_graph_shared_and_nearest(pen_run *run, const pen_rows *x, const char *few_name,
                                        int64_t few, pen_graph *shared, const char *many_name,
                                        int64_t many, pen_graph *nearest);

/* weight = exp(-distance2 / t), t > 0. */
void pen_graph_weigh_heat(pen_graph *graph, double t);

/* The mean of squared distances over the edges; 0 if there are none. */
double pen_graph_mean_distance2(const pen_graph *graph);

/* weight = weight / sqrt(degree_i degree_j), and diagonal[i] = 1: diag(diagonal) - weights is then
 * the normalized Laplacian. Vertices of degree 0 have 0 on the diagonal; how many there are. degree
 * [n]: pen_graph_degrees before. */
int64_t pen_graph_normalize(pen_graph *graph, const double *degree, double *diagonal);

/* The mean length of centered rows. */
pen_status pen_graph_mean_length(pen_run *run, const pen_rows *x, double *length);

/* degree[i] = sum of the weights of the edges of i. */
void pen_graph_degrees(const pen_graph *graph, double *degree);

/* The same of their absolute values. */
void pen_graph_absolute_degrees(const pen_graph *graph, double *degree);

/* weight times the Laplacian, in scratch memory: weight degree_i on the diagonal, -weight A_ij
 * beside it. Memory: 32 bytes an edge, 16 a vertex. */
pen_status pen_graph_csr(pen_run *run, const pen_graph *graph, double weight, pen_csr *out);

#endif
