/* equal_rows.c - the k nearest rows of a row are among the rows equal to it and those equal to one
 * of the k nearest distinct rows, ties by the first of each group: each of k groups that precede
 * another one has a row that precedes all of the other. */
#include "neighbors/equal_rows.h"

#include "core/duplicate_rows.h"
#include "core/parallel.h"
#include "neighbors/heap.h"
#include "neighbors/code_search.h"

#include <math.h>
#include <stdlib.h>

enum { TASK = 256 };

struct search {
    const pen_rows *x;
    int64_t n, k;
    pen_groups g;
    pen_neighbor *nearest; /* [groups x k] of distinct rows; `row` is a row */
    const pen_neighbor *guesses;
    double *bound2; /* [n] */
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
    for (int64_t c = 0; c <= g->count; c++)
        g->starts[c] = 0;
    for (int64_t i = 0; i < n; i++)
        g->starts[g->of[i] + 1]++;
    for (int64_t c = 0; c < g->count; c++)
        g->starts[c + 1] += g->starts[c];
    for (int64_t i = 0; i < n; i++) /* starts[c] moves to the end of its group */
        g->rows[g->starts[g->of[i]]++] = i;
    for (int64_t c = g->count; c > 0; c--)
        g->starts[c] = g->starts[c - 1];
    g->starts[0] = 0;
    return PEN_OK;
}

/* Offers the rows of a group, in ascending order, until one does not enter. */
static void offer_group(const struct search *s, int64_t group, int64_t row, double distance2,
                        pen_neighbor *heap)
{
    for (int64_t e = s->g.starts[group]; e < s->g.starts[group + 1]; e++) {
        const pen_neighbor entry = { distance2, s->g.rows[e] };
        if (entry.row == row)
            continue;
        if (!heap_worse(heap[0], entry))
            break;
        pen_heap_replace(heap, s->k, entry);
    }
}

static void complete(void *context, int64_t task, int worker)
{
    const struct search *s = context;

    (void)worker;
    for (int64_t i = task * TASK; i < pen_min((task + 1) * TASK, s->n); i++) {
        pen_neighbor *const heap = s->found + i * s->k;
        const pen_neighbor *const list = s->nearest + s->g.of[i] * s->k;
        pen_heap_clear(heap, s->k);
        offer_group(s, s->g.of[i], i, 0, heap);
        for (int64_t e = 0; e < s->k && list[e].row >= 0; e++)
            offer_group(s, s->g.of[list[e].row], i, list[e].distance2, heap);
        pen_heap_sort(heap, s->k);
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
    const struct search *s = context;

    (void)worker;
    for (int64_t i = task * TASK; i < pen_min((task + 1) * TASK, s->n); i++) {
        const pen_neighbor *const guesses = s->guesses + i * s->k;
        pen_neighbor *const list = s->nearest + i * s->k;
        double most = 0;
        for (int64_t e = 0; e < s->k; e++)
            list[e] = guesses[e];
        qsort(list, (size_t)s->k, sizeof *list, by_row);
        for (int64_t e = 0; e < s->k && isfinite(most); e++) {
            const int64_t row = list[e].row;
            const int valid = row >= 0 && row < s->n && row != i && (!e || row != list[e - 1].row);
            most = valid ? fmax(most, pen_rows_distance2(s->x, i, row)) : (double)INFINITY;
        }
        s->bound2[i] = most;
    }
}

/* Without equal rows: the guesses are of use. */
static pen_status sweep_all(pen_run *run, struct search *s, int *done)
{
    const pen_code_search_side all = { s->x, NULL, s->n };
    const int64_t tasks = (s->n + TASK - 1) / TASK;

    if (s->guesses) {
        PEN_TRY(PEN_NEW(run, s->nearest, pen_times(s->n, s->k)));
        PEN_TRY(PEN_NEW(run, s->bound2, s->n));
        PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, bound_rows, s));
    }
    const pen_code_search_task task = { all, all, s->k, s->bound2 };
    return pen_code_search(run, &task, s->found, done);
}

static pen_status sweep_groups(pen_run *run, struct search *s, int *done)
{
    const int64_t tasks = (s->n + TASK - 1) / TASK;

    PEN_TRY(PEN_NEW(run, s->nearest, pen_times(s->g.count, s->k)));
    const pen_code_search_side distinct = { s->x, s->g.first, s->g.count };
    const pen_code_search_task task = { distinct, distinct, s->k, NULL };
    PEN_TRY(pen_code_search(run, &task, s->nearest, done));
    return *done ? pen_parallel(run, PEN_SILENT, tasks, complete, s) : PEN_OK;
}

pen_status pen_code_search_distinct(pen_run *run, const pen_rows *x, int64_t n, int64_t k,
                                    const pen_neighbor *guesses, pen_neighbor *found, int *done)
{
    struct search s = { .x = x, .n = n, .k = k, .guesses = guesses, .found = found };
    const pen_code_search_side all = { x, NULL, n };
    const pen_code_search_task task = { all, all, k, NULL };
    int64_t *duplicate;

    *done = 0;
    if (!pen_code_search_is_worth(&task))
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, duplicate, n));
    PEN_TRY(pen_duplicates_find(run, x, n, duplicate));
    PEN_TRY(pen_groups_open(run, n, duplicate, &s.g));
    PEN_TRY(s.g.count == n ? sweep_all(run, &s, done) : sweep_groups(run, &s, done));
    pen_release(run, mark);
    return PEN_OK;
}
