/* all_neighbors.h - nearest neighbors where queries and candidates are the same rows, at half the
 * cost, and repeated searches after the rows have moved. */
#ifndef PEN_ALL_NEIGHBORS_H
#define PEN_ALL_NEIGHBORS_H

#include "neighbors/neighbor.h"

/* The search of neighbors.h with queries = candidates = rows 0 .. n - 1. pen_neighbors_nearest
 * calls it itself. */
pen_status pen_neighbors_of_all(pen_run *run, const pen_rows *x, int64_t n, int64_t k,
                                pen_neighbor *found);

/* The same after the rows have moved slightly: `guesses` [n x k] are the lists of an earlier
 * search, of which only the row numbers are read; it may be `found` itself. The result equals that
 * of pen_neighbors_of_all for any guesses; the better they are, the faster the search. A list that
 * repeats a row, or contains an invalid row (-1) or the row itself, is ignored. NULL: no
 * guesses. */
pen_status pen_neighbors_refresh(pen_run *run, const pen_rows *x, int64_t n, int64_t k,
                                 const pen_neighbor *guesses, pen_neighbor *found);

#endif
