/* paths.h - similarities of rows along the best path between them.
 *
 * A path is as good as its worst step, of similarity s_ij = a_i a_j exp(-|x_i - x_j|^2 / t); the
 * path similarity of two rows is that of the best path. It is the smallest similarity on their path
 * in the maximum spanning tree: joining the rows by the edges of that tree, most similar first,
 * each join puts two groups together, and its similarity is the path similarity of every row of the
 * one with every row of the other. */
#ifndef PEN_PATHS_H
#define PEN_PATHS_H

#include "neighbors/neighbors.h"

typedef struct pen_similarity {
    double t;     /* > 0 */
    double *loss; /* [n] -log a_i, 0 to infinity */
} pen_similarity;

/* t: the mean of |x_i - x_j|^2 over all pairs. a_i = min(1, q_i / median of q), q_i: the mean over
 * the k nearest of exp(-|x_i - x_j|^2 / t_k), t_k: the mean of these squared distances over all
 * rows; where t_k is 0, all a_i are 1. nearest [n x k]. PEN_RANK_TOO_SMALL: all rows are equal.
 * PEN_BAD_DATA: t overflows. Cost: n (d + k). */
pen_status pen_similarity_robust(pen_run *run, const pen_rows *x, int64_t k,
                                 const pen_neighbor *nearest, pen_similarity *out);

/* Groups `left` and `right` become one: numbers below n are rows, n + m is the group that merge m
 * made. */
typedef struct pen_merge {
    int64_t left, right;
    double similarity;
} pen_merge;

typedef struct pen_merges {
    int64_t n;
    pen_merge *list; /* [n - 1] the most similar first */
} pen_merges;

/* Prim's algorithm. Cost: n^2 / 2 distances of d columns; memory 64 n bytes beside the result. */
pen_status pen_paths_merges(pen_run *run, const pen_rows *x, const pen_similarity *similarity,
                            pen_merges *out);

#endif
