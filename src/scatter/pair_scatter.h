/* pair_scatter.h - the scatter of a set of pairs, and the ways to it. */
#ifndef PEN_PAIR_SCATTER_H
#define PEN_PAIR_SCATTER_H

#include "pairs/pairs.h"
#include "linalg/sym.h"

typedef enum pen_route {
    PEN_ROUTE_LEAST,       /* the one that costs least */
    PEN_ROUTE_DIFFERENCES, /* S = D'D, D the rows x_i - x_j, in blocks */
    /* S = X'U + U'X, u_i = deg_i x_i / 2 - sum of x_j over pairs {i, j} with j > i: this is X'LX, L
     * the Laplacian */
    PEN_ROUTE_GATHER,
    /* the same, the sums as products of blocks of the adjacency matrix (zeros and ones) and blocks
     * of rows */
    PEN_ROUTE_TILES
} pen_route;

/* S += weight sum (x_i - x_j)(x_i - x_j)' over the pairs `links` of the rows pairs->rows; the route
 * taken into *taken (may be NULL). */
pen_status pen_scatter_links(pen_run *run, const pen_rows *x, const pen_links *links,
                             pen_route route, double weight, pen_sym *S, pen_route *taken);

/* D [links->count x d]: the rows x_i - x_j, in double. */
pen_status pen_scatter_differences(pen_run *run, const pen_rows *x, const pen_links *links,
                                   double *D);

/* B += cannot S_B, W += must S_W over all pairs of labelled rows, in closed form: S_W = sum_c n_c
 * A_c and S_B = sum_c (N - n_c) A_c + N sum_c n_c (m_c - m)(m_c - m)', A_c the scatter of class c,
 * N = n'. */
pen_status pen_scatter_labels_as_pairs(pen_run *run, const pen_rows *x, double cannot, double must,
                                       pen_sym *B, pen_sym *W);

#endif
