/* tangent.h - tangents: the local principal directions at each row. */
#ifndef PEN_TANGENT_H
#define PEN_TANGENT_H

#include "neighbors/neighbors.h"

/* The rows of basis + i q d, [q x d] and orthonormal, are the first q principal directions of row i
 * and its neighbors about their own mean, in order of descending variance; directions are zero if
 * these rows vary in fewer than q directions. Signs, and the basis among directions of equal
 * variance, are arbitrary. */
typedef struct pen_tangents {
    int64_t n, d, q;
    double *basis;   /* [n x q x d] */
    int64_t missing; /* number of zero directions */
} pen_tangents;

/* Finds the tangents from nearest [n x k]. A variance within rounding counts as zero. PEN_BAD_DATA:
 * squares overflow. Memory: n q d doubles for the result, and for each thread (k + 1) d + 3 m^2
 * with m = min(k + 1, d). Cost: n (k d m + m^3). */
pen_status pen_tangents_find(pen_run *run, const pen_view *x, int64_t k,
                             const pen_neighbor *nearest, int64_t q, pen_tangents *out);

#endif
