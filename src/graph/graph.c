/* graph.c - edges from lists of neighbours. */
#include "graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A neighbour j of i as the edge it is: which end is smaller, and whether that end said so. */
struct half {
    int64_t other;
    double distance2;
};

static int by_other(const void *a, const void *b)
{
    const struct half *p = a, *q = b;
    return (p->other > q->other) - (p->other < q->other);
}

/* at[i]: where the halves of vertex i begin, one from i for each neighbour j > i, and one from j for each j > i that has i for a neighbour. */
static void count_halves(int64_t n, int64_t k, const pen_neighbor *found, int64_t *at)
{
    memset(at, 0, (size_t)(n + 1) * sizeof *at);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k && found[i * k + c].row >= 0; c++)
            at[pen_min(i, found[i * k + c].row) + 1]++;
    for (int64_t i = 0; i < n; i++)
        at[i + 1] += at[i];
}

static void place_halves(int64_t n, int64_t k, const pen_neighbor *found, int64_t *at, struct half *halves)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k && found[i * k + c].row >= 0; c++) {
            const int64_t j = found[i * k + c].row;
            halves[at[pen_min(i, j)]++] = (struct half){ pen_max(i, j), found[i * k + c].distance2 };
        }
    for (int64_t i = n; i > 0; i--)
        at[i] = at[i - 1];
    at[0] = 0;
}

pen_status graph_of_neighbors(pen_run *run, int64_t n, int64_t k, const pen_neighbor *found, enum pen_join join, pen_graph *out)
{
    int64_t *at;
    struct half *halves;

    *out = (pen_graph){ .n = n };
    PEN_TRY(PEN_NEW(run, out->first, n + 1));
    PEN_TRY(PEN_NEW(run, out->other, n * k));
    PEN_TRY(PEN_NEW(run, out->distance2, n * k));
    PEN_TRY(PEN_NEW(run, out->weight, n * k));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, at, n + 1));
    PEN_TRY(PEN_NEW(run, halves, n * k));
    count_halves(n, k, found, at);
    place_halves(n, k, found, at, halves);
    for (int64_t i = 0; i < n; i++) {
        out->first[i] = out->edges;
        qsort(halves + at[i], (size_t)(at[i + 1] - at[i]), sizeof *halves, by_other);
        for (int64_t h = at[i]; h < at[i + 1];) {
            const int64_t same = h + 1 < at[i + 1] && halves[h + 1].other == halves[h].other; /* both ends say so */
            if (same || join == PEN_JOIN_UNION) {
                out->other[out->edges] = halves[h].other;
                out->distance2[out->edges] = halves[h].distance2;
                out->weight[out->edges++] = 1;
            }
            h += 1 + same;
        }
    }
    out->first[n] = out->edges;
    pen_release(run, mark);
    return PEN_OK;
}

pen_status graph_neighbors(pen_run *run, const pen_rows *x, const char *name, int64_t k, pen_neighbor **found)
{
    const pen_subset all = { NULL, x->n };

    PEN_REQUIRE(run, k >= 1 && k <= x->n - 1, PEN_BAD_ARGUMENT, "%s must be in [1, %lld], the other rows, got %lld", name,
                (long long)x->n - 1, (long long)k);
    PEN_TRY(PEN_NEW(run, *found, x->n * k));
    return neighbors_nearest(run, x, all, all, k, *found);
}

void graph_weigh_heat(pen_graph *graph, double t)
{
    for (int64_t e = 0; e < graph->edges; e++)
        graph->weight[e] = exp(-graph->distance2[e] / t);
}

void graph_degrees(const pen_graph *graph, double *degree)
{
    memset(degree, 0, (size_t)graph->n * sizeof *degree);
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            degree[i] += graph->weight[e];
            degree[graph->other[e]] += graph->weight[e];
        }
}
