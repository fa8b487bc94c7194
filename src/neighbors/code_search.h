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

/* A search. `candidates` may equal `queries`, and then each pair is compared once. Otherwise
 * candidates.x may belong to another array with the same columns, units and origin. */
typedef struct pen_code_search_task {
    pen_code_search_side queries, candidates;
    int64_t k;
    /* [queries.count] a squared distance within which a query certainly has k candidates, infinity
     * if unknown; or NULL. Only if the sides are equal. */
    const double *bound2;
    int unfiltered; /* 1: never start with few coordinates (filter.h), even if that is faster */
} pen_code_search_task;

/* The k nearest candidates of each query, k >= 1, other than the query itself: found
 * [queries.count x k], nearest first, ties by row, row -1 at infinity if there are fewer. *done is
 * 0 and nothing was found if codes do not suit these rows, which then need another search.
 * Cost: queries candidates d integer multiply-adds, half of them if the sides are equal, and about
 * k + 3 distances per query; less if the search starts with few coordinates. Memory: (d + 44) bytes
 * per row, and per query 8 k or, unless rows are whole numbers, 32 k + 148 bytes; before that, as
 * in filter.h. */
pen_status pen_code_search(pen_run *run, const pen_code_search_task *task, pen_neighbor *found,
                           int *done);

/* 0 if the sizes alone show that a search would not justify its preparations; pen_code_search then
 * does nothing. */
int pen_code_search_is_worth(const pen_code_search_task *task);

#endif
