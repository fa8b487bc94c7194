/* edges.c - statements are sorted by pair, and each run of them is settled. */
#include "graph/edges.h"

#include <stdlib.h>
#include <string.h>

pen_status statements_new(pen_run *run, int64_t n, int64_t room, pen_statements *out)
{
    *out = (pen_statements){ .n = n };
    return PEN_NEW(run, out->list, room);
}

void statements_add(pen_statements *statements, int64_t i, int64_t j, double weight, int bits)
{
    const uint64_t low = (uint64_t)pen_min(i, j), high = (uint64_t)pen_max(i, j);
    if (i != j)
        statements->list[statements->count++] = (pen_statement){ low * (uint64_t)statements->n + high, weight, bits };
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

static int64_t same_pair(const pen_statements *statements, int64_t first)
{
    int64_t end = first + 1;
    while (end < statements->count && statements->list[end].key == statements->list[first].key)
        end++;
    return end - first;
}

pen_status statements_settle(pen_run *run, pen_statements *statements, pen_settle_fn settle, void *context, pen_graph *graph)
{
    const uint64_t n = (uint64_t)statements->n;
    int64_t pairs = 0, vertex = 0;
    double weight;

    qsort(statements->list, (size_t)statements->count, sizeof *statements->list, by_pair);
    for (int64_t s = 0; s < statements->count; s += same_pair(statements, s))
        pairs++;
    *graph = (pen_graph){ .n = statements->n };
    PEN_TRY(PEN_NEW(run, graph->first, statements->n + 1));
    PEN_TRY(PEN_NEW(run, graph->other, pairs));
    PEN_TRY(PEN_NEW(run, graph->weight, pairs));
    for (int64_t s = 0, said; s < statements->count; s += said) {
        const pen_statement *const first = statements->list + s;
        said = same_pair(statements, s);
        if (!settle(context, first, said, &weight))
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
