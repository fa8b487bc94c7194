/* heap.h - heaps of the k nearest rows found so far. */
#ifndef PEN_HEAP_H
#define PEN_HEAP_H

#include "neighbors/neighbor.h"

/* The order of neighbors: by distance, then by row. The order is total, so the result does not
 * depend on the order of insertion. */
static inline int heap_worse(pen_neighbor a, pen_neighbor b)
{
    return a.distance2 > b.distance2 || (a.distance2 == b.distance2 && a.row > b.row);
}

/* While a list is built it is a heap with the worst entry at heap[0]. Cleared: k times row -1 at
 * infinite distance. */
void pen_heap_clear(pen_neighbor *heap, int64_t k);

/* Replaces the worst entry by `entry`. */
void pen_heap_replace(pen_neighbor *heap, int64_t k, pen_neighbor entry);

/* Sorts the heap into a list, nearest first. */
void pen_heap_sort(pen_neighbor *heap, int64_t k);

#endif
