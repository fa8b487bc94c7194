/* all_neighbors.h - the search of neighbors.h where queries and candidates are the same rows, which
 * costs half, and the same once more after they have moved. */
#ifndef PEN_ALL_NEIGHBORS_H
#define PEN_ALL_NEIGHBORS_H

#include "neighbors/neighbor.h"

/* The same with queries = candidates = rows 0 .. n - 1, which pen_neighbors_nearest takes by
 * itself. */
pen_status pen_neighbors_of_all(pen_run *run, const pen_rows *x, int64_t n, int64_t k,
                                pen_neighbor *found);

/* The same once more after the rows have moved a little: `before` [n x k] are the lists of an
 * earlier search, of which only the numbers of the rows are read; `found` itself may be given. The
 * result is that of pen_neighbors_of_all whatever they are: the nearer they are still, the sooner
 * it is there. A list that repeats a row or names one that is not there (-1) or the row itself is
 * of no use, and does no harm. NULL: none. */
pen_status pen_neighbors_again(pen_run *run, const pen_rows *x, int64_t n, int64_t k,
                               const pen_neighbor *before, pen_neighbor *found);

#endif
