/* tangent.h - local principal directions: where the rows near a row lie. */
#ifndef PEN_TANGENT_H
#define PEN_TANGENT_H

#include "neighbors/neighbors.h"

/* Rows of basis + i q d, [q x d] and orthonormal: the first q principal directions of row i and its
 * neighbors about their own mean, most variance first; zeros for those that are missing, because
 * such rows differ in fewer directions. Of signs, and of directions of equal variance, only the
 * span counts. */
typedef struct pen_tangents {
    int64_t n, d, q;
    double *basis;   /* [n x q x d] */
    int64_t missing; /* directions that are zeros */
} pen_tangents;

/* nearest [n x k]. A variance below rounding is none. PEN_BAD_DATA: squares overflow. Memory: n q d
 * doubles for the result, and for each thread (k + 1) d and three of min(k + 1, d)^2. Cost: n (k d
 * m + m^3), m = min(k + 1, d). */
pen_status pen_tangents_find(pen_run *run, const pen_rows *x, int64_t k,
                             const pen_neighbor *nearest, int64_t q, pen_tangents *out);

#endif
