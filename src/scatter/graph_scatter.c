/* graph_scatter.c - scatters of sparse graphs. Half of diag(a) - A suffices:
 *
 *   U = (diag(a) / 2 - A_upper) X
 *   X'(diag(a) - A) X = X'U + U'X */
#include "core/parallel.h"
#include "linalg/implicit.h"
#include "scatter/scatter.h"

#include <float.h>
#include <math.h>

enum { BLOCK = 2048, SUB = 64, PIECE = 64 };

/* Rounding error of a x - sum A x, relative to a |x|. */
static const double ROUNDING = 4 * DBL_EPSILON;

struct sparse {
    const pen_view *x;
    const pen_graph *graph;
    const double *diagonal; /* [n] */
    int64_t first, count;   /* the current block of rows of U */
    double *X, *U;          /* [count x d] */
    pen_slices pieces;      /* [PIECE x d] */
};

/* Computes some rows of X and U. */
static void make_rows(void *context, int64_t task, int worker)
{
    const struct sparse *s = context;
    const int64_t d = s->x->d, first = task * SUB, end = pen_min(first + SUB, s->count);
    double *const pieces = pen_slice(&s->pieces, worker);

    pen_rows_centered(s->x, NULL, s->first + first, end - first, s->X + first * d);
    for (int64_t i = first; i < end; i++) {
        const int64_t vertex = s->first + i, last = s->graph ? s->graph->first[vertex + 1] : 0;
        double *restrict u = s->U + i * d;
        for (int64_t j = 0; j < d; j++)
            u[j] = s->diagonal[vertex] / 2 * s->X[i * d + j];
        for (int64_t e = s->graph ? s->graph->first[vertex] : 0; e < last; e += PIECE) {
            const int64_t count = pen_min(PIECE, last - e);
            pen_rows_centered(s->x, s->graph->other, e, count, pieces);
            for (int64_t k = 0; k < count; k++) {
                const double weight = s->graph->weight[e + k], *restrict piece = pieces + k * d;
                for (int64_t j = 0; j < d; j++)
                    u[j] -= weight * piece[j];
            }
        }
    }
}

static void add_squares(const struct sparse *s, double *restrict sum)
{
    for (int64_t i = 0; i < s->count; i++)
        for (int64_t j = 0; j < s->x->d; j++)
            sum[j] +=
                fabs(s->diagonal[s->first + i]) * s->X[i * s->x->d + j] * s->X[i * s->x->d + j];
}

static pen_status add_blocks(pen_run *run, double weight, struct sparse *s, double *sum, pen_sym *S)
{
    for (s->first = 0; s->first < s->x->n; s->first += BLOCK) {
        s->count = pen_min(BLOCK, s->x->n - s->first);
        PEN_TRY(pen_progress(run, "scatter of a graph", s->first, s->x->n));
        PEN_TRY(pen_parallel(run, PEN_SILENT, (s->count + SUB - 1) / SUB, make_rows, s));
        PEN_TRY(pen_sym_add_product(run, weight, s->count, s->X, s->U, S));
        add_squares(s, sum);
    }
    return PEN_OK;
}

/* For a matrix that is not stored: adds diag(a) - A. */
static pen_status add_term(pen_run *run, double weight, const pen_view *x, const pen_graph *graph,
                           const double *diagonal, pen_sym *S)
{
    pen_csr_sym *L;

    if (!graph)
        return pen_sym_need_stored(run, S);
    PEN_TRY(PEN_NEW(run, L, 1));
    PEN_TRY(pen_graph_csr(run, graph, 1, L));
    if (diagonal)
        L->diagonal = diagonal;
    return pen_implicit_add(run, x, weight, pen_csr_apply, L, S);
}

pen_status pen_scatter_graph(pen_run *run, double weight, const pen_view *x, const pen_graph *graph,
                             const double *diagonal, pen_sym *S)
{
    struct sparse s = { .x = x, .graph = graph, .diagonal = diagonal };
    const int64_t rows = pen_min(BLOCK, x->n);
    double *sum, *degrees;

    if (weight == 0)
        return PEN_OK;
    if (S->terms)
        return add_term(run, weight, x, graph, diagonal, S);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, s.X, s.U, pen_times(rows, x->d)));
    PEN_TRY(pen_slices_new(run, pen_workers(run, (rows + SUB - 1) / SUB), pen_times(PIECE, x->d),
                           sizeof(double), &s.pieces));
    PEN_TRY(PEN_FILLED(run, sum, x->d, 0));
    PEN_TRY(PEN_NEW(run, degrees, x->n));
    if (!diagonal) {
        pen_graph_degrees(graph, degrees);
        s.diagonal = degrees;
    }
    PEN_TRY(add_blocks(run, weight, &s, sum, S));
    for (int64_t j = 0; j < x->d; j++)
        sum[j] = sqrt(ROUNDING * sum[j]);
    pen_sym_note(S, x->n, DBL_EPSILON);
    pen_sym_add_floor(fabs(weight), sum, S);
    pen_sym_add_floor(fabs(weight) * (double)pen_max(graph ? graph->edges : 0, x->n), x->rounding,
                      S);
    pen_release(run, mark);
    return PEN_OK;
}

struct affinities {
    const pen_view *x;
    const pen_graph *graph;
};

/* A pen_make_fn. */
static pen_status make_scatter(pen_run *run, void *context, pen_made *out)
{
    const struct affinities *const a = context;
    pen_sym *S;

    PEN_TRY(PEN_NEW(run, S, 1));
    PEN_TRY(pen_sym_zero(run, a->x->d, S));
    PEN_TRY(pen_scatter_graph(run, 1, a->x, a->graph, NULL, S));
    *out = pen_sym_made(S);
    return PEN_OK;
}

pen_status pen_scatter_affinities(pen_run *run, double weight, const pen_problem *problem,
                                  const pen_affinity_rules *how, pen_sym *S)
{
    const pen_view *const x = &problem->rows;
    pen_graph graph;
    struct affinities a = { x, &graph };
    pen_cache_key *key;
    const void *value;

    if (weight == 0)
        return PEN_OK;
    PEN_TRY(pen_graph_affinities(run, problem, how, &graph));
    if (S->terms)
        return pen_scatter_graph(run, weight, x, &graph, NULL, S);
    PEN_TRY(pen_graph_affinities_key(run, problem, how, PEN_CACHE_AFFINITY_SCATTER, &key));
    PEN_TRY(pen_cache_get(run, key, make_scatter, &a, &value));
    pen_sym_add_scaled(weight, value, S);
    return PEN_OK;
}

pen_status pen_scatter_manifold(pen_run *run, double weight, const pen_view *x, pen_graph *graph,
                                pen_sym *S)
{
    double *degree, *diagonal;

    if (weight == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW2(run, degree, diagonal, graph->n));
    pen_graph_degrees(graph, degree);
    pen_note(run, "isolated", (double)pen_graph_normalize(graph, degree, diagonal));
    return pen_scatter_graph(run, weight, x, graph, diagonal, S);
}
