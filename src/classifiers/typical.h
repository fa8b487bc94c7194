/* typical.h - how typical a row is: the fraction of the fitted rows that are at least as far from
 * their nearest row as this row.
 *
 * A row is its coordinates and its length, which also sees what the projection ignores. Both are in
 * the units of classifiers (classifier_rows.h); the length counts a quarter. A stored row equal to
 * the row is the row itself, and does not count as near. */
#ifndef PEN_TYPICAL_H
#define PEN_TYPICAL_H

#include "classifiers/classifier_rows.h"

typedef struct pen_typical {
    int64_t k, count, measured; /* k: coordinates, and the length, which is last */
    double *units;              /* [2 x k] an offset to subtract, then a factor; NULL: none */
    double *rows;               /* [count x k] rows of the fit in these units, rounded to float */
    double *distances;          /* [measured] for rows of the fit, ascending */
} pen_typical;

/* Stores rows y [n x k], n >= 1, as possible neighbors; measures none. The memory of *out is
 * scratch of the run. Errors of pen_classifier_rows_open. Cost: a few passes. */
pen_status pen_typical_open(pen_run *run, int64_t n, int64_t k, const double *y, pen_typical *out);

/* distances [n] of rows y [n x k], finite. Bits, errors and cost as pen_classifier_apply. */
pen_status pen_typical_measure(pen_run *run, const pen_typical *t, int64_t n, const double *y,
                               double *distances);

/* (1 + the number of rows of the fit at this distance or farther) / (1 + the number of all). */
double pen_typical_share(const pen_typical *t, double distance);

#endif
