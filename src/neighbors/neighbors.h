/* neighbors.h - exact nearest neighbors.
 *
 * Squared distances are first expanded as |a|^2 + |b|^2 - 2 ab, which runs at the speed of a matrix
 * product, in the precision of the blocks or less. What the rounding of that cannot rule out is
 * computed again by direct differences in double, and only those numbers are kept and compared:
 * results are exact, equal rows are at distance 0, and ties go to the lower row. */
#ifndef PEN_NEIGHBORS_H
#define PEN_NEIGHBORS_H

#include "neighbors/neighbor.h"

/* The k nearest candidates of each query, the query itself left out (an equal row is not): found
 * [queries.count x k], nearest first, ties by row; where there are fewer, the list ends with row -1
 * at infinite distance. k >= 1.
 * Cost: 2 queries candidates d flops; memory beside the result: for each thread 1 to 2 MB, 512
 * rows, and as much as the result for a batch of queries. If both are all rows: queries^2 d flops,
 * in single precision where that tells doubles apart well enough; 56 bytes a row, 4 more a value
 * for up to 64 columns, and for each thread 5 MB or 128 rows; PEN_BAD_DATA if squares of distances
 * overflow. */
pen_status pen_neighbors_nearest(pen_run *run, const pen_rows *x, pen_subset queries,
                                 pen_subset candidates, int64_t k, pen_neighbor *found);

/* Local scaling: sigma[i], the distance from query i to its k-th nearest candidate, to the farthest
 * if there are fewer, 0 if there is none. */
pen_status pen_neighbors_scaling(pen_run *run, const pen_rows *x, pen_subset queries,
                                 pen_subset candidates, int64_t k, double *sigma);

#endif
