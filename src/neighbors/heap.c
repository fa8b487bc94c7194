/* heap.c - heaps of the k nearest rows found so far. */
#include "neighbors/heap.h"

#include <math.h>
#include <stdlib.h>

void pen_heap_clear(pen_neighbor *heap, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        heap[i] = (pen_neighbor){ (double)INFINITY, -1 };
}

void pen_heap_replace(pen_neighbor *heap, int64_t k, pen_neighbor entry)
{
    int64_t hole = 0, child;

    while ((child = 2 * hole + 1) < k) {
        if (child + 1 < k && heap_worse(heap[child + 1], heap[child]))
            child++;
        if (!heap_worse(heap[child], entry))
            break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = entry;
}

static int by_distance(const void *a, const void *b)
{
    const pen_neighbor *p = a, *q = b;
    return heap_worse(*p, *q) ? 1 : heap_worse(*q, *p) ? -1 : 0;
}

void pen_heap_sort(pen_neighbor *heap, int64_t k)
{
    qsort(heap, (size_t)k, sizeof *heap, by_distance);
}
