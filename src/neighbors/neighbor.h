/* neighbor.h - what all searches of nearest rows share: sets of rows, entries of their lists, and
 * how exact their first distances are. */
#ifndef PEN_NEIGHBOR_H
#define PEN_NEIGHBOR_H

#include "core/rows.h"

/* A set of rows: rows[0 .. count), ascending, or all of 0 .. count - 1 if rows is NULL. */
typedef struct pen_subset {
    const int64_t *rows;
    int64_t count;
} pen_subset;

typedef struct pen_neighbor {
    double distance2; /* squared Euclidean distance */
    int64_t row;
} pen_neighbor;

/* How far distances made of products of blocks may be off: |expanded - true| <= margin (|a|^2 +
 * |b|^2), for any order of summation. */
double pen_neighbors_margin(const pen_rows *x);

#endif
