/* label_propagation.h - label propagation along the edges of a graph. */
#ifndef PEN_LABEL_PROPAGATION_H
#define PEN_LABEL_PROPAGATION_H

#include "graph/affinity_graph.h"

/* The soft labels F [n x classes]: the first columns of
 *
 *   (I - diag(a) P)^-1 (I - diag(a)) [Y, u],    P = D^-1 A,
 *
 * with a_i = alpha for unlabelled rows and 0 for labelled ones, Y the class indicators of the
 * labelled rows, and u = 1 for unlabelled rows; the last column is dropped. F_ic is the fraction of
 * row i that belongs to class c, and the rest of the row belongs to no class. Labelled rows have 1
 * for their class and 0 elsewhere. F >= 0, and rows sum to at most 1 up to rounding (negative
 * rounding errors are set to 0).
 *
 * The unlabelled block, symmetrized by D^1/2, is solved by conjugate gradients. The residual is
 * recomputed from the averages F = alpha P F until it is within rounding in every row, however
 * small the degree: a row is then within about (16 + its edges) epsilon / (1 - alpha) of the
 * solution.
 *
 * F = Y if graph is NULL, alpha is 0, or there are no unlabelled rows. 0 <= alpha < 1.
 * PEN_BAD_DATA: all edges of a row have weight 0. Errors of pen_cg_solve.
 * Cost: about 30 / sqrt(1 - alpha) products with the graph; memory: 7 n classes doubles, 48 bytes
 * for each edge.
 * Nie, Xiang, Jia, Zhang 2009. */
pen_status pen_propagate_labels(pen_run *run, const pen_view *x, const pen_graph *graph,
                                double alpha, double *F);

/* The same along a graph of nearest neighbors, which is built only if it has an effect. */
pen_status pen_propagate_affinities(pen_run *run, const pen_problem *problem,
                                    const pen_affinity_rules *how, double alpha, double *F);

#endif
