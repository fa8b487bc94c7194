/* equal_rows.h - the sweep of all rows, where equal rows are looked at once. */
#ifndef PEN_EQUAL_ROWS_H
#define PEN_EQUAL_ROWS_H

#include "neighbors/neighbor.h"

/* Rows in groups, in the order of their first rows. */
typedef struct pen_groups {
    int64_t count;
    int64_t *first;  /* [count] the first row of each group, ascending */
    int64_t *of;     /* [n] the group of each row */
    int64_t *starts; /* [count + 1] group g is rows[starts[g] .. starts[g + 1]), ascending */
    int64_t *rows;   /* [n] */
} pen_groups;

/* first_of[i] <= i: the first row of the group of row i. In scratch memory. */
pen_status pen_groups_open(pen_run *run, int64_t n, const int64_t *first_of, pen_groups *out);

/* The search of pen_neighbors_refresh by pen_code_search. Equal rows, of which there may be many,
 * would each be among the nearest of the others; instead only the first of them is sought, and
 * lists are completed by the others. *done: as there. */
pen_status pen_code_search_distinct(pen_run *run, const pen_rows *x, int64_t n, int64_t k,
                                    const pen_neighbor *guesses, pen_neighbor *found, int *done);

#endif
