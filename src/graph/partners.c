/* partners.c - counts partners, then places them. */
#include "graph/partners.h"

static pen_status partners_new(pen_run *run, int64_t n, int64_t pairs, pen_partners *out)
{
    PEN_TRY(PEN_FILLED(run, out->at, n + 2, 0));
    PEN_TRY(PEN_NEW(run, out->to, pen_times(2, pairs)));
    out->distance2 = out->weight = NULL;
    return PEN_OK;
}

/* Called for every pair: partners_count in a first pass, then, after partners_begin, partners_place
 * in a second one. at[i + 1] is the place of the next partner of i. */
static void partners_count(void *context, int64_t i, int64_t j, double weight)
{
    (void)weight;
    pen_partners *const p = context;

    p->at[i + 2]++;
    p->at[j + 2]++;
}

static void partners_begin(pen_partners *p, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        p->at[i + 2] += p->at[i + 1];
}

static void partners_place(void *context, int64_t i, int64_t j, double weight)
{
    pen_partners *const p = context;

    if (p->weight)
        p->weight[p->at[i + 1]] = p->weight[p->at[j + 1]] = weight;
    p->to[p->at[i + 1]++] = j;
    p->to[p->at[j + 1]++] = i;
}

pen_status pen_partners_of_pairs(pen_run *run, const pen_problem *problem, int must,
                                 pen_partners *out)
{
    const pen_view *const x = &problem->rows;
    const int64_t count = must ? problem->pairs->must_count : problem->pairs->cannot_count;
    int64_t *others;

    PEN_TRY(partners_new(run, x->n, count, out));
    if (problem->pairs->weighted)
        PEN_TRY(PEN_NEW(run, out->weight, pen_times(2, count)));
    PEN_TRY(PEN_NEW(run, others, problem->pairs->must.n));
    pen_pairs_each(x, problem->pairs, must, others, partners_count, out);
    partners_begin(out, x->n);
    pen_pairs_each(x, problem->pairs, must, others, partners_place, out);
    return PEN_OK;
}

pen_status pen_partners_of_graph(pen_run *run, const pen_graph *graph, pen_partners *out)
{
    PEN_TRY(partners_new(run, graph->n, graph->edges, out));
    PEN_TRY(PEN_NEW(run, out->distance2, pen_times(2, graph->edges)));
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++)
            partners_count(out, i, graph->other[e], 1);
    partners_begin(out, graph->n);
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            out->distance2[out->at[i + 1]] = out->distance2[out->at[graph->other[e] + 1]] =
                graph->distance2[e];
            partners_place(out, i, graph->other[e], 1);
        }
    return PEN_OK;
}
