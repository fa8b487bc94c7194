/* label_propagation.h - labels handed on along the edges of a graph. */
#ifndef PEN_LABEL_PROPAGATION_H
#define PEN_LABEL_PROPAGATION_H

#include "graph/graph.h"

/* F = (I - diag(a) P)^-1 (I - diag(a)) [Y, u] without its last column, F [n x classes]: P = D^-1 A,
 * a_i = alpha for unlabelled rows and 0 for labelled ones, Y the classes of labelled rows, u = 1
 * for unlabelled ones. F_i is what of row i goes to each class; the rest stays with none. Labelled
 * rows have 1 for their class and 0 elsewhere; F >= 0 and rows add up to at most 1 but for rounding
 * (what rounding left below 0 is 0).
 *
 * The unlabelled block is solved by conjugate gradients, made symmetric by D^1/2. A residual is
 * taken anew from the averages F = alpha P F until each row of it is rounding, however small its
 * degree: a row is then within about (16 + its edges) epsilon / (1 - alpha) of the answer.
 *
 * graph NULL, or alpha 0, or no unlabelled rows: F = Y. 0 <= alpha < 1. PEN_BAD_DATA: a row without
 * an edge of any weight. Errors of pen_cg_solve.
 * Cost: about 30 / sqrt(1 - alpha) products with the graph; memory 7 n classes doubles, 48 bytes an
 * edge. Nie, Xiang, Jia, Zhang 2009. */
pen_status pen_propagate_labels(pen_run *run, const pen_rows *x, const pen_graph *graph,
                                double alpha, double *F);

#endif
