/* constraint_propagation.c - the sources of an edge, in ascending priority: neighbors, pairs near a
 * must-link or a cannot-link, given pairs. */
#include "graph/constraint_propagation.h"

#include "core/sort.h"
#include "graph/edges.h"
#include "graph/graph_set.h"
#include "graph/partners.h"

#include <math.h>

enum claim { NEAR_MUST, NEAR_CANNOT, MUST, CANNOT, CLAIMS };

struct spread {
    const pen_graph *neighbors;
    pen_partners must, cannot;
    int64_t k;
    const pen_neighbor *found;
    int spread;         /* also spread to the neighborhoods */
    int64_t *at, *near; /* row i is among the nearest of near[at[i]] .. near[at[i + 1] - 1] */
    int64_t *mark;      /* [n] the number of the visit that reached a row */
    int64_t visit;
    double *best;   /* [n] the weight of that visit */
    double *claims; /* [n x CLAIMS] on the pairs of the current row with later rows */
};

/* ---- rows to whose neighborhoods a row belongs ---- */

static pen_status invert(pen_run *run, struct spread *s, int64_t n)
{
    const int64_t count = pen_times(n, s->k);

    PEN_TRY(PEN_FILLED(run, s->at, n + 2, 0));
    PEN_TRY(PEN_NEW(run, s->near, count));
    PEN_TRY(PEN_FILLED(run, s->mark, n, 0));
    PEN_TRY(PEN_NEW(run, s->best, n));
    PEN_TRY(PEN_NEW(run, s->claims, pen_times(CLAIMS, n)));
    for (int64_t f = 0; f < count; f++)
        s->at[s->found[f].row + 2]++;
    for (int64_t i = 2; i <= n + 1; i++)
        s->at[i] += s->at[i - 1];
    for (int64_t f = 0; f < count; f++)
        s->near[s->at[s->found[f].row + 1]++] = f / s->k;
    return PEN_OK;
}

/* ---- edges ---- */

/* Adds the weight of a pair, or one near it, to {row->i, j}; the largest of each kind counts. */
static void add(struct spread *s, int64_t j, enum claim claim, double weight, pen_edge_row *row)
{
    double *const claims = s->claims + CLAIMS * j;

    if (j > row->i && row->bits[j] == 0)
        for (int c = 0; c < CLAIMS; c++)
            claims[c] = 0;
    pen_edge_add(row, j, 0, 1);
    if (j > row->i && weight > claims[claim])
        claims[claim] = weight;
}

/* The partners of p and their nearest; each partner once a visit, if its weight is no larger. */
static void add_neighborhoods(struct spread *s, const pen_partners *pairs, int64_t p,
                              enum claim claim, pen_edge_row *row)
{
    for (int64_t e = pairs->at[p]; e < pairs->at[p + 1]; e++) {
        const int64_t q = pairs->to[e];
        const double weight = pen_partners_weight(pairs, e);
        if (s->mark[q] == s->visit && weight <= s->best[q])
            continue;
        s->mark[q] = s->visit;
        s->best[q] = weight;
        add(s, q, claim, weight, row);
        for (int64_t v = 0; v < s->k; v++)
            add(s, s->found[q * s->k + v].row, claim, weight, row);
    }
}

static void add_pairs(struct spread *s, const pen_partners *pairs, enum claim given,
                      enum claim near, pen_edge_row *row)
{
    const int64_t i = row->i;

    for (int64_t e = pairs->at[i]; e < pairs->at[i + 1]; e++)
        add(s, pairs->to[e], given, pen_partners_weight(pairs, e), row);
    if (!s->spread)
        return;
    s->visit++;
    add_neighborhoods(s, pairs, i, near, row);
    for (int64_t f = s->at[i]; f < s->at[i + 1]; f++)
        add_neighborhoods(s, pairs, s->near[f], near, row);
}

static void fill(void *context, pen_edge_row *row)
{
    struct spread *const s = context;
    const pen_graph *const g = s->neighbors;

    for (int64_t e = g->first[row->i]; e < g->first[row->i + 1]; e++) {
        add(s, g->other[e], NEAR_MUST, 0, row);
        pen_edge_add(row, g->other[e], g->weight[e], 1);
    }
    add_pairs(s, &s->must, MUST, NEAR_MUST, row);
    add_pairs(s, &s->cannot, CANNOT, NEAR_CANNOT, row);
}

/* A claim of weight 1 or more replaces `before`; a weaker one replaces a part of it. */
static double overwrite(double before, double claim)
{
    return fmax(0, 1 - fabs(claim)) * before + claim;
}

/* *weight is initially that of neighbors, 0 for non-neighbors. */
static int combine(void *context, int64_t j, int bits, double *weight)
{
    const struct spread *const s = context;
    const double *const claims = s->claims + CLAIMS * j;

    (void)bits;
    *weight = overwrite(*weight, claims[NEAR_MUST] - claims[NEAR_CANNOT]);
    *weight = overwrite(*weight, claims[MUST] - claims[CANNOT]);
    return *weight != 0;
}

static pen_status check_count(pen_run *run, int64_t pairs, int64_t most)
{
    PEN_REQUIRE(run, pairs <= most, PEN_BAD_DATA,
                "at least %lld pairs would have a weight, more than max_pairs, %lld; set "
                "max_pairs, propagate_pairs false, or take fewer pairs",
                (long long)pairs, (long long)most);
    return PEN_OK;
}

/* neighbors: the weighted union of the lists of k nearest, found [n x k]. */
static pen_status propagate(pen_run *run, const pen_problem *problem, const pen_graph *neighbors,
                            int64_t k, const pen_neighbor *found, int spread, int64_t most,
                            pen_graph *out)
{
    const pen_view *const x = &problem->rows;
    struct spread s = { .neighbors = neighbors, .k = k, .found = found, .spread = spread };
    const pen_edge_rule edges = { fill, combine, &s };
    int64_t pairs = problem->pairs->must_count + problem->pairs->cannot_count;

    PEN_TRY(check_count(run, pairs, most));
    PEN_TRY(pen_partners_of_pairs(run, problem, 1, &s.must));
    PEN_TRY(pen_partners_of_pairs(run, problem, 0, &s.cannot));
    PEN_TRY(invert(run, &s, x->n));
    PEN_TRY(pen_edges_count(run, x->n, &edges, most, &pairs));
    PEN_TRY(check_count(run, pairs, most));
    return pen_edges_build(run, x->n, &edges, pairs, out);
}

pen_status pen_graph_constraints(pen_run *run, const pen_problem *problem, int64_t k, double given,
                                 int spread, int64_t most, pen_graph *out)
{
    pen_neighbor *nearest;
    pen_graph neighbors;
    double heat;

    PEN_TRY(pen_graph_neighbors(run, problem, "neighbors", k, &nearest));
    PEN_TRY(pen_graph_of_neighbors(run, problem->rows.n, k, nearest, PEN_JOIN_UNION, &neighbors));
    PEN_TRY(pen_mean_of_most(run, neighbors.edges, neighbors.distance2, &heat));
    heat = given > 0 ? given : heat;
    PEN_REQUIRE(run, heat > 0, PEN_BAD_DATA, "heat auto: all neighbors are equal rows");
    pen_graph_heat_weights(&neighbors, heat);
    PEN_TRY(propagate(run, problem, &neighbors, k, nearest, spread, most, out));
    PEN_REQUIRE(run, out->edges > 0, PEN_BAD_DATA,
                "heat %g is so small that no row has a neighbor with a weight above 0, and there "
                "are no pairs",
                heat);
    pen_note(run, "heat", heat);
    return pen_graphs_add(run, "constraints", out);
}
