/* partial_affinity.h - the scatter of affinities between two sets of rows, or within one, of which
 * all rows together are not here. */
#ifndef PEN_PARTIAL_AFFINITY_H
#define PEN_PARTIAL_AFFINITY_H

#include "linalg/sym.h"
#include "neighbors/neighbor.h"

typedef struct pen_partial_affinity {
    const pen_rows *x;    /* rows that scatter, the first `first` of them one set */
    const pen_rows *near; /* the same rows in the units of the distances */
    int64_t first;
    int is_one;          /* 1: the pairs of one set, which all rows are */
    const double *sigma; /* [x->n] */
} pen_partial_affinity;

/* S += 1/2 sum_ij A_ij (x_i - x_j)(x_i - x_j)' over pairs of rows of both sets, in both orders,
 * with A_ij = exp(-|x_i - x_j|^2 / (sigma_i sigma_j)) as in pen_scatter_local. degree [x->n]: sums
 * of A_ij, in one set including j = i. Cost: 4 d flops a pair, in both orders; memory: the rows. */
pen_status pen_scatter_partial_affinities(pen_run *run, const pen_partial_affinity *sets,
                                          double *degree, pen_sym *S);

#endif
