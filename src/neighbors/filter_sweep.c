/* filter_sweep.c - all pairs of blocks of projected rows, and the distances of passing pairs.
 *
 * Lists are heaps of true distances, at their final places. A passing pair is first compared in
 * copies of the rows, stored in the order of the search. Whole numbers give the distance.
 * Differences of floats rule most pairs out, with a margin; the distance of a remaining pair is
 * computed by pen_rows_distance2. */
#include "core/parallel.h"
#include "neighbors/filter.h"
#include "neighbors/heap.h"

#include <float.h>
#include <math.h>

enum { PASSING_PER_ROW = 32 }; /* pairs always allowed per row, plus k, plus a fraction of all */
static const double PASSING = 0.1;

struct sweep {
    const pen_filter_table *t;
    int64_t k;
    pen_neighbor *found;
};

/* ---- lists ---- */

/* Call it when the list of row i has changed. */
static void set_reach(const struct sweep *s, int64_t i)
{
    const pen_filter_table *const t = s->t;
    const double distance2 = s->found[t->place[i] * s->k].distance2,
                 distance = sqrt(distance2 + PEN_FILTER_UNDERFLOW) * t->rows->coding->unit
                            * (1 + PEN_DISTANCE_ROUNDING),
                 codes = (t->basis->stretch * distance + t->slack[i] + t->widest) / t->scale,
                 codes2 = codes * codes * (1 + PEN_DISTANCE_ROUNDING),
                 copies = distance + t->blur[i] + t->worst;

    t->reach[i] = codes2 < INT32_MAX - 1 ? (int32_t)codes2 + 1 : INT32_MAX;
    t->near[i] =
        t->bytes ? distance2 : copies * copies * (1 + (double)(t->stride + 8) * FLT_EPSILON);
}

/* Opens empty lists, or lists of entries at the known bounds that rank after every row. */
static void open_lists(const struct sweep *s, const double *bound2)
{
    const pen_filter_table *const t = s->t;

    for (int64_t i = 0; i < t->n; i++) {
        pen_neighbor *const heap = s->found + t->place[i] * s->k;
        pen_heap_clear(heap, s->k);
        for (int64_t e = 0; isfinite(bound2[t->place[i]]) && e < s->k; e++)
            heap[e] = (pen_neighbor){ bound2[t->place[i]], INT64_MAX };
        set_reach(s, i);
    }
}

static void offer(const struct sweep *s, int64_t i, pen_neighbor entry)
{
    pen_neighbor *const heap = s->found + s->t->place[i] * s->k;

    if (!heap_worse(heap[0], entry))
        return;
    pen_heap_replace(heap, s->k, entry);
    set_reach(s, i);
}

/* ---- tiles ---- */

static int filter(const void *context, int64_t i, int64_t j, const int32_t *products,
                  uint32_t *passing)
{
    const pen_filter_table *const t = ((const struct sweep *)context)->t;
    const pen_whole_filter f = { t->length2 + i, t->reach + i, t->base + j, t->reach + j };

    return t->rows->coding->tiles->whole(&f, products, passing);
}

/* Returns 1, to count passing pairs. */
static int64_t meet(const void *context, int64_t i, int64_t j, int32_t product, int worker)
{
    const struct sweep *s = context;
    const pen_filter_table *const t = s->t;
    const double copies2 = pen_filter_copies_distance2(t, i, j);
    const int for_i = copies2 <= t->near[i], for_j = copies2 <= t->near[j];

    (void)product;
    (void)worker;
    if (!for_i && !for_j)
        return 1;
    const double distance2 =
        t->bytes ? copies2 : pen_rows_distance2(t->rows->x, t->order[i], t->order[j]);
    if (for_i)
        offer(s, i, (pen_neighbor){ distance2, t->order[j] });
    if (for_j)
        offer(s, j, (pen_neighbor){ distance2, t->order[i] });
    return 1;
}

/* ---- the search ---- */

static void finish_block(void *context, int64_t block, int worker)
{
    const struct sweep *s = context;
    const int64_t first = block * s->t->block;

    (void)worker;
    for (int64_t i = first; i < pen_min(s->t->n, first + s->t->block); i++)
        pen_heap_sort(s->found + i * s->k, s->k);
}

/* *done: 0 if the fraction of passing pairs was so large that full products cost less. */
static pen_status search(pen_run *run, struct sweep *s, int *done)
{
    const pen_filter_table *const t = s->t;
    const double *const bound2 = t->rows->bound2;
    const double n = (double)t->n, most = t->basis->most,
                 always = most * PASSING * n * n / 2 + n * (double)(s->k + PASSING_PER_ROW);
    double *bounds;
    pen_tile_walk walk;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, bounds, t->n));
    for (int64_t i = 0; i < t->n; i++)
        bounds[i] = bound2 ? bound2[i] : (double)INFINITY;
    PEN_TRY(pen_filter_start(run, t, s->k, bounds));
    open_lists(s, bounds);
    pen_release(run, mark);
    PEN_TRY(pen_filter_walk(run, t, s, filter, meet, &walk));
    PEN_TRY(pen_tile_walk_all(run, &walk, most, always, done));
    return *done ? pen_parallel(run, PEN_SILENT, t->blocks, finish_block, s) : PEN_OK;
}

pen_status pen_filter_search(pen_run *run, const pen_filter_rows *rows, int64_t k, int must,
                             pen_neighbor *found, int *done)
{
    pen_filter_basis basis;
    pen_filter_table table;
    struct sweep s = { &table, k, found };

    *done = 0;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_filter_basis_open(run, rows, k, must, &basis));
    if (basis.m > 0) {
        PEN_TRY(pen_filter_table_open(run, rows, &basis, &table));
        if (table.scale > 0) /* otherwise all rows are equal */
            PEN_TRY(search(run, &s, done));
    }
    pen_release(run, mark);
    return PEN_OK;
}
