/* heap.h - heaps of the k nearest rows found so far. */
#ifndef PEN_HEAP_H
#define PEN_HEAP_H

#include "neighbors/neighbor.h"

#include <float.h>
#include <string.h>

/* A distance to 40 of its 52 digits, rounded up. Distances equal up to rounding, such as those of
 * codes times the factor of a column, become ties. Numbers too small for these digits stay. */
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

/* The largest distance that ties with this one. */
static inline double heap_reach(double distance2)
{
    const uint64_t key = heap_key(distance2);
    double reach;

    memcpy(&reach, &key, sizeof reach);
    return reach;
}

/* While a list is built it is a heap with the worst entry at heap[0]. When cleared it has k times
 * row -1 at infinite distance. */
void pen_heap_clear(pen_neighbor *heap, int64_t k);

/* Replaces the worst entry by `entry`. */
void pen_heap_replace(pen_neighbor *heap, int64_t k, pen_neighbor entry);

/* Sorts the heap into a list, nearest first. */
void pen_heap_sort(pen_neighbor *heap, int64_t k);

/* Replaces the largest of k numbers, which is the first of their heap. */
static inline void pen_key_replace(uint64_t *heap, int64_t k, uint64_t key)
{
    int64_t hole = 0, child;

    while ((child = 2 * hole + 1) < k) {
        child += child + 1 < k && heap[child + 1] > heap[child];
        if (heap[child] <= key)
            break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = key;
}

#endif
