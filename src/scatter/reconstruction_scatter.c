/* reconstruction_scatter.c - scatters of the residuals of reconstructed rows, and of
 * non-neighbors. */
#include "core/parallel.h"
#include "core/row_order.h"
#include "graph/graph_set.h"
#include "linalg/implicit.h"
#include "scatter/scatter.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 2048, ROWS = 32 };

static int is_relative(double space)
{
    return space == PEN_SPACE_RELATIVE;
}

static const char *const spaces[] = { "plain", "relative", NULL };
static const pen_param parts[] = {
    PEN_CHOICE(pen_reconstruction_rules, space, spaces, PEN_SPACE_RELATIVE, ""),
    PEN_INT(pen_reconstruction_rules, landmarks, 0, 1, PEN_NO_LIMIT, ""),
    PEN_PARAMS_END,
};
const pen_text_form pen_space_form = { .parts = parts, .takes = is_relative };

struct residuals {
    const pen_view *x;
    const pen_reconstruction *A;
    int64_t first, count; /* the current block of rows */
    double *E;            /* [BLOCK x d] */
    pen_slices buffers;   /* [d] */
};

/* E_i = sum_c w_c (x_i - x_c): the weights sum to 1, and equal rows have an exactly zero
 * residual. */
static void compute_residuals(void *context, int64_t task, int worker)
{
    const struct residuals *s = context;
    const int64_t d = s->x->d, k = s->A->k;
    double *restrict difference = pen_slice(&s->buffers, worker);

    for (int64_t i = task * ROWS; i < pen_min((task + 1) * ROWS, s->count); i++) {
        const int64_t row = s->first + i;
        double *restrict e = s->E + i * d;
        memset(e, 0, (size_t)d * sizeof *e);
        for (int64_t c = 0; c < k && s->A->nearest[row * k + c].row >= 0; c++) {
            const double weight = s->A->weight[row * k + c];
            pen_rows_difference(s->x, row, s->A->nearest[row * k + c].row, difference);
            for (int64_t j = 0; j < d; j++)
                e[j] += weight * difference[j];
        }
    }
}

/* The sum over rows of the squared amplification of rounding errors by the weights. */
static double amplification(const pen_reconstruction *A)
{
    double all = 0;

    for (int64_t i = 0; i < A->n; i++) {
        double sum = 0;
        for (int64_t c = 0; c < A->k; c++)
            sum += fabs(A->weight[i * A->k + c]);
        all += 4 * sum * sum;
    }
    return all;
}

/* y = (I - A)'(I - A) v. */
static pen_status apply_residuals(pen_run *run, const void *context, int64_t k, const double *v,
                                  double *y)
{
    const pen_reconstruction *A = context;
    double *E;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, E, pen_times(A->n, k), 0));
    memset(y, 0, (size_t)(A->n * k) * sizeof *y);
    for (int transposed = 0; transposed < 2; transposed++)
        for (int64_t i = 0; i < A->n; i++)
            for (int64_t e = i * A->k; e < (i + 1) * A->k && A->nearest[e].row >= 0; e++) {
                const int64_t other = A->nearest[e].row;
                const double weight = A->weight[e];
                for (int64_t j = 0; j < k && !transposed; j++)
                    E[i * k + j] += weight * (v[i * k + j] - v[other * k + j]);
                for (int64_t j = 0; j < k && transposed; j++) {
                    y[i * k + j] += weight * E[i * k + j];
                    y[other * k + j] -= weight * E[i * k + j];
                }
            }
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status add_term(pen_run *run, double weight, const pen_view *x,
                           const pen_reconstruction *A, pen_sym *S)
{
    pen_reconstruction *kept;

    PEN_TRY(PEN_NEW(run, kept, 1));
    *kept = *A;
    return pen_implicit_add(run, x, weight, apply_residuals, kept, S);
}

pen_status pen_scatter_reconstruction(pen_run *run, double weight, const pen_view *x,
                                      const pen_reconstruction *A, pen_sym *S)
{
    struct residuals s = { .x = x, .A = A };
    const int64_t rows = pen_min(BLOCK, x->n);

    if (weight == 0)
        return PEN_OK;
    if (S->terms)
        return add_term(run, weight, x, A, S);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, s.E, pen_times(rows, x->d)));
    PEN_TRY(pen_slices_new(run, pen_workers(run, (rows + ROWS - 1) / ROWS), x->d, sizeof(double),
                           &s.buffers));
    for (s.first = 0; s.first < x->n; s.first += BLOCK) {
        s.count = pen_min(BLOCK, x->n - s.first);
        PEN_TRY(pen_parallel(run, PEN_SILENT, (s.count + ROWS - 1) / ROWS, compute_residuals, &s));
        PEN_TRY(pen_sym_add_rows(run, "scatter of reconstructions", weight, s.count, s.E, S));
    }
    pen_sym_note(S, x->n - 1, DBL_EPSILON);
    pen_sym_add_floor(fabs(weight) * amplification(A), x->rounding, S);
    pen_release(run, mark);
    return PEN_OK;
}

/* Finds the nearest rows in the relative space, and reconstructs from them there. */
static pen_status reconstruct_relative(pen_run *run, const pen_view *x,
                                       const pen_reconstruction_rules *rules, uint64_t seed,
                                       pen_neighbor *nearest, pen_reconstruction *A)
{
    const int64_t k = rules->neighbors, m = rules->landmarks;
    int64_t *landmarks = NULL;
    pen_relative space;

    PEN_REQUIRE(run, m <= x->n, PEN_BAD_ARGUMENT,
                "space must have at most %lld landmarks, the number of rows, got relative:%lld",
                (long long)x->n, (long long)m);
    if (m > 0 && m < x->n)
        PEN_TRY(pen_rows_draw(run, x, m, seed, &landmarks));
    PEN_TRY(pen_relative_open(run, x, landmarks, m, PEN_RELATIVE_BYTES, &space));
    PEN_TRY(pen_relative_nearest(run, &space, k, nearest));
    if (rules->neighborhood == PEN_JOIN_MUTUAL)
        PEN_TRY(pen_neighbors_mutual(run, x->n, k, nearest));
    return pen_reconstruct_relative(run, &space, k, nearest, rules->reconstruction_ridge, A);
}

pen_status pen_scatter_near_reconstruction(pen_run *run, double weight, const pen_problem *problem,
                                           const pen_reconstruction_rules *rules, uint64_t seed,
                                           pen_sym *S)
{
    const pen_view *const x = &problem->rows;
    const int64_t k = rules->neighbors;
    pen_neighbor *nearest;
    pen_reconstruction A;

    if (weight == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    if (rules->space == PEN_SPACE_PLAIN) {
        PEN_TRY(pen_graph_neighbors(run, problem, "neighbors", k, &nearest));
        if (rules->neighborhood == PEN_JOIN_MUTUAL)
            PEN_TRY(pen_neighbors_mutual(run, x->n, k, nearest));
        PEN_TRY(pen_reconstruct_rows(run, x, k, nearest, rules->reconstruction_ridge, &A));
    } else {
        PEN_TRY(PEN_NEW(run, nearest, pen_times(x->n, k)));
        PEN_TRY(reconstruct_relative(run, x, rules, seed, nearest, &A));
    }
    PEN_TRY(pen_graphs_add_lists(run, "reconstruction", A.n, A.k, A.nearest, A.weight));
    PEN_TRY(pen_scatter_reconstruction(run, weight, x, &A, S));
    if (rules->space != PEN_SPACE_PLAIN) /* otherwise a scatter by products refers to A */
        pen_release(run, mark);
    return PEN_OK;
}

/* The complement of a graph: the pairs that are not edges of `graph`. */
static pen_status complement(pen_run *run, const pen_graph *graph, pen_graph *out)
{
    const int64_t n = graph->n, most = pen_times(n, n - 1) / 2 - graph->edges;

    *out = (pen_graph){ .n = n };
    PEN_TRY(PEN_NEW(run, out->first, n + 1));
    PEN_TRY(PEN_NEW2(run, out->other, out->weight, most));
    for (int64_t i = 0; i < n; i++) {
        int64_t e = graph->first[i];
        out->first[i] = out->edges;
        for (int64_t j = i + 1; j < n; j++)
            if (e < graph->first[i + 1] && graph->other[e] == j) {
                e++;
            } else {
                out->weight[out->edges] = 1;
                out->other[out->edges++] = j;
            }
    }
    out->first[n] = out->edges;
    return PEN_OK;
}

pen_status pen_scatter_non_neighbors(pen_run *run, double weight, const pen_view *x,
                                     const pen_graph *graph, pen_sym *S)
{
    const int64_t pairs = pen_times(x->n, x->n - 1) / 2;
    pen_graph others;

    if (weight == 0 || graph->edges == pairs)
        return PEN_OK;
    if (pairs - graph->edges > graph->edges) {
        PEN_TRY(pen_scatter_total_precise(run, weight * (double)x->n, x, PEN_TOTAL_SCATTER, S));
        return pen_scatter_graph(run, -weight, x, graph, NULL, S);
    }
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(complement(run, graph, &others)); /* few pairs: nothing cancels */
    PEN_TRY(pen_scatter_graph(run, weight, x, &others, NULL, S));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_scatter_far_rows(pen_run *run, double weight, const pen_problem *problem,
                                int64_t neighbors, pen_sym *S)
{
    const pen_view *const x = &problem->rows;
    pen_neighbor *nearest;
    pen_graph graph;

    if (weight == 0)
        return PEN_OK;
    PEN_TRY(pen_graph_neighbors(run, problem, "neighbors", neighbors, &nearest));
    PEN_TRY(pen_graph_of_neighbors(run, x->n, neighbors, nearest, PEN_JOIN_UNION, &graph));
    PEN_TRY(pen_graphs_add(run, "neighbors", &graph));
    return pen_scatter_non_neighbors(run, weight, x, &graph, S);
}

pen_status pen_scatter_note_condition(pen_run *run, const pen_sym *S)
{
    pen_eig e;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_eig_indefinite(run, S, NULL, &e));
    pen_note(run, "denominator_smallest",
             e.values[0] > 0 ? fmax(0, e.values[S->d - 1]) / e.values[0] : 0);
    pen_release(run, mark);
    return PEN_OK;
}
