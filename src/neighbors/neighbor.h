/* neighbor.h - types shared by all nearest-neighbor searches: sets of rows, list entries, and the
 * error bound of expanded distances. */
#ifndef PEN_NEIGHBOR_H
#define PEN_NEIGHBOR_H

#include "core/rows.h"

#include <float.h>
#include <string.h>

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
double pen_neighbors_margin(const pen_rows *x);

/* 0 .. count - 1 in an order in which runs of 16 stay together, because sequential memory access is
 * faster, and the runs are in random order, which keeps the expected number of improvements of a
 * list near k log(n / k) whatever the order of the given rows. */
pen_status pen_neighbors_shuffle(pen_run *run, uint64_t seed, int64_t count, int64_t *order);

/* ---- heaps of the k nearest rows found so far ---- */

/* A distance to 40 of its 52 digits, the next number above: distances that are equal but for
 * rounding, as those of codes times the factor of a column, are ties. Numbers too small to have
 * these digits stay. */
static inline uint64_t heap_key(double distance2)
{
    const uint64_t rest = 0xFFF;
    uint64_t bits;

    memcpy(&bits, &distance2, sizeof bits);
    return distance2 > DBL_MIN ? (bits + rest) & ~rest : distance2 > 0 ? bits : 0;
}

/* The order of neighbors: by distance, then by row. The order is total, so the result does not
 * depend on the order of insertion. */
static inline int heap_worse(pen_neighbor a, pen_neighbor b)
{
    const uint64_t p = heap_key(a.distance2), q = heap_key(b.distance2);
    return p > q || (p == q && a.row > b.row);
}

/* The largest distance that is a tie with this one. */
static inline double heap_reach(double distance2)
{
    const uint64_t key = heap_key(distance2);
    double reach;

    memcpy(&reach, &key, sizeof reach);
    return reach;
}

/* While a list is built it is a heap with the worst entry at heap[0]. Cleared: k times row -1 at
 * infinite distance. */
void pen_heap_clear(pen_neighbor *heap, int64_t k);

/* Replaces the worst entry by `entry`. */
void pen_heap_replace(pen_neighbor *heap, int64_t k, pen_neighbor entry);

/* Sorts the heap into a list, nearest first. */
void pen_heap_sort(pen_neighbor *heap, int64_t k);

#endif
