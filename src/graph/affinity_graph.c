/* affinity_graph.c - the union of nearest-neighbor lists, and its weights. */
#include "graph/affinity_graph.h"

#include "core/sort.h"
#include "graph/graph_set.h"
#include "linalg/blas.h"
#include "neighbors/equal_rows.h"
#include "neighbors/neighbors.h"
#include "pairs/chains.h"

#include <math.h>
#include <string.h>

const char *const pen_edge_weight_names[] = { "binary", "heat", "adaptive", NULL };

/* ---- places: sets of equal rows ---- */

/* relative to the squared distances in lists: an upper limit of what counts as rounding */
static const double MOST_ROUNDING = 1e-20;

/* The largest squared distance that rounding can make of 0. */
static double rounding2(const pen_view *x, int64_t k, const pen_neighbor *nearest)
{
    double most = 0;

    if (x->source || !(x->reduced || x->unit))
        return 0;
    for (int64_t e = 0; e < x->n * k; e++)
        most = fmax(most, nearest[e].distance2);
    return fmin(4 * pen_dot(x->d, x->rounding, x->rounding), MOST_ROUNDING * most);
}

/* first_of[i]: the first row at the place of row i. Returns 0 if all places differ. If more rows
 * are equal than a list holds, all their lists begin with the first. */
static int find_places(const pen_view *x, int64_t k, const pen_neighbor *nearest, int64_t *first_of)
{
    const double near2 = rounding2(x, k, nearest);
    int joined = 0;

    for (int64_t i = 0; i < x->n; i++)
        first_of[i] = i;
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t c = 0; c < k && nearest[i * k + c].distance2 <= near2; c++) {
            pen_chains_join(first_of, i, nearest[i * k + c].row);
            joined = 1;
        }
    for (int64_t i = 0; i < x->n; i++)
        first_of[i] = pen_chains_root(first_of, i);
    return joined;
}

/* Does the list omit its own place, and never name two rows of the same place? */
static int has_distinct(const pen_groups *places, int64_t row, int64_t k, const pen_neighbor *list)
{
    for (int64_t c = 0; c < k; c++) {
        const int64_t place = places->of[list[c].row];
        if (place == places->of[row])
            return 0;
        for (int64_t b = 0; b < c; b++)
            if (places->of[list[b].row] == place)
                return 0;
    }
    return 1;
}

/* Replaces the lists of the first rows by those of their nearest places. */
static pen_status seek_places(pen_run *run, const pen_view *x, const pen_groups *places, int64_t k,
                              pen_neighbor *nearest)
{
    int64_t *rows, count = 0;
    pen_neighbor *found;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rows, places->count));
    for (int64_t p = 0; p < places->count; p++)
        if (!has_distinct(places, places->first[p], k, nearest + places->first[p] * k))
            rows[count++] = places->first[p];
    PEN_TRY(PEN_NEW(run, found, pen_times(count, k)));
    PEN_TRY(pen_neighbors_nearest(run, x, (pen_subset){ rows, count },
                                  (pen_subset){ places->first, places->count }, k, found));
    for (int64_t i = 0; i < count; i++)
        memcpy(nearest + rows[i] * k, found + i * k, (size_t)k * sizeof *found);
    pen_release(run, mark);
    return PEN_OK;
}

/* With equal rows, row t of a place has as neighbors row t of each of the k nearest places, modulo
 * their numbers of rows, and row (t - 1) / 2 of its own place: joined [n x (k + 1)]. nearest:
 * without its own place. */
static pen_status join_places(pen_run *run, const pen_view *x, const int64_t *first_of, int64_t k,
                              pen_neighbor *nearest, pen_neighbor **joined)
{
    pen_groups places;

    PEN_TRY(pen_groups_open(run, x->n, first_of, &places));
    PEN_TRY(seek_places(run, x, &places, k, nearest));
    PEN_TRY(PEN_NEW(run, *joined, pen_times(x->n, k + 1)));
    for (int64_t e = x->n - 1; e >= 0; e--) { /* the first row of a place changes last */
        const int64_t i = places.rows[e], place = places.of[i], t = e - places.starts[place];
        const pen_neighbor *const list = nearest + places.first[place] * k;
        pen_neighbor *to = *joined + i * (k + 1);
        for (int64_t c = 0; c < k; c++) {
            if (list[c].row < 0) {
                nearest[i * k + c] = (pen_neighbor){ 0, i };
                continue;
            }
            const int64_t other = places.of[list[c].row], from = places.starts[other];
            *to = (pen_neighbor){ list[c].distance2,
                                  places.rows[from + t % (places.starts[other + 1] - from)] };
            nearest[i * k + c] = *to++;
        }
        if (t > 0)
            *to++ = (pen_neighbor){ 0, places.rows[places.starts[place] + (t - 1) / 2] };
        if (to < *joined + (i + 1) * (k + 1))
            *to = (pen_neighbor){ (double)INFINITY, -1 };
    }
    return PEN_OK;
}

static pen_status find_graph(pen_run *run, const pen_problem *problem, int64_t k,
                             pen_neighbor **nearest, pen_graph *out)
{
    const pen_view *const x = &problem->rows;
    pen_neighbor *joined;
    int64_t *first_of;

    PEN_TRY(pen_graph_neighbors(run, problem, "neighbors", k, nearest));
    PEN_TRY(PEN_NEW(run, first_of, x->n));
    if ((problem->neighbors && problem->neighbors->given) || !find_places(x, k, *nearest, first_of))
        return pen_graph_of_neighbors(run, x->n, k, *nearest, PEN_JOIN_UNION, out);
    PEN_TRY(join_places(run, x, first_of, k, *nearest, &joined));
    return pen_graph_of_neighbors(run, x->n, k + 1, joined, PEN_JOIN_UNION, out);
}

/* ---- weights ---- */

static pen_status weigh_adaptively(pen_run *run, int64_t k, const pen_neighbor *nearest,
                                   pen_graph *graph)
{
    double *far, *sum;

    PEN_TRY(PEN_NEW2(run, far, sum, graph->n));
    for (int64_t i = 0; i < graph->n; i++) {
        far[i] = sum[i] = 0;
        for (int64_t c = 0; c < k; c++)
            far[i] = fmax(far[i], nearest[i * k + c].distance2 * (1 + 1e-6)); /* above rounding */
        for (int64_t c = 0; c < k; c++)
            sum[i] += nearest[i * k + c].row == i ? 0 : far[i] - nearest[i * k + c].distance2;
    }
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            const int64_t ends[] = { i, graph->other[e] };
            graph->weight[e] = 0;
            for (int s = 0; s < 2; s++) {
                const double rest = far[ends[s]] - graph->distance2[e];
                graph->weight[e] += sum[ends[s]] > 0 ? fmax(rest, 0) / sum[ends[s]] / 2 : 0;
            }
        }
    return PEN_OK;
}

/* *heat: the t of the heat kernel, or 0. */
static pen_status find_affinities(pen_run *run, const pen_problem *problem,
                                  const pen_affinity_rules *rules, pen_neighbor **nearest,
                                  double *heat, pen_graph *out)
{
    const int64_t n = problem->rows.n, k = rules->neighbors;
    double *distance2, mean;

    *heat = 0;
    PEN_TRY(find_graph(run, problem, k, nearest, out));
    if (rules->weights == PEN_EDGES_BINARY)
        return PEN_OK;
    if (rules->weights == PEN_EDGES_ADAPTIVE)
        return weigh_adaptively(run, k, *nearest, out);
    PEN_TRY(PEN_NEW(run, distance2, pen_times(n, k)));
    for (int64_t i = 0; i < n * k; i++)
        distance2[i] = (*nearest)[i].distance2;
    PEN_TRY(pen_mean_of_most(run, n * k, distance2, &mean));
    *heat = rules->heat > 0 ? rules->heat : mean;
    PEN_REQUIRE(run, *heat > 0, PEN_BAD_DATA, "heat auto: all neighbors are equal rows");
    pen_graph_heat_weights(out, *heat);
    return PEN_OK;
}

static pen_status tell(pen_run *run, double heat, const pen_graph *graph)
{
    if (heat > 0)
        pen_note(run, "heat", heat);
    return pen_graphs_add(run, "affinities", graph);
}

pen_status pen_graph_affinities_of(pen_run *run, const pen_problem *problem,
                                   const pen_affinity_rules *rules, pen_neighbor **nearest,
                                   pen_graph *out)
{
    double heat;

    PEN_TRY(find_affinities(run, problem, rules, nearest, &heat, out));
    return tell(run, heat, out);
}

/* ---- in the cache ---- */

pen_status pen_graph_affinities_key(pen_run *run, const pen_problem *problem,
                                    const pen_affinity_rules *rules, int64_t kind,
                                    pen_cache_key **out)
{
    *out = NULL;
    if (problem->neighbors && problem->neighbors->given)
        return PEN_OK;
    PEN_TRY(pen_rows_key(run, &problem->rows, kind, 0, out));
    if (!*out)
        return PEN_OK;
    (*out)->graph.neighbors = rules->neighbors;
    (*out)->graph.weights = rules->weights;
    (*out)->graph.heat = rules->heat;
    return PEN_OK;
}

struct kept_graph {
    pen_graph graph;
    double heat;
};

struct making {
    const pen_problem *problem;
    const pen_affinity_rules *rules;
};

/* A pen_make_fn. */
static pen_status make_graph(pen_run *run, void *context, pen_made *out)
{
    const struct making *const m = context;
    pen_neighbor *nearest;
    struct kept_graph *made;

    PEN_TRY(PEN_NEW(run, made, 1));
    PEN_TRY(find_affinities(run, m->problem, m->rules, &nearest, &made->heat, &made->graph));
    const int64_t edges = 8 * made->graph.edges;
    *out = (pen_made){ made,
                       sizeof *made,
                       4,
                       { { offsetof(struct kept_graph, graph.first), 8 * (made->graph.n + 1) },
                         { offsetof(struct kept_graph, graph.other), edges },
                         { offsetof(struct kept_graph, graph.distance2), edges },
                         { offsetof(struct kept_graph, graph.weight), edges } } };
    return PEN_OK;
}

pen_status pen_graph_affinities(pen_run *run, const pen_problem *problem,
                                const pen_affinity_rules *rules, pen_graph *out)
{
    struct making making = { problem, rules };
    pen_cache_key *key;
    const void *value;

    PEN_TRY(pen_graph_affinities_key(run, problem, rules, PEN_CACHE_AFFINITIES, &key));
    PEN_TRY(pen_cache_get(run, key, make_graph, &making, &value));
    const struct kept_graph *const kept = value;
    *out = kept->graph;
    PEN_TRY(PEN_NEW(run, out->weight, out->edges)); /* callers change the weights */
    for (int64_t e = 0; e < out->edges; e++)
        out->weight[e] = kept->graph.weight[e];
    return tell(run, kept->heat, out);
}
