/* reconstruct.h - rows as affine combinations of their neighbors, as in locally linear
 * embedding. */
#ifndef PEN_RECONSTRUCT_H
#define PEN_RECONSTRUCT_H

#include "neighbors/relative.h"

/* The reconstruction of row i is sum_c weight[i k + c] times row nearest[i k + c], over c up to the
 * first neighbor -1; the weights of a row sum to 1. */
typedef struct pen_reconstruction {
    int64_t n, k;
    const pen_neighbor *nearest; /* [n x k] */
    double *weight;              /* [n x k] */
} pen_reconstruction;

/* The weights w, sum w = 1, that minimize
 *
 *   |x_i - sum_c w_c x_c|^2 + ridge t |w|^2
 *
 * with t the sum of the squared distances to the neighbors; 1 / k each if t = 0.
 * PEN_SINGULAR_SCATTER: ridge, the parameter reconstruction_ridge, is (close to) 0 and the
 * neighbors of a row are linearly dependent. PEN_BAD_DATA: squares overflow.
 * Cost: n k (d + k d + k^2); memory: k d doubles for each thread. */
pen_status pen_reconstruct_rows(pen_run *run, const pen_view *x, int64_t k,
                                const pen_neighbor *nearest, double ridge, pen_reconstruction *out);

/* The same in the relative space. Cost: n k^2 m, plus n k m p if distances are not stored; memory:
 * (k + 2) m doubles for each thread. */
pen_status pen_reconstruct_relative(pen_run *run, const pen_relative *r, int64_t k,
                                    const pen_neighbor *nearest, double ridge,
                                    pen_reconstruction *out);

/* Keeps only mutual neighbors in the lists [n x k]; the lists are padded with rows -1. */
pen_status pen_neighbors_mutual(pen_run *run, int64_t n, int64_t k, pen_neighbor *nearest);

#endif
