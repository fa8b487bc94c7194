/* equal_rows.h - a search of all rows that treats equal rows once. */
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

/* Equal rows, which may be many, would all be among each other's nearest, so only the first of them
 * is searched for. This extends the lists of these, nearest [groups x k], whose `row` is a row, to
 * all rows: found [n x k]. */
pen_status pen_groups_complete(pen_run *run, const pen_groups *g, int64_t n, int64_t k,
                               const pen_neighbor *nearest, pen_neighbor *found);

#endif
