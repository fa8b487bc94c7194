/* locality_scatter.c - the two matrices of locality preserving projections.
 *
 * S_l is the scatter of similar rows, over all rows, divided by n; the degrees of its affinities
 * are the weights of S_n. A mutual graph has roughly as many edges as there are list entries: it is
 * built from nearest-neighbor lists a few entries longer than `neighbors`, so that rows tied with
 * the last neighbor are included. If that is not enough, as with many duplicates, or if lists would
 * be long, it is selected from the tiles of the dense graph. */
#include "graph/graph_set.h"
#include "scatter/affinity.h"
#include "scatter/scatter.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *const pen_affinity_graph_names[] = { "dense", "mutual", NULL };
const char *const pen_origin_names[] = { "zero", "mean", NULL };

enum {
    MAX_LISTED = 256, /* maximum length of a list */
    BATCH = 1 << 20,  /* list entries held at a time if only the last one is used */
};

static pen_subset all_of(const pen_view *x)
{
    return (pen_subset){ NULL, x->n };
}

/* ---- a mutual graph from lists ---- */

/* Connects rows whose distance is at most the sigma of both, weighted by their affinities. */
static pen_status make_graph(pen_run *run, int64_t n, int64_t width, const pen_neighbor *found,
                             const double *sigma, pen_graph *graph)
{
    PEN_TRY(pen_graph_of_neighbors(run, n, width, found, PEN_JOIN_MUTUAL, graph));
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            const double scale = sigma[i] * sigma[graph->other[e]], distance2 = graph->distance2[e];
            graph->weight[e] = scale > 0 ? exp(-distance2 / scale) : distance2 == 0;
        }
    return PEN_OK;
}

/* Computes S_l and the degrees if the lists are long enough: *done. */
static pen_status from_lists(pen_run *run, double weight, const pen_problem *problem, int64_t k,
                             double *degree, pen_sym *S_l, int *done)
{
    const pen_view *const x = &problem->rows;
    const int64_t n = x->n;
    pen_neighbor *found;
    pen_graph graph;
    double *sigma;
    int64_t width;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, sigma, n));
    PEN_TRY(pen_source_tied(run, problem, "neighbors", k, MAX_LISTED, &width, &found));
    *done = found != NULL;
    if (*done) {
        for (int64_t i = 0; i < n; i++)
            sigma[i] = sqrt(found[i * width + k - 1].distance2);
        PEN_TRY(make_graph(run, n, width, found, sigma, &graph));
        PEN_TRY(pen_graphs_add(run, "affinities", &graph));
        PEN_TRY(pen_scatter_graph(run, weight / (double)n, x, &graph, NULL, S_l));
        pen_graph_degrees(&graph, degree);
        for (int64_t i = 0; i < n; i++)
            degree[i] += 1; /* A_ii */
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- tiles ---- */

/* The distances of the rows to their k-th nearest neighbor, and their squares. */
static pen_status find_reach(pen_run *run, const pen_view *x, int64_t k, double *reach2,
                             double *sigma)
{
    const int64_t batch = pen_max(1, pen_min(x->n, BATCH / k));
    pen_neighbor *found;
    int64_t *rows;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, found, pen_times(batch, k)));
    PEN_TRY(PEN_NEW(run, rows, batch));
    for (int64_t first = 0; first < x->n; first += batch) {
        const pen_subset some = { rows, pen_min(batch, x->n - first) };
        for (int64_t i = 0; i < some.count; i++)
            rows[i] = first + i;
        PEN_TRY(pen_neighbors_nearest(run, x, some, all_of(x), k, found));
        for (int64_t i = 0; i < some.count; i++) {
            reach2[first + i] = found[i * k + k - 1].distance2;
            sigma[first + i] = sqrt(reach2[first + i]);
        }
    }
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status from_tiles(pen_run *run, double weight, const pen_problem *problem,
                             const pen_locality *locality, double *degree, pen_sym *S_l)
{
    const pen_view *const x = &problem->rows;
    const int mutual = locality->graph == PEN_AFFINITY_MUTUAL && x->n > 1;
    pen_affinity affinity;
    pen_view one_class = *x;
    int32_t *labels;
    double *reach2;

    PEN_TRY(PEN_FILLED(run, labels, x->n, 0));
    PEN_TRY(pen_rows_label(run, labels, x->n, &one_class));
    PEN_TRY(pen_affinity_open(run, &one_class, &affinity));
    if (mutual) {
        PEN_TRY(PEN_NEW(run, reach2, x->n));
        PEN_TRY(find_reach(run, x, pen_min(locality->affinity.neighbors, x->n - 1), reach2,
                           affinity.sigma));
        affinity.reach2 = reach2;
    } else {
        PEN_TRY(pen_source_scaling(run, problem, all_of(x), locality->affinity.neighbors,
                                   affinity.sigma));
    }
    PEN_TRY(pen_affinity_scatter(run, 0, weight, &affinity, NULL, NULL, S_l));
    memcpy(degree, affinity.degree, (size_t)x->n * sizeof *degree);
    return PEN_OK;
}

/* ---- S_n ---- */

struct weighted {
    pen_view x;
    const double *root; /* [n] */
};

static void fill(const void *context, int64_t first, int64_t count, void *block)
{
    const struct weighted *w = context;
    const int64_t d = w->x.d;

    pen_rows_block(&w->x, NULL, first, count, block);
    for (int64_t i = 0; i < count; i++) {
        double *restrict row = (double *)block + i * d;
        for (int64_t j = 0; j < d; j++)
            row[j] *= w->root[first + i];
    }
}

/* S_n += weight 1/n sum_i degree_i x_i x_i'. With origin zero the rows are used as given: the
 * digits they lose far from the origin are also lost in S_n. */
static pen_status add_products(pen_run *run, double weight, const pen_view *x, const double *degree,
                               enum pen_origin origin, pen_sym *S_n)
{
    struct weighted w = { .x = pen_rows_precise(x) };
    double *root, *zero, sum = 0;

    PEN_TRY(PEN_NEW(run, root, x->n));
    PEN_TRY(PEN_NEW(run, zero, x->d));
    for (int64_t j = 0; j < x->d; j++)
        zero[j] = x->given_mean ? -x->given_mean[j] : 0;
    for (int64_t i = 0; i < x->n; i++) {
        sum += degree[i] / (double)x->n;
        root[i] = sqrt(degree[i] / (double)x->n);
    }
    w.x.work = PEN_F64;
    w.x.origin = origin == PEN_ORIGIN_ZERO ? zero : x->mean;
    w.root = root;
    PEN_TRY(pen_sym_add_gram(run, "scatter of all rows", weight, PEN_F64, x->n, fill, &w, S_n));
    pen_sym_note(S_n, origin == PEN_ORIGIN_ZERO ? x->n : x->n - 1, DBL_EPSILON);
    pen_sym_add_floor(weight * sum, x->rounding, S_n);
    return PEN_OK;
}

pen_status pen_scatter_locality(pen_run *run, double weight, const pen_problem *problem,
                                const pen_locality *locality, pen_sym *S_n, pen_sym *S_l)
{
    const pen_view *const x = &problem->rows;
    double *degree;
    int done = 0;

    if (weight == 0)
        return PEN_OK;
    PEN_TRY(pen_problem_need_all(run, problem));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, degree, x->n));
    if (locality->graph == PEN_AFFINITY_MUTUAL && x->n > 1)
        PEN_TRY(from_lists(run, weight, problem, pen_min(locality->affinity.neighbors, x->n - 1),
                           degree, S_l, &done));
    if (!done)
        PEN_TRY(from_tiles(run, weight, problem, locality, degree, S_l));
    PEN_TRY(add_products(run, weight, x, degree, locality->origin, S_n));
    pen_release(run, mark);
    return PEN_OK;
}
