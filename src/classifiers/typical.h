/* typical.h - how typical is a row of those of a fit: the fraction of them that are as far from
 * their nearest row as this one, or farther.
 *
 * A row is its coordinates and its length, which also sees what the projection does not. They are
 * in the units of classifiers (classifier_rows.h), of the coordinates and of the length, which
 * counts a quarter. A stored row that equals a row is that row itself, and not near it. */
#ifndef PEN_TYPICAL_H
#define PEN_TYPICAL_H

#include "classifiers/classifier_rows.h"

typedef struct pen_typical {
    int64_t k, count, measured; /* k: coordinates, and the length, which is last */
    double *units;              /* [2 x k] what is taken off, and then a factor; NULL: none */
    double *rows;               /* [count x k] of the fit in these units, rounded to float */
    double *distances;          /* [measured] of rows of the fit, ascending */
} pen_typical;

/* Rows y [n x k], n >= 1, near which others are; none is measured. Memory of *out is scratch of the
 * run. Errors of pen_classifier_rows_open. Cost: some passes. */
pen_status pen_typical_open(pen_run *run, int64_t n, int64_t k, const double *y, pen_typical *out);

/* distances [n] of rows y [n x k], finite. Bits, errors and cost of pen_classifier_apply. */
pen_status pen_typical_measure(pen_run *run, const pen_typical *t, int64_t n, const double *y,
                               double *distances);

/* (1 + the number of rows of the fit at this distance or farther) / (1 + all of them). */
double pen_typical_share(const pen_typical *t, double distance);

#endif
