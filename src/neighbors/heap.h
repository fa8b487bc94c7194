/* heap.h - lists of the k nearest found so far. */
#ifndef PEN_HEAP_H
#define PEN_HEAP_H

#include "neighbors/neighbor.h"

/* The order of neighbors: by distance, then by row. It is total, so what is best in the end does
 * not depend on who was seen first. */
static inline int heap_worse(pen_neighbor a, pen_neighbor b)
{
    return a.distance2 > b.distance2 || (a.distance2 == b.distance2 && a.row > b.row);
}

/* A list while it is made is a heap, heap[0] the worst. Nobody yet: k times row -1 at infinite
 * distance. */
void pen_heap_clear(pen_neighbor *heap, int64_t k);

/* Put `entry` in the place of the worst. */
void pen_heap_replace(pen_neighbor *heap, int64_t k, pen_neighbor entry);

/* The heap as a list, nearest first. */
void pen_heap_sort(pen_neighbor *heap, int64_t k);

#endif
