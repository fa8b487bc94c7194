/* code_search.h - exact nearest neighbors by codes: tiles of integer products bound all distances,
 * and distances are computed only for pairs that the bounds do not rule out. */
#ifndef PEN_CODE_SEARCH_H
#define PEN_CODE_SEARCH_H

#include "neighbors/neighbor.h"

/* Some rows of a set: rows[0 .. count) of x, all rows 0 .. count - 1 if `rows` is NULL. */
typedef struct pen_code_search_side {
    const pen_view *x;
    const int64_t *rows;
    int64_t count;
} pen_code_search_side;

/* What is sought. `candidates` may equal `queries`, and then each pair is looked at once; otherwise
 * candidates.x may be of another array with the same columns, units and origin. */
typedef struct pen_code_search_task {
    pen_code_search_side queries, candidates;
    int64_t k;
    /* [queries.count] a squared distance within which a query certainly has k candidates, infinity
     * if none is known; or NULL. Only if the sides are equal. */
    const double *bound2;
    int unfiltered; /* 1: few coordinates do not come first (filter.h), even if that is faster */
} pen_code_search_task;

/* The k nearest candidates of each query, k >= 1, other than the query itself: found
 * [queries.count x k], nearest first, ties by row, row -1 at infinity if there are fewer. *done is
 * 0 if nothing was found because codes do not suit these rows: a search by other means is
 * needed.
 * Cost: queries candidates d integer multiply-adds, half of them if the sides are equal, and some
 * k + 3 distances a query; less where few coordinates come first. Memory: (d + 44) bytes for each
 * row, and for each query 8 k or, unless rows are whole numbers, 32 k + 148 bytes; or before that
 * what filter.h says. */
pen_status pen_code_search(pen_run *run, const pen_code_search_task *task, pen_neighbor *found,
                           int *done);

/* 0 if a search would not be worth its preparations, by the sizes alone: pen_code_search does
 * nothing. */
int pen_code_search_is_worth(const pen_code_search_task *task);

#endif
