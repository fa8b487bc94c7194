/* equal_rows.c - the k nearest rows of a row are among the rows equal to it and the rows equal to
 * one of its k nearest distinct rows, with ties by the first row of a group. If k groups precede
 * another one, each of them has a row that precedes all rows of that one. */
#include "neighbors/equal_rows.h"

#include "core/parallel.h"
#include "core/sort.h"
#include "neighbors/heap.h"

enum { TASK = 256 };

struct lists {
    const pen_groups *g;
    int64_t n, k;
    const pen_neighbor *nearest;
    pen_neighbor *found;
};

pen_status pen_groups_open(pen_run *run, int64_t n, const int64_t *first_of, pen_groups *g)
{
    *g = (pen_groups){ .count = 0 };
    PEN_TRY(PEN_NEW2(run, g->first, g->of, n));
    for (int64_t i = 0; i < n; i++) {
        g->of[i] = first_of[i] == i ? g->count : g->of[first_of[i]];
        if (first_of[i] == i)
            g->first[g->count++] = i;
    }
    PEN_TRY(PEN_NEW(run, g->starts, g->count + 1));
    PEN_TRY(PEN_NEW(run, g->rows, n));
    pen_sort_groups(n, g->of, g->count, g->starts, g->rows);
    return PEN_OK;
}

/* Offers the rows of a group, in ascending order, until one does not enter. */
static void offer_group(const struct lists *s, int64_t group, int64_t row, double distance2,
                        pen_neighbor *heap)
{
    for (int64_t e = s->g->starts[group]; e < s->g->starts[group + 1]; e++) {
        const pen_neighbor entry = { distance2, s->g->rows[e] };
        if (entry.row == row)
            continue;
        if (!heap_worse(heap[0], entry))
            break;
        pen_heap_replace(heap, s->k, entry);
    }
}

static void complete(void *context, int64_t task, int worker)
{
    const struct lists *s = context;

    (void)worker;
    for (int64_t i = task * TASK; i < pen_min((task + 1) * TASK, s->n); i++) {
        pen_neighbor *const heap = s->found + i * s->k;
        const pen_neighbor *const list = s->nearest + s->g->of[i] * s->k;
        pen_heap_clear(heap, s->k);
        offer_group(s, s->g->of[i], i, 0, heap);
        for (int64_t e = 0; e < s->k && list[e].row >= 0; e++)
            offer_group(s, s->g->of[list[e].row], i, list[e].distance2, heap);
        pen_heap_sort(heap, s->k);
    }
}

pen_status pen_groups_complete(pen_run *run, const pen_groups *g, int64_t n, int64_t k,
                               const pen_neighbor *nearest, pen_neighbor *found)
{
    struct lists s = { g, n, k, nearest, found };

    return pen_parallel(run, PEN_SILENT, (n + TASK - 1) / TASK, complete, &s);
}
