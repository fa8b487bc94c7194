/* distinct.h - the sweep of all rows, where equal rows are looked at once. */
#ifndef PEN_DISTINCT_H
#define PEN_DISTINCT_H

#include "neighbors/neighbor.h"

/* The search of pen_neighbors_refresh by pen_sweep. Equal rows, of which there may be many, would
 * each be among the nearest of the others; instead only the first of them is sought, and lists are
 * completed by the others. *done: as there. */
pen_status pen_sweep_distinct(pen_run *run, const pen_rows *x, int64_t n, int64_t k,
                              const pen_neighbor *guesses, pen_neighbor *found, int *done);

#endif
