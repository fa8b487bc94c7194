/* tables.h - tables [n x n] for every two of n rows: distances, neighbors, weights, Laplacians,
 * must-links and cannot-links. */
#ifndef TABLES_H
#define TABLES_H

#include "kit/options.h"

/* ---- distances and neighbors ---- */

double *table_distances(int64_t n, int64_t d, const double *x); /* squared */

/* Squared lengths of differences of rows [n x d] mapped to coordinates by basis [d x q]: equal rows
 * have distance 0. */
double *table_distances_in(int64_t n, int64_t d, int64_t q, const double *rows,
                           const double *basis);

/* 1 at (i, j) if j is among the k nearest of i, ties to the lower row. */
int *table_nearest(int64_t n, const double *distance2, int64_t k);

/* The same of graphs that carry labels: among places, which may have several rows. */
int *table_nearest_places(int64_t n, const double *distance2, int64_t k);

/* 1 if i is among the k nearest of j or j among those of i; or only if both are. */
int *table_union(int64_t n, const int *nearest);
int *table_mutual(int64_t n, const int *nearest);

/* The number of rows among the k nearest of both ends of a mutual pair; -1: not a mutual pair. */
int *table_shared(int64_t n, const int *nearest);

/* ---- weights ---- */

/* exp(-distance2 / t) where the table is not 0. */
double *table_heat(int64_t n, const int *table, const double *distance2, double t);

/* The width of the heat kernel: the mean of distance2 where the table is not 0, of which few do not
 * decide (dense_mean_of_most); over n k entries, others being 0, or (k = 0) over pairs, once. */
double table_width(int64_t n, const int *table, const double *distance2, int64_t k);

/* The weights of a graph that carries labels, as the parameters neighbors, graph and heat say; also
 * the width used. */
double *table_graph(const fit_options *o, int64_t n, const double *distance2, double *heat);

/* I - K^-1/2 A K^-1/2, rows and columns of isolated rows 0. */
double *table_normalized_laplacian(int64_t n, const double *weights, int64_t *isolated);

/* diag(row sums) - A. */
double *table_laplacian(int64_t n, const double *weights);

/* x' m x [d x d]. */
double *table_scatter(int64_t n, int64_t d, const double *x, const double *m);

/* ---- pairs ---- */

/* What becomes of pairs, as the parameters of pairs of a spec say. */
typedef struct pair_rules {
    int drop, closure;
    int unchained; /* 1: chains are not followed */
} pair_rules;
pair_rules pair_rules_of(const pen_spec *spec);

/* The known link of rows i and j: 1 must-link, -1 cannot-link, 0 none. NULL, and the reason, if the
 * pairs contradict each other. duplicates and contradictions may be NULL. */
int *pair_table(pair_rules rules, const pen_data *data, pen_status *status, int64_t *duplicates,
                int64_t *contradictions);

/* The weights of the pairs of such a table [n x n]: 1 where the data has none. With closure, or if
 * `chains`, a must-link within a chunklet is as strong as the strongest chain between its rows, and
 * a chain as its weakest link. */
double *pair_weights(pair_rules rules, const pen_data *data, const int *table, int chains);

/* The sum of the weights (NULL: 1) of the pairs of one kind. */
double pair_total(int64_t n, const int *table, const double *weights, int kind);

/* The number of pairs of one kind. */
int64_t pair_count(int64_t n, const int *table, int kind);

/* The chunklet of every row [n] in such a table, -1: none; numbered from 0 in the order of their
 * first rows. */
int64_t *pair_chunklets(int64_t n, const int *table, int64_t *count);

/* sum of w_ij (x_i - x_j)(x_i - x_j)' over the pairs i < j of one kind: s [d x d]. weights NULL:
 * all 1. */
void pair_scatter(int64_t n, int64_t d, const double *x, const int *table, const double *weights,
                  int kind, double *s);

#endif
