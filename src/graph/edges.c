/* edges.c - contributions are sorted by pair, and those of each pair are combined. */
#include "graph/edges.h"

#include <stdlib.h>
#include <string.h>

enum { REPORT = 1 << 18 }; /* contributions between progress reports */

pen_status pen_statements_new(pen_run *run, int64_t n, int64_t room, pen_statements *out)
{
    *out = (pen_statements){ .n = n };
    return PEN_NEW(run, out->list, room);
}

void pen_statements_add(pen_statements *statements, int64_t i, int64_t j, double weight, int bits)
{
    const uint64_t low = (uint64_t)pen_min(i, j), high = (uint64_t)pen_max(i, j);
    if (i != j)
        statements->list[statements->count++] =
            (pen_statement){ low * (uint64_t)statements->n + high, weight, bits };
}

static int by_pair(const void *a, const void *b)
{
    const pen_statement *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    if (p->weight != q->weight)
        return p->weight < q->weight ? -1 : 1;
    return (p->bits > q->bits) - (p->bits < q->bits);
}

/* The offsets of the contributions by lower vertex, [n + 1]. */
static pen_status count_vertices(pen_run *run, const pen_statements *statements, int64_t **out)
{
    const uint64_t n = (uint64_t)statements->n;
    int64_t *begin;

    PEN_TRY(PEN_NEW(run, begin, statements->n + 2));
    memset(begin, 0, (size_t)(statements->n + 2) * sizeof *begin);
    for (int64_t s = 0; s < statements->count; s++)
        begin[statements->list[s].key / n + 2]++;
    for (int64_t i = 2; i <= statements->n + 1; i++)
        begin[i] += begin[i - 1];
    *out = begin;
    return PEN_OK;
}

/* Sorts by lower vertex in one pass, then within each vertex: there may be many millions, and the
 * caller can cancel between two vertices. */
static pen_status sort(pen_run *run, pen_statements *statements)
{
    const uint64_t n = (uint64_t)statements->n;
    pen_statement *sorted;
    int64_t *begin, reported = 0;

    PEN_TRY(count_vertices(run, statements, &begin));
    PEN_TRY(PEN_NEW(run, sorted, statements->count));
    for (int64_t s = 0; s < statements->count; s++)
        sorted[begin[statements->list[s].key / n + 1]++] = statements->list[s];
    statements->list = sorted;
    for (int64_t i = 0; i < statements->n; i++) {
        qsort(sorted + begin[i], (size_t)(begin[i + 1] - begin[i]), sizeof *sorted, by_pair);
        if (begin[i + 1] - reported >= REPORT) {
            reported = begin[i + 1];
            PEN_TRY(pen_progress(run, "edges", reported, statements->count));
        }
    }
    return PEN_OK;
}

static int64_t count_same_pair(const pen_statements *statements, int64_t first)
{
    int64_t end = first + 1;
    while (end < statements->count && statements->list[end].key == statements->list[first].key)
        end++;
    return end - first;
}

pen_status pen_statements_settle(pen_run *run, pen_statements *statements, pen_settle_fn settle,
                                 void *context, pen_graph *graph)
{
    const uint64_t n = (uint64_t)statements->n;
    int64_t pairs = 0, vertex = 0;
    double weight;

    PEN_TRY(sort(run, statements));
    for (int64_t s = 0; s < statements->count; s += count_same_pair(statements, s))
        pairs++;
    *graph = (pen_graph){ .n = statements->n };
    PEN_TRY(PEN_NEW(run, graph->first, statements->n + 1));
    PEN_TRY(PEN_NEW(run, graph->other, pairs));
    PEN_TRY(PEN_NEW(run, graph->weight, pairs));
    for (int64_t s = 0, count; s < statements->count; s += count) {
        const pen_statement *const first = statements->list + s;
        count = count_same_pair(statements, s);
        if (!settle(context, first, count, &weight))
            continue;
        while (vertex <= (int64_t)(first->key / n))
            graph->first[vertex++] = graph->edges;
        graph->other[graph->edges] = (int64_t)(first->key % n);
        graph->weight[graph->edges++] = weight;
    }
    while (vertex <= statements->n)
        graph->first[vertex++] = graph->edges;
    return PEN_OK;
}
