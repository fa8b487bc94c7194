/* sparse_neighbors.h - exact nearest neighbors of sparse rows. */
#ifndef PEN_SPARSE_NEIGHBORS_H
#define PEN_SPARSE_NEIGHBORS_H

#include "neighbors/neighbor.h"

/* The k nearest candidates, rows of x, of each query, a row of q: x itself or other sparse rows in
 * the same units and with the same origin. found [queries.count x k], nearest first, ties by row,
 * row -1 at infinity if there are fewer; never the query itself.
 * Cost: per query a few multiply-adds for each candidate and dense column, and c_j for each of its
 * entries in another column with c_j entries. Memory: 24 bytes for each entry of the candidates, up
 * to 8 more for each in dense columns, and 2 MB for each thread. */
pen_status pen_sparse_neighbors(pen_run *run, const pen_view *q, pen_subset queries,
                                const pen_view *x, pen_subset candidates, int64_t k,
                                pen_neighbor *found);

#endif
