/* coordinates.h - rows in the coordinates of a method: normalized, scaled, centered and reduced to
 * principal components, as the text specifies. */
#ifndef COORDINATES_H
#define COORDINATES_H

#include "kit/options.h"

typedef struct coordinates {
    int64_t n, d;
    int64_t q;       /* columns; 0 if `pca` requests more than the rank or no column remains */
    double *rows;    /* [n x d] after `row_steps` */
    double *mean;    /* [d] mean of these rows */
    double *basis;   /* [d x q] coordinates = (row - mean) basis */
    double *unbasis; /* [q x d] its left inverse */
    double *x;       /* [n x q] the rows in these coordinates */
} coordinates;

/* Rows [n x d] of doubles, `stride` apart. */
coordinates coordinates_of(const fit_options *o, int64_t n, int64_t d, int64_t stride,
                           const double *rows);

/* Scales rows [n x d] to length one; zero rows stay zero. */
void normalize_rows(int64_t n, int64_t d, double *x);

#endif
