/* problem.h - a fit's rows and related facts: their pairs, the source of their neighbors, and
 * whether they are only some of the rows. Methods and searches for neighbors or pairs take a
 * problem; code that only reads rows takes these. */
#ifndef PEN_PROBLEM_H
#define PEN_PROBLEM_H

#include "core/rows.h"
#include "neighbors/given_graph.h"
#include "pairs/pairs.h"

/* The source of neighbors among all rows (problem/neighbor_source.h). */
typedef struct pen_neighbor_source {
    const pen_given *given; /* NULL: search */
    int asked;              /* set once neighbors were taken from `given` */
} pen_neighbor_source;

typedef struct pen_problem {
    pen_view rows;
    const pen_pair_set *pairs;      /* for methods that learn from pairs; or NULL */
    pen_neighbor_source *neighbors; /* NULL: the search */
    /* the problem with the rows `numbers` [rows.n], ascending; or NULL: `rows` are all rows */
    const struct pen_problem *whole;
    const int64_t *numbers;
} pen_problem;

/* Opens rows numbers [count], ascending, of `whole` as a problem without pairs. Neighbors are still
 * searched among all rows. It points to `whole`, which must not move. */
pen_status pen_problem_open_part(pen_run *run, const pen_problem *whole, int64_t count,
                                 const int64_t *numbers, pen_problem *out);

/* PEN_BAD_ARGUMENT if some rows are absent and the method needs each of them. */
pen_status pen_problem_need_all(pen_run *run, const pen_problem *problem);

#endif
