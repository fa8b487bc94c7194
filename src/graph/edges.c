/* edges.c - contributions are sorted by pair, and those of each pair are combined. */
#include "graph/edges.h"

#include <stdlib.h>
#include <string.h>

enum { REPORT = 1 << 18 }; /* contributions between progress reports */

pen_status pen_contributions_new(pen_run *run, int64_t n, int64_t room, pen_contributions *out)
{
    *out = (pen_contributions){ .n = n };
    return PEN_NEW(run, out->list, room);
}

void pen_contributions_add(pen_contributions *contributions, int64_t i, int64_t j, double weight,
                           int bits)
{
    const uint64_t low = (uint64_t)pen_min(i, j), high = (uint64_t)pen_max(i, j);
    if (i != j)
        contributions->list[contributions->count++] =
            (pen_contribution){ low * (uint64_t)contributions->n + high, weight, bits };
}

static int by_pair(const void *a, const void *b)
{
    const pen_contribution *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    if (p->weight != q->weight)
        return p->weight < q->weight ? -1 : 1;
    return (p->bits > q->bits) - (p->bits < q->bits);
}

/* The offsets of the contributions by lower vertex, [n + 1]. */
static pen_status count_vertices(pen_run *run, const pen_contributions *contributions,
                                 int64_t **out)
{
    const uint64_t n = (uint64_t)contributions->n;
    int64_t *begin;

    PEN_TRY(PEN_NEW(run, begin, contributions->n + 2));
    memset(begin, 0, (size_t)(contributions->n + 2) * sizeof *begin);
    for (int64_t s = 0; s < contributions->count; s++)
        begin[contributions->list[s].key / n + 2]++;
    for (int64_t i = 2; i <= contributions->n + 1; i++)
        begin[i] += begin[i - 1];
    *out = begin;
    return PEN_OK;
}

/* Sorts by lower vertex in one pass, then within each vertex: there may be many millions, and the
 * caller can cancel between two vertices. */
static pen_status sort(pen_run *run, pen_contributions *contributions)
{
    const uint64_t n = (uint64_t)contributions->n;
    pen_contribution *sorted;
    int64_t *begin, reported = 0;

    PEN_TRY(count_vertices(run, contributions, &begin));
    PEN_TRY(PEN_NEW(run, sorted, contributions->count));
    for (int64_t s = 0; s < contributions->count; s++)
        sorted[begin[contributions->list[s].key / n + 1]++] = contributions->list[s];
    contributions->list = sorted;
    for (int64_t i = 0; i < contributions->n; i++) {
        qsort(sorted + begin[i], (size_t)(begin[i + 1] - begin[i]), sizeof *sorted, by_pair);
        if (begin[i + 1] - reported >= REPORT) {
            reported = begin[i + 1];
            PEN_TRY(pen_progress(run, "edges", reported, contributions->count));
        }
        PEN_TRY(pen_poll(run));
    }
    return PEN_OK;
}

static int64_t count_same_pair(const pen_contributions *contributions, int64_t first)
{
    int64_t end = first + 1;
    while (end < contributions->count
           && contributions->list[end].key == contributions->list[first].key)
        end++;
    return end - first;
}

pen_status pen_contributions_combine(pen_run *run, pen_contributions *contributions,
                                     pen_combine_fn combine, void *context, pen_graph *graph)
{
    const uint64_t n = (uint64_t)contributions->n;
    int64_t pairs = 0, vertex = 0;
    double weight;

    PEN_TRY(sort(run, contributions));
    for (int64_t s = 0; s < contributions->count; s += count_same_pair(contributions, s))
        pairs++;
    *graph = (pen_graph){ .n = contributions->n };
    PEN_TRY(PEN_NEW(run, graph->first, contributions->n + 1));
    PEN_TRY(PEN_NEW(run, graph->other, pairs));
    PEN_TRY(PEN_NEW(run, graph->weight, pairs));
    for (int64_t s = 0, count; s < contributions->count; s += count) {
        const pen_contribution *const first = contributions->list + s;
        count = count_same_pair(contributions, s);
        if (!combine(context, first, count, &weight))
            continue;
        while (vertex <= (int64_t)(first->key / n))
            graph->first[vertex++] = graph->edges;
        graph->other[graph->edges] = (int64_t)(first->key % n);
        graph->weight[graph->edges++] = weight;
    }
    while (vertex <= contributions->n)
        graph->first[vertex++] = graph->edges;
    return PEN_OK;
}
