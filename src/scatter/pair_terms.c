/* pair_terms.c - products with the Laplacians of pairs: sparse matrices for lists, sums over
 * classes for all pairs of labelled rows. */
#include "scatter/pair_terms.h"

#include "graph/graph.h"
#include "linalg/implicit.h"

#include <string.h>

/* ---- lists ---- */

struct listed {
    int64_t n;           /* rows */
    const int64_t *rows; /* [L.n] the row at each position */
    pen_csr_sym L;
};

/* y = L v at the rows of pairs, 0 elsewhere. */
static pen_status apply_listed(pen_run *run, const void *context, int64_t k, const double *v,
                               double *y)
{
    const struct listed *s = context;
    const size_t size = (size_t)k * sizeof *v;
    double *at, *product;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, at, product, pen_times(s->L.n, k)));
    for (int64_t i = 0; i < s->L.n; i++)
        memcpy(at + i * k, v + s->rows[i] * k, size);
    PEN_TRY(pen_csr_apply(run, &s->L, k, at, product));
    memset(y, 0, (size_t)s->n * size);
    for (int64_t i = 0; i < s->L.n; i++)
        memcpy(y + s->rows[i] * k, product + i * k, size);
    pen_release(run, mark);
    return PEN_OK;
}

/* The same edges, by position. */
static pen_status graph_of_links(pen_run *run, const pen_links *links, pen_graph *graph)
{
    *graph = (pen_graph){ .n = links->n, .edges = links->count };
    PEN_TRY(PEN_NEW(run, graph->first, links->n + 1));
    PEN_TRY(PEN_NEW2(run, graph->other, graph->weight, links->count));
    memcpy(graph->first, links->first, (size_t)(links->n + 1) * sizeof *graph->first);
    for (int64_t i = 0; i < links->n; i++)
        pen_links_slice(links, i, 0, links->first[i + 1] - links->first[i],
                        graph->other + links->first[i]);
    for (int64_t e = 0; e < links->count; e++)
        graph->weight[e] = pen_links_weight(links, e);
    return PEN_OK;
}

pen_status pen_term_of_links(pen_run *run, double weight, const pen_problem *problem,
                             const pen_links *links, pen_sym *S)
{
    const pen_view *const x = &problem->rows;
    struct listed *s;
    pen_graph graph;

    if (weight == 0 || links->count == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, s, 1));
    *s = (struct listed){ .n = x->n, .rows = problem->pairs->rows };
    PEN_TRY(graph_of_links(run, links, &graph));
    PEN_TRY(pen_graph_csr(run, &graph, 1, &s->L));
    return pen_implicit_add(run, x, weight, apply_listed, s, S);
}

/* ---- labels ---- */

struct labels {
    int64_t n;
    int must; /* otherwise cannot */
    int64_t classes, labelled;
    const int64_t *members, *starts;
};

/* L v = n_c v_i - the sum over class c for must-links, (n' - n_c) v_i - the sum over the other
 * classes for cannot-links. */
static pen_status apply_labels(pen_run *run, const void *context, int64_t k, const double *v,
                               double *y)
{
    const struct labels *s = context;
    double *sums, *all;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, sums, pen_times(s->classes, k), 0));
    PEN_TRY(PEN_FILLED(run, all, k, 0));
    memset(y, 0, (size_t)(s->n * k) * sizeof *y);
    for (int64_t c = 0; c < s->classes; c++) {
        for (int64_t i = s->starts[c]; i < s->starts[c + 1]; i++)
            for (int64_t j = 0; j < k; j++)
                sums[c * k + j] += v[s->members[i] * k + j];
        for (int64_t j = 0; j < k; j++)
            all[j] += sums[c * k + j];
    }
    for (int64_t c = 0; c < s->classes; c++) {
        const int64_t size = s->starts[c + 1] - s->starts[c];
        const double degree = (double)(s->must ? size : s->labelled - size);
        for (int64_t i = s->starts[c]; i < s->starts[c + 1]; i++)
            for (int64_t j = 0; j < k; j++) {
                const double own = sums[c * k + j], sum = s->must ? own : all[j] - own;
                y[s->members[i] * k + j] = degree * v[s->members[i] * k + j] - sum;
            }
    }
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status add_labels(pen_run *run, double weight, int must, const pen_view *x, pen_sym *S)
{
    struct labels *s;

    if (weight == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, s, 1));
    *s = (struct labels){ x->n, must, x->classes, x->labelled, x->members, x->starts };
    return pen_implicit_add(run, x, weight, apply_labels, s, S);
}

pen_status pen_term_of_labels(pen_run *run, double cannot, double must, const pen_view *x,
                              pen_sym *B, pen_sym *W)
{
    PEN_TRY(add_labels(run, cannot, 0, x, B));
    return add_labels(run, must, 1, x, W);
}
