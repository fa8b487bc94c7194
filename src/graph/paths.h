/* paths.h - path similarities: the similarity of two rows along the best path between them.
 *
 * The similarity of a path is that of its weakest step, where a step has
 *
 *   s_ij = a_i a_j exp(-|x_i - x_j|^2 / t),
 *
 * and the path similarity of two rows is that of their best path: the smallest similarity along
 * their path in the maximum spanning tree. If the edges of that tree are added in order of
 * descending similarity, each one merges two groups, and its similarity is the path similarity of
 * every row of one group with every row of the other. */
#ifndef PEN_PATHS_H
#define PEN_PATHS_H

#include "problem/problem.h"

typedef struct pen_similarity {
    double t;     /* > 0 */
    double *loss; /* [n] -log a_i, 0 to infinity */
} pen_similarity;

/* Sets t to the mean of |x_i - x_j|^2 over all pairs, and
 *
 *   a_i = min(1, q_i / median of q)
 *   q_i = mean over the k nearest of exp(-|x_i - x_j|^2 / t_k)
 *
 * with t_k the mean of these squared distances over all rows; if t_k is 0, all a_i are 1. nearest
 * [n x k]. PEN_RANK_TOO_SMALL: all rows are equal. PEN_BAD_DATA: t overflows. Cost: n (d + k). */
pen_status pen_similarity_robust(pen_run *run, const pen_view *x, int64_t k,
                                 const pen_neighbor *nearest, pen_similarity *out);

/* Merges the groups `left` and `right`: numbers below n are rows, and n + m is the group formed by
 * merge m. */
typedef struct pen_merge {
    int64_t left, right;
    double similarity;
} pen_merge;

typedef struct pen_merges {
    int64_t n;
    pen_merge *list; /* [n - 1] in order of descending similarity */
} pen_merges;

/* Finds the merges by Prim's algorithm. Cost: n^2 / 2 distances of d columns; memory in addition to
 * the result: 64 n bytes. */
pen_status pen_paths_merges(pen_run *run, const pen_view *x, const pen_similarity *similarity,
                            pen_merges *out);

/* The merges for pen_similarity_robust of the k nearest neighbors. Notes
 * "path_similarity_smallest". */
pen_status pen_paths_robust(pen_run *run, const pen_problem *problem, int64_t k, pen_merges *out);

#endif
