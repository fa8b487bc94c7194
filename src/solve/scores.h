/* scores.h - class scores of rows that agree with labels, along the edges of a graph, and with a
 * projection of the rows. */
#ifndef PEN_SCORES_H
#define PEN_SCORES_H

#include "graph/affinity_graph.h"
#include "solve/alternate.h"
#include "solve/ratio.h"
#include "solve/score_system.h"

/* F, W and b that make
 *
 *   tr((F - Y)'U(F - Y)) + tr(F'LF) + mu (|W|^2 + gamma |X W + 1 b' - F|^2)
 *
 * least, X centered rows: K F = U Y with K = U + L + mu gamma (I - 11'/n - X (X'X + I/gamma)^-1
 * X'),
 * W = (X'X + I/gamma)^-1 X'F and b the mean of F. K is applied as the sparse matrix it begins with
 * and products with the rows, in conjugate gradients. mu 0: the limit, F without a look at the
 * rows. out: W, bias, propagated F. Traces "objective", of one value. PEN_SINGULAR_SCATTER: mu 0
 * and no weight for unlabelled rows, and some of them are not connected with a labelled one.
 * PEN_RANK_TOO_SMALL: all rows are equal. Errors of pen_cg_solve. Cost: n d^2 and d^3, then 4 n d
 * classes flops an iteration; memory: 15 n classes doubles, 2 d^2. Nie, Xu, Tsang, Zhang 2010. */
pen_status pen_scores_flexible(pen_run *run, const pen_rows *x, const pen_graph *graph,
                               const pen_label_weights *weights, double mu, double gamma,
                               pen_map *out);

/* F, W and b that make
 *
 *   tr((F - Y)'U(F - Y)) + tr(F'LF) + mu |X W + 1 b' - F|^2,   W'W = I
 *
 * small, W [d x classes] in the span of the centered rows X: K F = U Y + mu X W with K = U + L + mu
 * (I - 11'/n), so that W minimizes tr(W'QW) - 2 tr(W'C) with
 * Q = mu X'K^-1 (U + L) X and C = mu X'K^-1 U Y, by solve/stiefel.h. More columns than classes:
 * the same in the complement of those found, `classes` at a time, the last cut. Where C 1 = 0
 * (always so without a weight for unlabelled rows) W and W (I - 2/classes 1 1') are as good as each
 * other: of the two the one for which the row whose scores' sum is farthest from the others' has
 * the smaller sum. out: W with `columns` of them, bias, propagated F of the first block. Traces
 * "objective" and notes "iterations" and "converged" of the first block. Errors of pen_cg_solve and
 * pen_stiefel_descend. mu > 0.
 * Cost: rank + 2 classes right-hand sides of pen_cg_solve on the sparse matrix, 4 n d rank flops,
 * then d^2 classes an iteration. Liu, Han, Nie 2017. */
pen_status pen_scores_orthogonal(pen_run *run, const pen_rows *x, const pen_graph *graph,
                                 const pen_label_weights *weights, double mu, const pen_span *span,
                                 int64_t columns, const pen_alternation *rules, pen_map *out);

/* How many columns: those wanted, at least as many as classes, which is the default, and no more
 * than whole blocks of classes in the span. PEN_RANK_TOO_SMALL, PEN_BAD_ARGUMENT: dim. */
pen_status pen_scores_count(pen_run *run, const pen_rows *x, const pen_span *span,
                            const pen_request *request, int64_t *columns);

#endif
