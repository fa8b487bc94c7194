/* scatter.h - scatters X'LX of the graphs that methods are made of, never forming an n x n matrix.
 *
 * Every function ADDS weight times its scatters to B (to be made large) and C (to be made small),
 * and does nothing, at no cost, where the weight is 0. x_i are rows, mu the mean of all, m the mean
 * of the labelled rows, m_c and n_c mean and size of class c among them, n' their number. */
#ifndef PEN_SCATTER_H
#define PEN_SCATTER_H

#include "graph/reconstruct.h"
#include "graph/constraint_derivation.h"
#include "pairs/pairs.h"
#include "linalg/factored.h"

/* The total scatter, or the covariance: the same divided by n. */
enum pen_total { PEN_TOTAL_SCATTER, PEN_TOTAL_COVARIANCE };
extern const char *const pen_total_names[];

/* B += weight S_t,  S_t = sum_i (x_i - mu)(x_i - mu)', all rows.     Cost: n d^2 flops. */
pen_status pen_scatter_total(pen_run *run, double weight, const pen_rows *x, enum pen_total total,
                             pen_sym *B);

/* B += weight S_b, S_b = sum_c n_c (m_c - m)(m_c - m)'
 * C += weight S_w,  S_w = sum_c sum_{i in c} (x_i - m_c)(x_i - m_c)'.
 *     Cost: n' d^2 flops. Fisher 1936. */
pen_status pen_scatter_classes(pen_run *run, double weight, const pen_rows *x, pen_sym *B,
                               pen_sym *C);

/* Which samples local scaling counts as neighbors. */
enum pen_scaling { PEN_SCALING_CLASSWISE, PEN_SCALING_LABELLED, PEN_SCALING_ALL };
extern const char *const pen_scaling_names[];

/* B += weight S_lb, S_lb = 1/2 sum_ij W_ij (x_i - x_j)(x_i - x_j)', W_ij = A_ij (1/n' - 1/n_c) in
 * class c, 1/n' between classes
 * C += weight S_lw,  S_lw = 1/2 sum_ij W_ij (x_i - x_j)(x_i - x_j)',  W_ij = A_ij / n_c
 *     in class c, 0 between classes
 * over labelled rows, with A_ij = exp(-|x_i - x_j|^2 / (sigma_i sigma_j)), sigma_i the distance
 * from x_i to its `neighbors`-th nearest other sample (the farthest, if there are fewer); where
 * sigma_i sigma_j = 0, A_ij is 1 for equal rows and 0 for others.
 * Cost: 2 n' m d flops for the scaling over m samples, then 2 n_c^2 d a class and 6 n' d^2.
 * Sugiyama 2007; Sugiyama et al. 2010, equations 10-13. */
pen_status pen_scatter_local(pen_run *run, double weight, const pen_rows *x, int64_t neighbors,
                             enum pen_scaling scaling, pen_sym *B, pen_sym *C);

/* B += cannot S_B, S_B = sum (x_i - x_j)(x_i - x_j)' over cannot-links {i, j}, listed and of labels
 * W += must S_W,    S_W = the same over must-links.
 * Listed pairs go the way that costs least, which bits of the result do not depend on the number of
 * threads in: m d^2 flops through difference rows, or m d + n d^2 through the Laplacian of the
 * pairs, or n^2 d + n d^2 where there are so many that blocks of it are products of matrices; pairs
 * of labels cost n' d^2 for both. Memory: blocks of rows. Long, Meng, Sioutis 2020, equations 1 and
 * 2. */
pen_status pen_scatter_pairs(pen_run *run, double cannot, double must, const pen_rows *x,
                             pen_sym *B, pen_sym *W);

/* The same two scatters on their own, as their difference rows where those of both are fewer than
 * the columns. */
pen_status pen_scatter_pairs_factored(pen_run *run, const pen_rows *x, pen_factored *B,
                                      pen_factored *W);

/* Which rows the total scatter beside chunklets is of: those in chunklets, or all. */
enum pen_total_rows { PEN_TOTAL_CHUNK, PEN_TOTAL_ALL };
extern const char *const pen_total_rows_names[];

/* T += S_t, the covariance of the rows `total` says
 * W += S_w = 1/N sum over chunklets, over their rows, (x_i - m)(x_i - m)', m the mean of the
 * chunklet, N the rows in chunklets.
 * *count (may be NULL): how many chunklets there are. Cost: (n + N) d^2. */
pen_status pen_scatter_chunklets(pen_run *run, const pen_rows *x, enum pen_total_rows total,
                                 pen_sym *T, pen_sym *W, int64_t *count);

/* As pen_scatter_total, in double whatever the precision of blocks: for a scatter that is
 * inverted. */
pen_status pen_scatter_total_precise(pen_run *run, double weight, const pen_rows *x,
                                     enum pen_total total, pen_sym *B);

/* S += weight X'(diag(a) - A)X, A_ij = A_ji = weight of the edge {i, j} (graph NULL: A = 0); a [n]:
 * `diagonal`, or the degrees of the graph if that is NULL, which makes it sum over edges of A_ij
 * (x_i - x_j)(x_i - x_j)'. x: centered rows. Cost: edges d + 2 n d^2; memory: blocks of rows. */
pen_status pen_scatter_graph(pen_run *run, double weight, const pen_rows *x, const pen_graph *graph,
                             const double *diagonal, pen_sym *S);

/* S += weight X'MX, M = I - K^-1/2 A K^-1/2 the normalized Laplacian of the weights of the graph, K
 * their degrees (rows of degree 0 count nothing: so many are noted as "isolated"). The weights
 * become those of M. Cost as pen_scatter_graph. */
pen_status pen_scatter_manifold(pen_run *run, double weight, const pen_rows *x, pen_graph *graph,
                                pen_sym *S);

/* B += n' m m' + S_b and C += n' m m' + S_b + S_w: the scatter of the class means, and that of the
 * labelled rows, about the mean of all rows, m the mean of the labelled rows. Cost: n' d^2. */
pen_status pen_scatter_classes_about_all(pen_run *run, const pen_rows *x, pen_sym *B, pen_sym *C);

/* Which pairs of rows have an affinity: all, or those neither of which is farther from the other
 * than its own sigma. */
enum pen_affinity_graph { PEN_AFFINITY_DENSE, PEN_AFFINITY_MUTUAL };
extern const char *const pen_affinity_graph_names[];

/* Where rows are measured from: from 0, as they were given but for normalize and scale, or from
 * their mean. */
enum pen_origin { PEN_ORIGIN_ZERO, PEN_ORIGIN_MEAN };
extern const char *const pen_origin_names[];

typedef struct pen_locality {
    int64_t neighbors;
    enum pen_affinity_graph graph;
    enum pen_origin origin;
} pen_locality;

/* S_n += weight S_n, S_n = 1/n sum_i D_i x_i x_i', D_i = sum_j A_ij, with j = i; x_i measured from
 * the origin
 * S_l += weight S_l, S_l = 1/2n sum_ij A_ij (x_i - x_j)(x_i - x_j)' over all rows, with the
 * affinities A_ij of pen_scatter_local and its scaling over all rows. PEN_BAD_ARGUMENT: origin zero
 * for rows whose origin is not known.
 * Cost: 2 n^2 d flops for the scaling and, unless the graph is mutual, as many for the affinities
 * and their sums, 4 n d^2; memory: blocks of rows, and 16 to 32 numbers a row, 7 for each of 8 more
 * than `neighbors` if the graph is mutual. He, Niyogi 2004; Sugiyama et al. 2010, section 3.2. */
pen_status pen_scatter_locality(pen_run *run, double weight, const pen_rows *x,
                                const pen_locality *locality, pen_sym *S_n, pen_sym *S_l);

/* S += weight E'E, E_i = x_i - sum_c w_c x_c over the neighbors of A: what is left of rows beside
 * their reconstructions; a row without neighbors counts nothing. Cost: n k d + n d^2; memory:
 * blocks of rows. Roweis, Saul 2000; He, Cai, Yan, Zhang 2005. */
pen_status pen_scatter_reconstruction(pen_run *run, double weight, const pen_rows *x,
                                      const pen_reconstruction *A, pen_sym *S);

/* What rows are reconstructed from in the relative space (neighbors/relative.h). */
typedef struct pen_relativity {
    int64_t neighbors, landmarks, seed; /* landmarks 0: all rows */
    enum pen_landmark_mode mode;
    /* the nearest; or, mutual, those among them that have the row among theirs */
    enum pen_join neighborhood;
    double lle_ridge;
} pen_relativity;

/* The same with the nearest neighbors and the weights of the relative space. PEN_BAD_ARGUMENT:
 * more landmarks than rows. Cost: n^3 flops, or n^2 (m + d) with m landmarks; memory 8 n^2 or 8 n m
 * bytes, or where that is more than 1 GB blocks, and half as many flops again. */
pen_status pen_scatter_relative_reconstruction(pen_run *run, double weight, const pen_rows *x,
                                               const pen_relativity *how, pen_sym *S);

/* S += weight sum (x_i - x_j)(x_i - x_j)' over the pairs of rows that are no edges: n S_t less the
 * scatter of the graph, or where there are fewer such pairs than edges, their own. Cost: n d^2, and
 * that of pen_scatter_graph. */
pen_status pen_scatter_non_neighbors(pen_run *run, double weight, const pen_rows *x,
                                     const pen_graph *graph, pen_sym *S);

/* Note "denominator_smallest", the smallest eigenvalue of a scatter that is divided by, as a part
 * of the largest: below 1e-10 a ridge decides on the columns. Cost: order d^3. */
pen_status pen_scatter_note_condition(pen_run *run, const pen_sym *S);

/* PEN_NO_LABELS, PEN_ONE_CLASS unless there are labelled rows of at least `least` classes. */
pen_status pen_need_classes(pen_run *run, const pen_rows *x, int64_t least);

#endif
