/* reconstruct.h - rows as affine combinations of their neighbors, as locally linear embedding has
 * them. */
#ifndef PEN_RECONSTRUCT_H
#define PEN_RECONSTRUCT_H

#include "neighbors/relative.h"

/* Row i is taken for sum over c of weight[i k + c] times row nearest[i k + c], up to the first
 * neighbor -1; the weights of a row add up to 1. */
typedef struct pen_reconstruction {
    int64_t n, k;
    const pen_neighbor *nearest; /* [n x k] */
    double *weight;              /* [n x k] */
} pen_reconstruction;

/* Weights that make |x_i - sum_c w_c x_c|^2 + ridge t |w|^2 small, sum w = 1, t the sum of squared
 * distances to the neighbors; 1/k each where t = 0.
 * PEN_SINGULAR_SCATTER: ridge is 0, or next to it, and the neighbors of a row depend linearly on
 * each other; the message names it `ridge_name`.
 * PEN_BAD_DATA: squares overflow. Cost: n k (d + k d + k^2); memory k d doubles a thread. */
pen_status pen_reconstruct_rows(pen_run *run, const pen_rows *x, int64_t k,
                                const pen_neighbor *nearest, const char *ridge_name, double ridge,
                                pen_reconstruction *out);

/* The same in the relative space. Cost: n k^2 m, and n k m p where distances are not stored; memory
 * (k + 2) m doubles a thread. */
pen_status pen_reconstruct_relative(pen_run *run, const pen_relative *r, int64_t k,
                                    const pen_neighbor *nearest, const char *ridge_name,
                                    double ridge, pen_reconstruction *out);

/* Only neighbors that have the row for a neighbor, too, stay in its list [n x k]; behind them are
 * rows -1. */
pen_status pen_neighbors_mutual(pen_run *run, int64_t n, int64_t k, pen_neighbor *nearest);

#endif
