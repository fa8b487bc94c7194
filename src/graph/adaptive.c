/* adaptive.c - groups of rows, their nearest neighbors and weights. */
#include "graph/adaptive.h"

#include "core/rng.h"
#include "graph/graph_set.h"
#include "neighbors/neighbors.h"

#include <math.h>
#include <string.h>

/* Squared distances below this fraction of the mean squared length count as distances of duplicate
 * rows. */
static const double FLOOR = 1e-12;

/* ---- groups ---- */

static pen_status add_group(pen_run *run, pen_subset rows, int64_t k, double share,
                            pen_adaptive *graphs)
{
    pen_adaptive_group *const g = &graphs->groups[graphs->count++];

    *g = (pen_adaptive_group){ .rows = rows, .k = k, .share = share };
    graphs->entries += rows.count * k;
    PEN_TRY(PEN_NEW(run, g->found, pen_times(rows.count, k)));
    for (int64_t e = 0; e < rows.count * k; e++)
        g->found[e].row = -1;
    return PEN_NEW(run, g->weight, pen_times(rows.count, k));
}

static pen_status add_class(pen_run *run, const pen_view *x, const pen_adaptive_rules *rules,
                            int64_t c, pen_adaptive *graphs)
{
    const int64_t count = pen_class_size(x, c), k = pen_min(rules->within, count - 1);

    graphs->cut += k < rules->within;
    graphs->least = pen_min(graphs->least, k);
    return k > 0 ? add_group(run, (pen_subset){ x->members + x->starts[c], count }, k, 1, graphs)
                 : PEN_OK;
}

pen_status pen_adaptive_open(pen_run *run, const pen_view *x, const pen_adaptive_rules *rules,
                             pen_adaptive *out)
{
    *out = (pen_adaptive){ .n = x->n, .least = x->classes > 0 ? rules->within : 0 };
    PEN_REQUIRE(run, rules->alpha == 0 || (rules->neighbors >= 1 && rules->neighbors <= x->n - 1),
                PEN_BAD_ARGUMENT,
                "neighbors must be in [1, %lld], the number of other rows, got %lld",
                (long long)x->n - 1, (long long)rules->neighbors);
    PEN_TRY(PEN_NEW(run, out->groups, x->classes + 1));
    for (int64_t c = 0; c < x->classes; c++)
        PEN_TRY(add_class(run, x, rules, c, out));
    PEN_REQUIRE(
        run, out->count > 0 || rules->alpha > 0, PEN_BAD_DATA,
        "alpha must be above 0 if every class has one labelled row: there are no neighbors");
    return rules->alpha > 0
               ? add_group(run, (pen_subset){ NULL, x->n }, rules->neighbors, rules->alpha, out)
               : PEN_OK;
}

/* ---- lists ---- */

pen_status pen_adaptive_nearest(pen_run *run, const pen_problem *problem, pen_adaptive *graphs)
{
    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        PEN_TRY(g->rows.rows
                    ? pen_neighbors_nearest(run, &problem->rows, g->rows, g->rows, g->k, g->found)
                    : pen_source_nearest(run, problem, "neighbors", g->k, g->found));
        for (int64_t e = 0; e < g->rows.count * g->k; e++)
            g->weight[e] = 1 / (double)g->k;
    }
    return PEN_OK;
}

/* Draws k distinct numbers out of 0 .. count - 1 other than `self`, k <= count - 1, by Floyd's
 * algorithm. taken [count]: the last `self` that drew each number. */
static void draw_others(pen_rng *rng, int64_t count, int64_t self, int64_t k, int64_t *taken,
                        pen_neighbor *others)
{
    for (int64_t top = count - 1 - k, at = 0; at < k; top++, at++) {
        int64_t other = pen_rng_below(rng, top + 1);
        if (taken[other] == self)
            other = top;
        taken[other] = self;
        others[at] = (pen_neighbor){ 0, other + (other >= self) };
    }
}

static void draw_weights(pen_rng *rng, int64_t k, double *weight)
{
    double sum = 0;

    for (int64_t t = 0; t < k; t++) {
        weight[t] = 1 - pen_rng_uniform(rng);
        sum += weight[t];
    }
    for (int64_t t = 0; t < k; t++)
        weight[t] /= sum;
}

pen_status pen_adaptive_random(pen_run *run, uint64_t seed, pen_adaptive *graphs)
{
    pen_rng rng = { pen_rng_derive(seed, 0) };
    int64_t *taken;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, taken, graphs->n));
    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        for (int64_t j = 0; j < g->rows.count; j++)
            taken[j] = -1;
        for (int64_t j = 0; j < g->rows.count; j++) {
            pen_neighbor *const others = g->found + j * g->k;
            draw_others(&rng, g->rows.count, j, g->k, taken, others);
            for (int64_t t = 0; g->rows.rows && t < g->k; t++)
                others[t].row = g->rows.rows[others[t].row];
            draw_weights(&rng, g->k, g->weight + j * g->k);
        }
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- neighbors in an embedding ---- */

/* The position of a row among the ascending rows of a group. */
static int64_t place_of(const pen_subset *rows, int64_t row)
{
    int64_t low = 0, high = rows->count - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (rows->rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Copies the rows of a class to a separate table: the search over all rows is the fastest, and it
 * uses the previous lists. */
static pen_status search_class(pen_run *run, const pen_view *z, const pen_adaptive_group *g)
{
    const int64_t count = g->rows.count, entries = pen_times(count, g->k);
    pen_view part = *z, together;
    double *block;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, block, pen_times(count, z->d)));
    pen_rows_centered(z, g->rows.rows, 0, count, block);
    part.n = count;
    part.source = NULL;
    PEN_TRY(pen_rows_replace(run, &part, block, z->d, NULL, &together));
    for (int64_t e = 0; e < entries; e++)
        g->found[e].row = place_of(&g->rows, g->found[e].row);
    PEN_TRY(pen_neighbors_refresh(run, &together, count, g->k, g->found, g->found));
    for (int64_t e = 0; e < entries; e++)
        g->found[e].row = g->rows.rows[g->found[e].row];
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- optimal weights ---- */

/* The weights of a row with neighbors at distances found [k], nearest first; returns the value of
 * its objective. Ratios to the nearest distance neither overflow nor underflow. */
static double optimal_weights(int64_t k, const pen_neighbor *found, double floor_value,
                              double *weight)
{
    const double nearest = fmax(found[0].distance2, floor_value);
    double sum = 0;

    for (int64_t t = 0; t < k; t++) {
        const double distance2 = fmax(found[t].distance2, floor_value);
        weight[t] = distance2 > 0 ? nearest / distance2 : 1;
        sum += weight[t];
    }
    for (int64_t t = 0; t < k; t++)
        weight[t] /= sum;
    return nearest / sum;
}

pen_status pen_adaptive_update(pen_run *run, const pen_view *z, pen_adaptive *graphs,
                               double *objective)
{
    double tau; /* the mean squared distance of the rows from their mean */

    PEN_TRY(pen_rows_square_sum(run, z, &tau));
    tau /= (double)z->n;
    *objective = 0;
    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        double sum = 0;
        if (g->rows.rows)
            PEN_TRY(search_class(run, z, g));
        else
            PEN_TRY(pen_neighbors_refresh(run, z, g->rows.count, g->k, g->found, g->found));
        for (int64_t j = 0; j < g->rows.count; j++)
            sum += optimal_weights(g->k, g->found + j * g->k, FLOOR * tau, g->weight + j * g->k);
        *objective += g->share * sum;
    }
    return PEN_OK;
}

/* ---- the lists of a fit that keeps its graphs ---- */

/* The lists of all classes as one graph of n rows, `width` entries at most. */
static pen_status collect_classes(pen_run *run, const pen_adaptive *graphs, int64_t width)
{
    pen_neighbor *found;
    double *weight;

    PEN_TRY(PEN_NEW2(run, found, weight, pen_times(graphs->n, width)));
    for (int64_t e = 0; e < graphs->n * width; e++)
        found[e].row = -1;
    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        for (int64_t j = 0; g->rows.rows && j < g->rows.count; j++) {
            const int64_t to = g->rows.rows[j] * width;
            memcpy(found + to, g->found + j * g->k, (size_t)g->k * sizeof *found);
            memcpy(weight + to, g->weight + j * g->k, (size_t)g->k * sizeof *weight);
        }
    }
    return pen_graphs_add_lists(run, "within", graphs->n, width, found, weight);
}

pen_status pen_adaptive_collect(pen_run *run, const pen_adaptive *graphs)
{
    int64_t width = 0;

    if (!pen_run_collected(run))
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        if (g->rows.rows)
            width = pen_max(width, g->k);
        else
            PEN_TRY(pen_graphs_add_lists(run, "neighbors", graphs->n, g->k, g->found, g->weight));
    }
    if (width > 0)
        PEN_TRY(collect_classes(run, graphs, width));
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- the union of all lists ---- */

struct entry {
    int64_t other;
    double weight;
};

/* The offsets of the entries by the larger and by the smaller of their two rows: [n + 1] each. */
static void count_entries(const pen_adaptive *graphs, int64_t *by_larger, int64_t *by_smaller)
{
    memset(by_larger, 0, (size_t)(graphs->n + 1) * sizeof *by_larger);
    memset(by_smaller, 0, (size_t)(graphs->n + 1) * sizeof *by_smaller);
    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        for (int64_t e = 0; e < g->rows.count * g->k; e++) {
            const int64_t row = g->rows.rows ? g->rows.rows[e / g->k] : e / g->k;
            by_larger[pen_max(row, g->found[e].row) + 1]++;
            by_smaller[pen_min(row, g->found[e].row) + 1]++;
        }
    }
    for (int64_t j = 0; j < graphs->n; j++) {
        by_larger[j + 1] += by_larger[j];
        by_smaller[j + 1] += by_smaller[j];
    }
}

/* Sorts the entries by the larger row; afterwards at[j] is the offset of row j + 1. */
static void place_by_larger(const pen_adaptive *graphs, int64_t *at, struct entry *entries)
{
    for (int64_t i = 0; i < graphs->count; i++) {
        const pen_adaptive_group *const g = &graphs->groups[i];
        for (int64_t e = 0; e < g->rows.count * g->k; e++) {
            const int64_t row = g->rows.rows ? g->rows.rows[e / g->k] : e / g->k,
                          other = g->found[e].row;
            entries[at[pen_max(row, other)]++] =
                (struct entry){ pen_min(row, other), g->share / 2 * g->weight[e] * g->weight[e] };
        }
    }
}

/* Sorts them by the smaller row, into the graph. The entries of each row ascend, because the larger
 * rows arrive in order. `at` as above. */
static void place_by_smaller(int64_t n, const int64_t *ends, const struct entry *entries,
                             int64_t *at, pen_graph *graph)
{
    for (int64_t j = 0, e = 0; j < n; j++)
        for (; e < ends[j]; e++) {
            const int64_t place = at[entries[e].other]++;
            graph->other[place] = j;
            graph->weight[place] = entries[e].weight;
        }
}

/* Merges entries of the same two rows into one edge. */
static void merge(const int64_t *ends, pen_graph *graph)
{
    for (int64_t i = 0, e = 0; i < graph->n; i++) {
        graph->first[i] = graph->edges;
        for (; e < ends[i]; e++) {
            if (graph->edges == graph->first[i]
                || graph->other[graph->edges - 1] != graph->other[e]) {
                graph->other[graph->edges] = graph->other[e];
                graph->weight[graph->edges++] = graph->weight[e];
            } else {
                graph->weight[graph->edges - 1] += graph->weight[e];
            }
        }
    }
    graph->first[graph->n] = graph->edges;
}

pen_status pen_adaptive_graph(pen_run *run, const pen_adaptive *graphs, pen_graph *out)
{
    int64_t *by_larger, *by_smaller;
    struct entry *entries;

    *out = (pen_graph){ .n = graphs->n };
    PEN_TRY(PEN_NEW(run, out->first, graphs->n + 1));
    PEN_TRY(PEN_NEW2(run, out->other, out->weight, graphs->entries));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, by_larger, by_smaller, graphs->n + 1));
    PEN_TRY(PEN_NEW(run, entries, graphs->entries));
    count_entries(graphs, by_larger, by_smaller);
    place_by_larger(graphs, by_larger, entries);
    place_by_smaller(graphs->n, by_larger, entries, by_smaller, out);
    merge(by_smaller, out);
    pen_release(run, mark);
    return PEN_OK;
}
