/* scores.h - class scores that agree with labels, with the edges of a graph, and with a projection
 * of the rows. */
#ifndef PEN_SCORES_H
#define PEN_SCORES_H

#include "graph/affinity_graph.h"
#include "solve/alternate.h"
#include "solve/ratio.h"
#include "solve/score_system.h"

/* Minimizes over F, W and b
 *
 *   tr((F - Y)'U(F - Y)) + tr(F'LF) + mu (|W|^2 + gamma |X W + 1 b' - F|^2)
 *
 * with X the centered rows: K F = U Y, K = U + L + mu gamma (I - 11'/n - X (X'X + I/gamma)^-1 X'),
 * W = (X'X + I/gamma)^-1 X'F, and b is the mean of F. In conjugate gradients K is applied as a
 * sparse matrix plus products with the rows. mu 0: the limit, graph scores first, then regression.
 * out: W, bias, propagated F. Traces "objective", one value; notes "cg_iterations".
 * PEN_SINGULAR_SCATTER: mu and the weight of unlabelled rows are 0, and some of these rows are not
 * connected with a labelled one. PEN_RANK_TOO_SMALL: all rows are equal, or no score of a class
 * depends on them. Errors of pen_cg_solve.
 * Cost: n d^2 and d^3, then 4 n d classes flops per iteration; memory: 2 n classes doubles, 2 d^2.
 * Nie, Xu, Tsang, Zhang 2010. */
pen_status pen_scores_flexible(pen_run *run, const pen_view *x, const pen_graph *graph,
                               const pen_label_weights *weights, double mu, double gamma,
                               pen_projection *out);

/* Lowers over F, W and b
 *
 *   tr((F - Y)'U(F - Y)) + tr(F'LF) + mu |X W + 1 b' - F|^2,   W'W = I
 *
 * with W [d x classes] in the span of the centered rows X: K F = U Y + mu X W,
 * K = U + L + mu (I - 11'/n), so that W minimizes tr(W'QW) - 2 tr(W'C), Q = mu X'K^-1 (U + L) X and
 * C = mu X'K^-1 U Y (solve/stiefel.h). More columns than classes solve the same problem in the
 * complement of the earlier ones, `classes` at a time, the last block truncated. If C 1 = 0 (always
 * if unlabelled rows have no weight), W and W (I - 2/classes 1 1') have the same objective. Of the
 * two it takes the one in which the row whose sum of scores is farthest from the mean has the
 * smaller sum. out: W with `columns` columns, bias, propagated F of the first block. Traces
 * "objective", notes "iterations" and "converged" of the first block, and "cg_iterations". Errors
 * of pen_cg_solve and pen_stiefel_descend. mu > 0.
 * Cost: rank + 2 classes right-hand sides of pen_cg_solve on the sparse matrix, 4 n d rank flops,
 * then d^2 classes per iteration. Liu, Han, Nie 2017. */
pen_status pen_scores_orthogonal(pen_run *run, const pen_view *x, const pen_graph *graph,
                                 const pen_label_weights *weights, double mu, const pen_span *span,
                                 int64_t columns, const pen_alternation *rules,
                                 pen_projection *out);

/* The number of columns: the number wanted, at least the classes, which is the default, and at
 * most the whole blocks of classes in the span. PEN_RANK_TOO_SMALL, PEN_BAD_ARGUMENT: dim. */
pen_status pen_scores_count(pen_run *run, const pen_view *x, const pen_span *span,
                            const pen_request *request, int64_t *columns);

#endif
