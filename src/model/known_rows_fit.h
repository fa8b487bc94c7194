/* known_rows_fit.h - the fit of a method that sees labelled or paired rows alone, among rows that
 * are too many and too wide for a matrix of either size. */
#ifndef PEN_KNOWN_ROWS_FIT_H
#define PEN_KNOWN_ROWS_FIT_H

#include "methods/method.h"
#include "pairs/pairs.h"

typedef struct pen_known_rows_fit {
    pen_problem problem; /* that the method sees; no rows: all, nothing is left out */
    pen_pair_set pairs;
} pen_known_rows_fit;

/* Leaves out the rows that `method` does not see, where that leaves at least 2 and at most
 * PEN_BOTH_LARGE. The span of the others holds all columns the method can find, so a reduction to
 * it is exact. Pairs are taken along, and neighbors are still those among all rows. It must not
 * move: the rows point into it. Memory: a copy of the rows. */
pen_status pen_known_rows_fit_open(pen_run *run, const pen_problem *whole, int64_t most,
                                   pen_known_rows_fit *out);

#endif
