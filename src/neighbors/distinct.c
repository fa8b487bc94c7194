/* distinct.c - the k nearest rows of a row are among the rows equal to it and those equal to one of
 * the k nearest distinct rows, ties by the first of each group: each of k groups that precede
 * another one has a row that precedes all of the other. */
#include "neighbors/distinct.h"

#include "core/duplicate_rows.h"
#include "core/parallel.h"
#include "neighbors/heap.h"
#include "neighbors/sweep.h"

#include <math.h>
#include <stdlib.h>

enum { TASK = 256 };

struct groups {
    const pen_rows *x;
    int64_t n, k;
    int64_t count;         /* of distinct rows */
    int64_t *first;        /* [count] the first row of each group, ascending */
    int64_t *of;           /* [n] the group of each row */
    int64_t *starts;       /* [count + 1] group g is rows[starts[g] .. starts[g + 1]), ascending */
    int64_t *rows;         /* [n] */
    pen_neighbor *nearest; /* [count x k] of distinct rows; `row` is a row */
    const pen_neighbor *guesses;
    double *bound2; /* [n] */
    pen_neighbor *found;
};

static pen_status group_rows(pen_run *run, const int64_t *duplicate, struct groups *g)
{
    PEN_TRY(PEN_NEW(run, g->first, g->n));
    PEN_TRY(PEN_NEW(run, g->of, g->n));
    for (int64_t i = 0; i < g->n; i++) {
        g->of[i] = duplicate[i] == i ? g->count : g->of[duplicate[i]];
        if (duplicate[i] == i)
            g->first[g->count++] = i;
    }
    PEN_TRY(PEN_NEW(run, g->starts, g->count + 1));
    PEN_TRY(PEN_NEW(run, g->rows, g->n));
    for (int64_t c = 0; c <= g->count; c++)
        g->starts[c] = 0;
    for (int64_t i = 0; i < g->n; i++)
        g->starts[g->of[i] + 1]++;
    for (int64_t c = 0; c < g->count; c++)
        g->starts[c + 1] += g->starts[c];
    for (int64_t i = 0; i < g->n; i++) /* starts[c] moves to the end of its group */
        g->rows[g->starts[g->of[i]]++] = i;
    for (int64_t c = g->count; c > 0; c--)
        g->starts[c] = g->starts[c - 1];
    g->starts[0] = 0;
    return PEN_OK;
}

/* Offers the rows of a group, in ascending order, until one does not enter. */
static void offer_group(const struct groups *g, int64_t group, int64_t row, double distance2,
                        pen_neighbor *heap)
{
    for (int64_t e = g->starts[group]; e < g->starts[group + 1]; e++) {
        const pen_neighbor entry = { distance2, g->rows[e] };
        if (entry.row == row)
            continue;
        if (!heap_worse(heap[0], entry))
            break;
        pen_heap_replace(heap, g->k, entry);
    }
}

static void complete(void *context, int64_t task, int worker)
{
    const struct groups *g = context;

    (void)worker;
    for (int64_t i = task * TASK; i < pen_min((task + 1) * TASK, g->n); i++) {
        pen_neighbor *const heap = g->found + i * g->k;
        const pen_neighbor *const list = g->nearest + g->of[i] * g->k;
        pen_heap_clear(heap, g->k);
        offer_group(g, g->of[i], i, 0, heap);
        for (int64_t e = 0; e < g->k && list[e].row >= 0; e++)
            offer_group(g, g->of[list[e].row], i, list[e].distance2, heap);
        pen_heap_sort(heap, g->k);
    }
}

static int by_row(const void *a, const void *b)
{
    const pen_neighbor *p = a, *q = b;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* A squared distance within which a row certainly has k others: that of the farthest of its
 * guesses. Infinite if these repeat a row or contain the row itself or an invalid row. */
static void bound_rows(void *context, int64_t task, int worker)
{
    const struct groups *g = context;

    (void)worker;
    for (int64_t i = task * TASK; i < pen_min((task + 1) * TASK, g->n); i++) {
        const pen_neighbor *const guesses = g->guesses + i * g->k;
        pen_neighbor *const list = g->nearest + i * g->k;
        double most = 0;
        for (int64_t e = 0; e < g->k; e++)
            list[e] = guesses[e];
        qsort(list, (size_t)g->k, sizeof *list, by_row);
        for (int64_t e = 0; e < g->k && isfinite(most); e++) {
            const int64_t row = list[e].row;
            const int valid = row >= 0 && row < g->n && row != i && (!e || row != list[e - 1].row);
            most = valid ? fmax(most, pen_rows_distance2(g->x, i, row)) : (double)INFINITY;
        }
        g->bound2[i] = most;
    }
}

/* Without equal rows: the guesses are of use. */
static pen_status sweep_all(pen_run *run, struct groups *g, int *done)
{
    const pen_sweep_side all = { g->x, NULL, g->n };
    const int64_t tasks = (g->n + TASK - 1) / TASK;

    if (g->guesses) {
        PEN_TRY(PEN_NEW(run, g->nearest, pen_times(g->n, g->k)));
        PEN_TRY(PEN_NEW(run, g->bound2, g->n));
        PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, bound_rows, g));
    }
    const pen_sweep_task task = { all, all, g->k, g->bound2 };
    return pen_sweep(run, &task, g->found, done);
}

static pen_status sweep_groups(pen_run *run, struct groups *g, int *done)
{
    const int64_t tasks = (g->n + TASK - 1) / TASK;

    PEN_TRY(PEN_NEW(run, g->nearest, pen_times(g->count, g->k)));
    const pen_sweep_side distinct = { g->x, g->first, g->count };
    const pen_sweep_task task = { distinct, distinct, g->k, NULL };
    PEN_TRY(pen_sweep(run, &task, g->nearest, done));
    return *done ? pen_parallel(run, PEN_SILENT, tasks, complete, g) : PEN_OK;
}

pen_status pen_sweep_distinct(pen_run *run, const pen_rows *x, int64_t n, int64_t k,
                              const pen_neighbor *guesses, pen_neighbor *found, int *done)
{
    struct groups g = { .x = x, .n = n, .k = k, .guesses = guesses, .found = found };
    const pen_sweep_side all = { x, NULL, n };
    const pen_sweep_task task = { all, all, k, NULL };
    int64_t *duplicate;

    *done = 0;
    if (!pen_sweep_is_worth(&task))
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, duplicate, n));
    PEN_TRY(pen_duplicates_find(run, x, n, duplicate));
    PEN_TRY(group_rows(run, duplicate, &g));
    PEN_TRY(g.count == n ? sweep_all(run, &g, done) : sweep_groups(run, &g, done));
    pen_release(run, mark);
    return PEN_OK;
}
