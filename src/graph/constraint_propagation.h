/* constraint_propagation.h - pairs spread to the neighborhoods of their rows. */
#ifndef PEN_CONSTRAINT_PROPAGATION_H
#define PEN_CONSTRAINT_PROPAGATION_H

#include "graph/edges.h"
#include "pairs/pairs.h"

/* The graph of nearest neighbors with must-links at weight 1 and cannot-links at -1. If `spread`,
 * so are pairs of a row of {i} and its k nearest with a row of {j} and its k nearest, for every
 * must-link (cannot-link) {i, j}, unless both kinds say so. Pairs given overrule all else.
 * neighbors: the union of the lists of k nearest, found [n x k], weighed. Pairs of labels count one
 * by one; PEN_BAD_DATA if statements are more than `most`. Cost: (k + 1)^2 a pair, sorted. */
pen_status pen_propagate_constraints(pen_run *run, const pen_rows *x, const pen_graph *neighbors,
                                     int64_t k, const pen_neighbor *found, int spread, int64_t most,
                                     pen_graph *out);

#endif
