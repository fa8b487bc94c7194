/* scatter.h - scatters X'LX of the graphs that methods are composed of, without an n x n matrix.
 *
 * Every function ADDS weight times its scatters to B (to be maximized) and C (to be minimized), and
 * returns at once, at no cost, if the weight is 0. x_i are rows, mu the mean of all rows, m the
 * mean of the labelled rows, m_c and n_c the mean and size of class c among them, n' their
 * number. */
#ifndef PEN_SCATTER_H
#define PEN_SCATTER_H

#include "core/params.h"
#include "graph/affinity_graph.h"
#include "graph/reconstruct.h"
#include "graph/constraint_derivation.h"
#include "linalg/factored.h"

/* The total scatter, or the covariance, which is the same divided by n. */
enum pen_total { PEN_TOTAL_SCATTER, PEN_TOTAL_COVARIANCE };
extern const char *const pen_total_names[];

/* The total scatter of all rows:
 *
 *   B += weight S_t,  S_t = sum_i (x_i - mu)(x_i - mu)'
 *
 * Cost: n d^2 flops. */
pen_status pen_scatter_total(pen_run *run, double weight, const pen_view *x, enum pen_total total,
                             pen_sym *B);

/* The scatters between and within classes:
 *
 *   B += weight S_b,  S_b = sum_c n_c (m_c - m)(m_c - m)'
 *   C += weight S_w,  S_w = sum_c sum_{i in c} (x_i - m_c)(x_i - m_c)'
 *
 * Cost: n' d^2 flops. Fisher 1936. */
pen_status pen_scatter_classes(pen_run *run, double weight, const pen_view *x, pen_sym *B,
                               pen_sym *C);

/* Which rows local scaling searches for neighbors. */
enum pen_scaling { PEN_SCALING_CLASSWISE, PEN_SCALING_LABELLED, PEN_SCALING_ALL };
extern const char *const pen_scaling_names[];

/* The affinity A_ij of two rows of a class: see pen_scatter_local. */
enum pen_affinity_kind {
    PEN_AFFINITY_LOCAL,
    PEN_AFFINITY_HEAT,
    PEN_AFFINITY_KNN,
    PEN_AFFINITY_ONE
};
extern const char *const pen_affinity_kind_names[];

/* Affinities of the rows of a class. */
typedef struct pen_class_affinity {
    enum pen_affinity_kind kind;
    int64_t neighbors;
    double heat; /* t of the heat kernel; 0: the mean of sigma_i^2 over the labelled rows */
} pen_class_affinity;

/* 1 if these affinities need neighbors of rows. */
static inline int pen_affinity_seeks(const pen_class_affinity *how)
{
    return how->kind == PEN_AFFINITY_HEAT ? how->heat == 0 : how->kind != PEN_AFFINITY_ONE;
}

/* The same for given rows, by row, only for labelled rows. */
typedef struct pen_affinity_scale {
    enum pen_affinity_kind kind;
    double *sigma;  /* [n] or NULL: local, heat */
    double *reach2; /* [n] or NULL: knn */
} pen_affinity_scale;

/* The local scatters of labelled rows, both 1/2 sum_ij W_ij (x_i - x_j)(x_i - x_j)':
 *
 *   B += between S_lb,  W_ij = A_ij (1/n' - 1/n_c) in class c, 1/n' between classes
 *   C += within S_lw,   W_ij = A_ij / n_c in class c, 0 between classes
 *
 * With sigma_i the distance from x_i to its `neighbors`-th nearest other row (the farthest, if
 * there are fewer), among all rows, the labelled ones or those of the class,
 *
 *   local:  A_ij = exp(-|x_i - x_j|^2 / (sigma_i sigma_j)); if sigma_i sigma_j = 0, 1 for equal
 *           rows and 0 for others
 *   heat:   A_ij = exp(-|x_i - x_j|^2 / t); if t = 0, as above
 *   knn:    A_ij = 1 if |x_i - x_j| is at most sigma_i or at most sigma_j, else 0
 *   one:    A_ij = 1: S_lb and S_lw are S_b and S_w of pen_scatter_classes
 *
 * Notes "heat" for the heat kernel.
 * Cost: 2 n' m d flops for scaling over m rows, then 2 n_c^2 d for each class and 4 n' d^2; one:
 * 2 n' d^2. Sugiyama 2007; Sugiyama et al. 2010, section 3.2 and equations 10-13. */
pen_status pen_scatter_local(pen_run *run, double between, double within,
                             const pen_problem *problem, const pen_class_affinity *affinity,
                             enum pen_scaling scaling, pen_sym *B, pen_sym *C);

/* The same in two steps: the scales of affinities of all labelled rows, then the scatters. */
pen_status pen_scatter_local_scale(pen_run *run, const pen_problem *problem,
                                   const pen_class_affinity *affinity, enum pen_scaling scaling,
                                   pen_affinity_scale *out);
pen_status pen_scatter_local_scaled(pen_run *run, double between, double within, const pen_view *x,
                                    const pen_affinity_scale *scale, pen_sym *B, pen_sym *C);

/* The scatters of pairs, listed and implied by labels:
 *
 *   B += cannot S_B,  S_B = sum (x_i - x_j)(x_i - x_j)' over cannot-links {i, j}
 *   W += must S_W,    S_W = the same over must-links
 *
 * each pair times its weight, if pairs have weights.
 * Listed pairs use the cheapest route, whatever the number of threads: m d^2 flops for m difference
 * rows, or m d + n d^2 with the Laplacian, or n^2 d + n d^2 with products of its tiles if pairs are
 * dense. Pairs implied by labels cost n' d^2 flops for both. Memory: blocks of rows.
 * Long, Meng, Sioutis 2020, equations 1 and 2. */
pen_status pen_scatter_pairs(pen_run *run, double cannot, double must, const pen_problem *problem,
                             pen_sym *B, pen_sym *W);

/* A += cannot / q S_B - must / m S_W, q and m the sums of the weights; skips a kind without
 * pairs. */
pen_status pen_scatter_mean_pairs(pen_run *run, double cannot, double must,
                                  const pen_problem *problem, pen_sym *A);

/* The same two scatters, factored: as difference rows if both sets together have fewer pairs than
 * there are columns. */
pen_status pen_scatter_pairs_factored(pen_run *run, const pen_problem *problem, pen_factored *B,
                                      pen_factored *W);

/* The rows of the total scatter that accompanies the scatter of chunklets: rows in chunklets, or
 * all. */
enum pen_total_rows { PEN_TOTAL_CHUNK, PEN_TOTAL_ALL };
extern const char *const pen_total_rows_names[];

/* The scatters of chunklets:
 *
 *   T += S_t, the covariance of the rows selected by `total`
 *   W += S_w = 1/N sum over chunklets, over their rows, (x_i - m)(x_i - m)'
 *
 * with m the mean of the chunklet and N the number of rows in chunklets; if pairs have weights, as
 * in scatter/chain_scatter.h. *chunklets: x with the chunklets as classes. Cost: (n + N) d^2
 * flops. */
pen_status pen_scatter_chunklets(pen_run *run, const pen_problem *problem,
                                 enum pen_total_rows total, pen_sym *T, pen_sym *W,
                                 pen_view *chunklets);

/* As pen_scatter_total, but always in double: for a scatter to invert. */
pen_status pen_scatter_total_precise(pen_run *run, double weight, const pen_view *x,
                                     enum pen_total total, pen_sym *B);

/* S = S_t in double, in a new matrix. */
pen_status pen_scatter_rows(pen_run *run, const pen_view *x, enum pen_total total, pen_sym *S);

/* S += weight X'(diag(a) - A)X with centered rows X, where A_ij = A_ji is the weight of the edge
 * {i, j} (graph NULL: A = 0) and a [n] is `diagonal`. If `diagonal` is NULL, a is the degrees of
 * the graph, and the scatter is
 *
 *   sum over edges of A_ij (x_i - x_j)(x_i - x_j)'
 *
 * Cost: edges d + 2 n d^2 flops; memory: blocks of rows. */
pen_status pen_scatter_graph(pen_run *run, double weight, const pen_view *x, const pen_graph *graph,
                             const double *diagonal, pen_sym *S);

/* The same for the graph of nearest neighbors (graph/affinity_graph.h), which is not built if the
 * weight is 0. */
pen_status pen_scatter_affinities(pen_run *run, double weight, const pen_problem *problem,
                                  const pen_affinity_rules *how, pen_sym *S);

/* S += weight X'MX with M = I - K^-1/2 A K^-1/2 the normalized Laplacian of the graph and K its
 * degrees. Rows of degree 0 have no effect; their number is noted as "isolated". The weights of the
 * graph are replaced by those of M. Cost as pen_scatter_graph. */
pen_status pen_scatter_manifold(pen_run *run, double weight, const pen_view *x, pen_graph *graph,
                                pen_sym *S);

/* The parameters of SODRPaC. gamma < 0: |gamma| times auto (pen_graph_width). */
typedef struct pen_subclass_rules {
    double lambda, gamma;
    int64_t snn_neighbors, manifold_neighbors, max_pairs;
    int derive; /* 1: cannot-links only for rows without any */
    enum { PEN_SUBCLASS_MEAN, PEN_SUBCLASS_SUM, PEN_SUBCLASS_BALANCED } pair_terms;
} pen_subclass_rules;

/* A += S_C / |C'| - S_N / |N_S| - lambda X'MX, with the letters of methods/sodrpac.c; sum: without
 * |C'| and |N_S|; balanced: lambda / n. Errors of pen_derive_constraints. */
pen_status pen_scatter_subclasses(pen_run *run, const pen_problem *problem,
                                  const pen_subclass_rules *rules, pen_sym *A);

/* The scatters of the class means and of the labelled rows about the mean of all rows, with m the
 * mean of the labelled rows in centered coordinates:
 *
 *   B += n' m m' + S_b
 *   C += n' m m' + S_b + S_w
 *
 * Cost: n' d^2 flops. */
pen_status pen_scatter_classes_about_all(pen_run *run, const pen_view *x, pen_sym *B, pen_sym *C);

/* Which pairs of rows have an affinity: all, or those whose distance is at most the sigma of both
 * rows. */
enum pen_affinity_graph { PEN_AFFINITY_DENSE, PEN_AFFINITY_MUTUAL };
extern const char *const pen_affinity_graph_names[];

/* The origin of the coordinates: 0 in the given coordinates (after normalization and scaling), or
 * the mean of the rows. */
enum pen_origin { PEN_ORIGIN_ZERO, PEN_ORIGIN_MEAN };
extern const char *const pen_origin_names[];

typedef struct pen_locality {
    pen_class_affinity affinity; /* its neighbors are searched among all rows */
    enum pen_affinity_graph graph;
    enum pen_origin origin;
} pen_locality;

/* The two matrices of locality preserving projections:
 *
 *   S_n += weight 1/n sum_i D_i x_i x_i',  D_i = sum_j A_ij, including j = i
 *   S_l += weight 1/(2n) sum_ij A_ij (x_i - x_j)(x_i - x_j)'
 *
 * over all rows, with x_i relative to the origin, and the affinities A_ij of pen_scatter_local
 * scaled over all rows. After a reduction, origin 0 is projected on its span.
 * Cost: 2 n^2 d flops for the scaling, the same again for the affinities and their sums unless the
 * graph is mutual, and 4 n d^2; memory: blocks of rows, and 16 to 32 numbers for each row, plus 7
 * for each of `neighbors` + 8 list entries if the graph is mutual.
 * He, Niyogi 2004; Sugiyama et al. 2010, section 3.2. */
pen_status pen_scatter_locality(pen_run *run, double weight, const pen_problem *problem,
                                const pen_locality *locality, pen_sym *S_n, pen_sym *S_l);

/* S += weight E'E with the residuals E_i = x_i - sum_c w_c x_c of the reconstruction A; a row
 * without neighbors has no effect. Cost: n k d + n d^2 flops; memory: blocks of rows.
 * Roweis, Saul 2000; He, Cai, Yan, Zhang 2005. */
pen_status pen_scatter_reconstruction(pen_run *run, double weight, const pen_view *x,
                                      const pen_reconstruction *A, pen_sym *S);

/* The space in which neighbors are sought: plain distances, or the relative space of all rows or of
 * a number of landmarks (neighbors/relative.h). */
enum pen_space { PEN_SPACE_PLAIN, PEN_SPACE_RELATIVE };

typedef struct pen_reconstruction_rules {
    int64_t neighbors;
    enum pen_space space;
    int64_t landmarks;           /* number of landmarks of the relative space; 0: all rows */
    enum pen_join neighborhood;  /* all nearest neighbors, or only mutual ones */
    double reconstruction_ridge; /* as in pen_reconstruct_rows */
} pen_reconstruction_rules;

/* The space and its landmarks as a text (core/params.h) such as "relative:100", bound to these. */
extern const pen_text_form pen_space_form;

/* The same for the nearest neighbors, with weights from their space; skips the search if the weight
 * is 0. PEN_BAD_ARGUMENT: more landmarks than rows. Cost: that of the search; in the relative space
 * n^3 flops, or n^2 (m + d) with m landmarks; memory there: 8 n^2 or 8 n m bytes; beyond 1 GB it
 * uses blocks and half again the flops. */
pen_status pen_scatter_near_reconstruction(pen_run *run, double weight, const pen_problem *problem,
                                           const pen_reconstruction_rules *rules, uint64_t seed,
                                           pen_sym *S);

/* S += weight sum (x_i - x_j)(x_i - x_j)' over the pairs of non-neighbors, which are not edges of
 * the graph: computed as n S_t minus the scatter of the graph or, if they are fewer than the edges,
 * directly. Cost: n d^2 flops, and that of pen_scatter_graph. */
pen_status pen_scatter_non_neighbors(pen_run *run, double weight, const pen_view *x,
                                     const pen_graph *graph, pen_sym *S);

/* The same for the graph of nearest neighbors, which is not built if the weight is 0. */
pen_status pen_scatter_far_rows(pen_run *run, double weight, const pen_problem *problem,
                                int64_t neighbors, pen_sym *S);

/* Notes "denominator_smallest", the smallest eigenvalue of a denominator scatter relative to its
 * largest: below 1e-10 the columns depend on the ridge. Cost: order d^3. */
pen_status pen_scatter_note_condition(pen_run *run, const pen_sym *S);

#endif
