/* tables.h - tables [n x n] for all pairs of n rows: distances, neighbors, weights, Laplacians,
 * must-links and cannot-links. */
#ifndef TABLES_H
#define TABLES_H

#include "kit/options.h"

/* ---- distances and neighbors ---- */

double *table_distances(int64_t n, int64_t d, const double *x); /* squared */

/* Squared distances of rows [n x d] in the coordinates of basis [d x q]; equal rows have distance
 * 0. */
double *table_distances_in(int64_t n, int64_t d, int64_t q, const double *rows,
                           const double *basis);

/* 1 at (i, j) if j is among the k nearest of i; ties go to the lower row. */
int *table_nearest(int64_t n, const double *distance2, int64_t k);

/* The same for graphs that carry labels: neighbors among places, which may hold several rows. */
int *table_nearest_places(int64_t n, const double *distance2, int64_t k);

/* 1 if i is among the k nearest of j or j among those of i; or only if both are. */
int *table_union(int64_t n, const int *nearest);
int *table_mutual(int64_t n, const int *nearest);

/* The number of common rows among the k nearest of a mutual pair; -1: not a mutual pair. */
int *table_shared(int64_t n, const int *nearest);

/* ---- weights ---- */

/* exp(-distance2 / t) where the table is not 0. */
double *table_heat(int64_t n, const int *table, const double *distance2, double t);

/* The width of the heat kernel: the mean of distance2 where the table is not 0, robust to outliers
 * (dense_mean_of_most), over n k entries including zeros, or (k = 0) over pairs, once each. */
double table_width(int64_t n, const int *table, const double *distance2, int64_t k);

/* The weights of a graph that carries labels, by the parameters neighbors, graph and heat; also the
 * width. */
double *table_graph(const fit_options *o, int64_t n, const double *distance2, double *heat);

/* I - K^-1/2 A K^-1/2; rows and columns of isolated rows are 0. */
double *table_normalized_laplacian(int64_t n, const double *weights, int64_t *isolated);

/* diag(row sums) - A. */
double *table_laplacian(int64_t n, const double *weights);

/* x' m x [d x d]. */
double *table_scatter(int64_t n, int64_t d, const double *x, const double *m);

/* ---- pairs ---- */

/* The treatment of pairs, as the spec parameters define it. */
typedef struct pair_rules {
    int drop, closure;
    int unchained; /* 1: chains are not followed */
} pair_rules;
pair_rules pair_rules_of(const pen_spec *spec);

/* The known link of rows i and j: 1 must-link, -1 cannot-link, 0 none. NULL and the reason if pairs
 * contradict each other. duplicates and contradictions may be NULL. */
int *pair_table(pair_rules rules, const pen_data *data, pen_status *status, int64_t *duplicates,
                int64_t *contradictions);

/* The weights of the pairs of such a table [n x n], 1 by default. With closure, or if `chains`, a
 * must-link within a chunklet has the weight of the strongest chain between its rows; a chain has
 * the weight of its weakest link. */
double *pair_weights(pair_rules rules, const pen_data *data, const int *table, int chains);

/* The sum of the weights (NULL: 1) of the pairs of one kind. */
double pair_total(int64_t n, const int *table, const double *weights, int kind);

/* The number of pairs of one kind. */
int64_t pair_count(int64_t n, const int *table, int kind);

/* The chunklet of every row [n] in such a table, -1: none; numbered in the order of their first
 * rows. */
int64_t *pair_chunklets(int64_t n, const int *table, int64_t *count);

/* s [d x d]: the sum of w_ij (x_i - x_j)(x_i - x_j)' over the pairs i < j of one kind. weights
 * NULL: all 1. */
void pair_scatter(int64_t n, int64_t d, const double *x, const int *table, const double *weights,
                  int kind, double *s);

#endif
