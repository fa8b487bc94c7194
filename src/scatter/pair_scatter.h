/* pair_scatter.h - the scatter of a set of pairs, and the routes to compute it. */
#ifndef PEN_PAIR_SCATTER_H
#define PEN_PAIR_SCATTER_H

#include "problem/problem.h"
#include "linalg/sym.h"

typedef enum pen_route {
    PEN_ROUTE_LEAST,       /* the cheapest route */
    PEN_ROUTE_DIFFERENCES, /* S = D'D, with the rows x_i - x_j of D in blocks */
    /* S = X'U + U'X = X'LX, L the Laplacian, u_i = deg_i x_i / 2 - the sum of x_j over pairs {i,
     * j}, j > i */
    PEN_ROUTE_GATHER,
    /* the same, with the sums as products of tiles of the adjacency matrix and blocks of rows; not
     * for pairs with weights */
    PEN_ROUTE_TILES
} pen_route;

/* S += weight sum w_ij (x_i - x_j)(x_i - x_j)' over the pairs `links` of rows of the problem, with
 * weights w_ij. Returns the route used in *used (may be NULL). */
pen_status pen_scatter_links(pen_run *run, const pen_problem *problem, const pen_links *links,
                             pen_route route, double weight, pen_sym *S, pen_route *used);

/* The scatters of all pairs of labelled rows, in closed form, with A_c the scatter of class c and N
 * = n':
 *
 *   B += cannot S_B,  S_B = sum_c (N - n_c) A_c + N sum_c n_c (m_c - m)(m_c - m)'
 *   W += must S_W,    S_W = sum_c n_c A_c */
pen_status pen_scatter_labels_as_pairs(pen_run *run, const pen_view *x, double cannot, double must,
                                       pen_sym *B, pen_sym *W);

#endif
