/* constraint_propagation.h - constraint propagation: pairs spread to the neighborhoods of their
 * rows. */
#ifndef PEN_CONSTRAINT_PROPAGATION_H
#define PEN_CONSTRAINT_PROPAGATION_H

#include "graph/graph.h"

/* The graph of the k nearest neighbors, with must-links at weight 1 and cannot-links at -1. If
 * `spread`, every must-link (cannot-link) {i, j} also assigns its weight to all pairs of a row from
 * {i} and its k nearest and a row from {j} and its k nearest, except where both kinds apply. Given
 * pairs have priority over everything else. If pairs have weights, w replaces 1: among pairs of one
 * kind that claim an entry, the largest counts; if both kinds do, w is their difference. An entry
 * then becomes max(0, 1 - |w|) times its previous value, plus w: first for neighbors, then for
 * nearby pairs, then for given pairs. Pairs implied by labels are enumerated; PEN_BAD_DATA if more
 * than `most` pairs would have a weight. Neighbors have heat-kernel weights of width `given` or, if
 * that is 0, the mean squared distance along their edges, robust against a few of them
 * (pen_mean_of_most). PEN_BAD_DATA: that mean is 0, or all edges have weight 0. Notes "heat". Cost:
 * (k + 1)^2 for each pair, or n^2 (k + 1) if that is less; memory: 16 bytes for each given pair,
 * and for each pair with a weight. */
pen_status pen_graph_constraints(pen_run *run, const pen_problem *problem, int64_t k, double given,
                                 int spread, int64_t most, pen_graph *out);

#endif
