/* tangent_scatter.h - the scatter of projections that agree with linear functions on local
 * principal directions. */
#ifndef PEN_TANGENT_SCATTER_H
#define PEN_TANGENT_SCATTER_H

#include "graph/graph.h"
#include "graph/tangent.h"
#include "linalg/sym.h"

typedef struct pen_tangent_weights {
    double alpha, gamma, beta; /* >= 0 */
} pen_tangent_weights;

/* C += alpha X'RX, with v'X'RX v the smallest value, over slopes t_1 .. t_n [q], of
 *
 *   sum_ij A_ij (((x_i - x_j)'(v - T_j t_j))^2 + gamma |t_i - T_i'T_j t_j|^2)
 *       + beta/alpha sum_i |t_i|^2        ordered pairs, A_ij = A_ji: the edges
 *
 * T_i [d x q]: the tangents of row i. This is the Schur complement of the slopes; it is added up as
 * the sum of squares it is, at slopes found by conjugate gradients with blocks of q for
 * preconditioner, so that nothing cancels and it is off by the square of how much they are.
 * Nothing, at no cost, for alpha 0.
 *
 * PEN_SINGULAR_SCATTER: beta is 0, or next to it, and so are the weights of a row's edges and
 * gamma. Errors of pen_cg_solve.
 * Cost: m edges, s iterations: m q^2 d s flops for the slopes and m (1 + q) d^2 for the sum.
 * Memory: n q d doubles beside the tangents, 32 m q^2 bytes, 128 n q doubles and blocks of rows. */
pen_status pen_scatter_tangents(pen_run *run, const pen_rows *x, const pen_graph *graph,
                                const pen_tangents *tangents, const pen_tangent_weights *weights,
                                pen_sym *C);

#endif
