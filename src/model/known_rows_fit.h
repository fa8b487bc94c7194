/* known_rows_fit.h - fits a method that sees only labelled or paired rows, when rows and columns
 * are too many for a matrix of either size. */
#ifndef PEN_KNOWN_ROWS_FIT_H
#define PEN_KNOWN_ROWS_FIT_H

#include "methods/method.h"
#include "pairs/pairs.h"

typedef struct pen_known_rows_fit {
    pen_problem problem; /* the problem that the method sees; no rows: nothing is left out */
    pen_pair_set pairs;
} pen_known_rows_fit;

/* Leaves out the rows that `method` does not see, if at least 2 and at most PEN_BOTH_LARGE remain.
 * The span of the remaining rows holds all columns that the method can find, so reducing to it is
 * exact. Pairs are renumbered; neighbors are still searched among all rows. The struct must not
 * move, because the rows point into it. Memory: a copy of the rows. */
pen_status pen_known_rows_fit_open(pen_run *run, const pen_problem *whole, int64_t most,
                                   pen_known_rows_fit *out);

#endif
