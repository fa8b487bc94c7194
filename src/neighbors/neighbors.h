/* neighbors.h - exact nearest neighbors.
 *
 * Distances are first bounded by codes of one byte per coordinate (code_search.h). If these do not
 * suit, they are expanded as |a|^2 + |b|^2 - 2 ab, at the speed of a matrix product, in the
 * precision of the blocks or lower. Candidates that the bounds cannot rule out are recomputed by
 * direct differences in double, and only those numbers are returned and compared. So results are
 * exact, equal rows have distance 0, and ties go to the lower row. */
#ifndef PEN_NEIGHBORS_H
#define PEN_NEIGHBORS_H

#include "neighbors/neighbor.h"

/* The k nearest candidates of each query, k >= 1, excluding the query itself (but not rows equal to
 * it): found [queries.count x k], nearest first, ties by row. If there are fewer than k, the list
 * ends with row -1 at infinite distance. Cost: queries candidates d integer multiply-adds, half of
 * them if the sets are equal, and memory as for pen_code_search. If codes do not suit: twice as
 * many flops; memory in addition to the result: for each thread 1 to 2 MB, 512 rows, and the lists
 * of a batch of queries. PEN_BAD_DATA if squared distances overflow. */
pen_status pen_neighbors_nearest(pen_run *run, const pen_view *x, pen_subset queries,
                                 pen_subset candidates, int64_t k, pen_neighbor *found);

/* The same for rows 0 .. n - 1 as queries and candidates after they have moved slightly: `guesses`
 * [n x k] are the lists of an earlier search, of which only the row numbers are read; it may be
 * `found` itself. The result is the same for any guesses; the better they are, the faster the
 * search. A list that repeats a row, or contains an invalid row (-1) or the row itself, is ignored.
 * NULL: no guesses. */
pen_status pen_neighbors_refresh(pen_run *run, const pen_view *x, int64_t n, int64_t k,
                                 const pen_neighbor *guesses, pen_neighbor *found);

/* The k nearest rows of x of each row of q, rows of another array in the same units and with the
 * same origin and precision: found [q->n x k]. Otherwise as above. */
pen_status pen_neighbors_among(pen_run *run, const pen_view *q, const pen_view *x, int64_t k,
                               pen_neighbor *found);

/* reach2[i] is the squared distance from query i to its k-th nearest candidate, to the farthest if
 * there are fewer, or 0 if there is none. */
pen_status pen_neighbors_reach(pen_run *run, const pen_view *x, pen_subset queries,
                               pen_subset candidates, int64_t k, double *reach2);

#endif
