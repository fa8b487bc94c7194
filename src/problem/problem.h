/* problem.h - what a fit knows besides its rows: their pairs, where their neighbors come from, of
 * which rows they are some. Methods and what seeks neighbors or pairs take a problem; what only
 * reads rows takes these. */
#ifndef PEN_PROBLEM_H
#define PEN_PROBLEM_H

#include "core/rows.h"
#include "neighbors/given_graph.h"
#include "pairs/pairs.h"

/* Where neighbors among all rows come from (problem/neighbor_source.h). */
typedef struct pen_neighbor_source {
    const pen_given *given; /* NULL: they are searched */
    int asked;              /* set once neighbors were taken from `given` */
} pen_neighbor_source;

typedef struct pen_problem {
    pen_view rows;
    const pen_pair_set *pairs;      /* for methods that learn from pairs; or NULL */
    pen_neighbor_source *neighbors; /* NULL: the search */
    /* the rows `numbers` [rows.n], ascending, of these; or NULL: none of the fit is left out */
    const struct pen_problem *whole;
    const int64_t *numbers;
} pen_problem;

/* The rows numbers [count], ascending, of `whole` as a problem, without its pairs; neighbors are
 * still those among all rows. It points to `whole`, which must not move. */
pen_status pen_problem_open_part(pen_run *run, const pen_problem *whole, int64_t count,
                                 const int64_t *numbers, pen_problem *out);

/* PEN_BAD_ARGUMENT if not all rows are here, and something has to look at each. */
pen_status pen_problem_need_all(pen_run *run, const pen_problem *problem);

#endif
