/* edges.c - combines the contributions to the pairs of one row at a time in tables of length n:
 * many contributions to one pair take no more memory than one. */
#include "graph/edges.h"

#include "core/sort.h"

#include <stdlib.h>

enum {
    REPORT = 1 << 18, /* contributions between progress reports */
    DENSE = 16        /* with one pair in 16 a scan is faster than a sort */
};

/* Visits rows in ascending order, with tables for one row. */
struct walk {
    const pen_edge_rule *rule;
    int64_t n, reported;
    pen_edge_row row;
};

static pen_status walk_new(pen_run *run, int64_t n, const pen_edge_rule *rule, struct walk *w)
{
    *w = (struct walk){ .rule = rule, .n = n };
    PEN_TRY(PEN_NEW2(run, w->row.others, w->row.weight, n));
    PEN_TRY(PEN_FILLED(run, w->row.bits, n, 0));
    return PEN_OK;
}

static pen_status walk_to(pen_run *run, struct walk *w, int64_t i)
{
    for (int64_t k = 0; k < w->row.count; k++)
        w->row.bits[w->row.others[k]] = 0;
    w->row.count = 0;
    w->row.i = i;
    w->rule->fill(w->rule->context, &w->row);
    if (w->row.added - w->reported < REPORT)
        return pen_poll(run);
    w->reported = w->row.added;
    return pen_progress(run, "edges", i, w->n);
}

static void sort_others(pen_edge_row *row, int64_t n)
{
    if (row->count < (n - row->i) / DENSE) {
        qsort(row->others, (size_t)row->count, sizeof *row->others, pen_by_int64);
        return;
    }
    row->count = 0;
    for (int64_t j = row->i + 1; j < n; j++)
        if (row->bits[j])
            row->others[row->count++] = j;
}

pen_status pen_edges_count(pen_run *run, int64_t n, const pen_edge_rule *rule, int64_t most,
                           int64_t *pairs)
{
    const pen_mark_t mark = pen_mark(run);
    struct walk w;

    *pairs = 0;
    PEN_TRY(walk_new(run, n, rule, &w));
    for (int64_t i = 0; i < n && *pairs <= most; i++) {
        PEN_TRY(walk_to(run, &w, i));
        *pairs += w.row.count;
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_edges_build(pen_run *run, int64_t n, const pen_edge_rule *rule, int64_t pairs,
                           pen_graph *graph)
{
    struct walk w;

    *graph = (pen_graph){ .n = n };
    PEN_TRY(PEN_NEW(run, graph->first, n + 1));
    PEN_TRY(PEN_NEW2(run, graph->other, graph->weight, pairs));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(walk_new(run, n, rule, &w));
    for (int64_t i = 0; i < n; i++) {
        graph->first[i] = graph->edges;
        PEN_TRY(walk_to(run, &w, i));
        sort_others(&w.row, n);
        for (int64_t k = 0; k < w.row.count; k++) {
            const int64_t j = w.row.others[k];
            if (!rule->combine(rule->context, j, w.row.bits[j], &w.row.weight[j]))
                continue;
            graph->other[graph->edges] = j;
            graph->weight[graph->edges++] = w.row.weight[j];
        }
    }
    graph->first[n] = graph->edges;
    pen_release(run, mark);
    return PEN_OK;
}
