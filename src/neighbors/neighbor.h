/* neighbor.h - types shared by all nearest-neighbor searches: sets of rows, list entries, and the
 * error bound of expanded distances. */
#ifndef PEN_NEIGHBOR_H
#define PEN_NEIGHBOR_H

#include "core/rows.h"

/* A set of rows: rows[0 .. count), ascending, or all rows 0 .. count - 1 if `rows` is NULL. */
typedef struct pen_subset {
    const int64_t *rows;
    int64_t count;
} pen_subset;

typedef struct pen_neighbor {
    double distance2; /* squared Euclidean distance */
    int64_t row;
} pen_neighbor;

/* The error bound of distances expanded into products of block elements, for any order of
 * summation:
 *
 *   |expanded - true| <= margin (|a|^2 + |b|^2) */
double pen_neighbors_margin(const pen_view *x);

/* 0 .. count - 1 in a random order of runs of 16. Runs stay together because sequential memory
 * access is faster. The random order keeps the expected number of improvements of a list near k
 * log(n / k), whatever the order of the given rows. */
pen_status pen_neighbors_shuffle(pen_run *run, uint64_t seed, int64_t count, int64_t *order);

#endif
