/* tangent_scatter.h - the scatter that measures how far projections are from linear functions of
 * the local principal directions. */
#ifndef PEN_TANGENT_SCATTER_H
#define PEN_TANGENT_SCATTER_H

#include "graph/affinity_graph.h"
#include "graph/tangent.h"
#include "linalg/sym.h"

typedef struct pen_tangent_weights {
    double alpha, gamma, beta; /* >= 0 */
} pen_tangent_weights;

/* C += alpha X'RX, with v'X'RX v the minimum over slopes t_1 .. t_n [q] of
 *
 *   sum_ij A_ij (((x_i - x_j)'(v - T_j t_j))^2 + gamma |t_i - T_i'T_j t_j|^2)
 *       + beta/alpha sum_i |t_i|^2
 *
 * over ordered pairs (i, j) of the edges, A_ij = A_ji, with T_i [d x q] the tangents of row i. This
 * is the Schur complement of the slopes. It is computed as a sum of squares at slopes found by
 * conjugate gradients with a block Jacobi preconditioner, so that nothing cancels and its error is
 * quadratic in that of the slopes. No cost if alpha is 0.
 *
 * PEN_SINGULAR_SCATTER: beta is (close to) 0, and so are gamma and the edge weights of a row.
 * Errors of pen_cg_solve.
 * Cost: m q^2 d s flops for the slopes with m edges and s iterations, and m (1 + q) d^2 for the
 * sum. Memory: n q d doubles in addition to the tangents, 32 m q^2 bytes, 128 n q doubles and
 * blocks of rows. */
pen_status pen_scatter_tangents(pen_run *run, const pen_view *x, const pen_graph *graph,
                                const pen_tangents *tangents, const pen_tangent_weights *weights,
                                pen_sym *C);

/* The same with the graph of nearest neighbors and its tangents of up to q directions, which are
 * not computed if alpha is 0. Notes "missing_directions". */
pen_status pen_scatter_affine_tangents(pen_run *run, const pen_problem *problem,
                                       const pen_affinity_rules *how, int64_t q,
                                       const pen_tangent_weights *weights, pen_sym *C);

#endif
