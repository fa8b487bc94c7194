/* embed.c - coordinates, starts, and the two half steps. */
#include "solve/embed.h"

#include "graph/adaptive.h"
#include "linalg/blas.h"
#include "linalg/products.h"
#include "solve/alternate.h"

#include <math.h>
#include <string.h>

/* Absolute changes of the objective are in units of the rows' sum of squares. Their limit is meant
 * for sets like those of the paper, with some hundred rows of unit length. */
static const double USUAL_SPREAD = 1000;

/* The state of the alternation: y are the rows in r coordinates, z their embedding. */
struct embedding {
    pen_view y;
    const double *T; /* [x->d x r] y = x T for centered rows x */
    int64_t r, k;
    double spread; /* the sum of squares of y */
    pen_adaptive graphs;
    int blank;       /* no lists yet */
    double *V;       /* [r x k] */
    double *values;  /* [k] */
    double *z;       /* [n x k] */
    double residual; /* of the last eigenproblem */
};

/* ---- coordinates ---- */

/* The number of directions with variance, values[0] >= values[1] >= ... */
static int64_t count_directions(const pen_eig *e, double null_tol)
{
    int64_t r = 0;
    while (r < e->rank && e->values[r] > null_tol * e->values[0])
        r++;
    return r;
}

/* Writes the first r eigenvectors as columns, divided by the roots of their variances to whiten the
 * rows. A constant column has no part in them, not even by rounding. */
static void fill_transform(const pen_eig *e, const pen_sym *S_t, int64_t r,
                           enum pen_embed_metric metric, double *T)
{
    for (int64_t c = 0; c < r; c++) {
        const double length = metric == PEN_EMBED_WHITENED ? sqrt(e->values[c]) : 1;
        for (int64_t j = 0; j < e->d; j++)
            T[j * r + c] = S_t->a[j * e->d + j] > 0 ? e->vectors[c * e->d + j] / length : 0;
    }
}

static pen_status find_coordinates(pen_run *run, const pen_view *x, double null_tol,
                                   enum pen_embed_metric metric, struct embedding *e)
{
    double *T, *y;
    pen_sym S_t;
    pen_eig axes;

    PEN_TRY(pen_sym_zero(run, x->d, &S_t));
    PEN_TRY(pen_scatter_total_precise(run, 1, x, PEN_TOTAL_COVARIANCE, &S_t));
    PEN_TRY(pen_eig_largest(run, &S_t, NULL, x->d, &axes));
    e->r = count_directions(&axes, null_tol);
    if (e->r < axes.rank)
        pen_note_cut(run, e->r, null_tol);
    PEN_REQUIRE(run, e->r > 0, PEN_RANK_TOO_SMALL, "nothing to project on: %s",
                axes.rank > 0 ? "no direction has more variance than null_tol of the largest"
                              : "all rows are equal up to rounding");
    pen_note(run, "rank", (double)e->r);
    PEN_TRY(PEN_NEW(run, T, pen_times(x->d, e->r)));
    fill_transform(&axes, &S_t, e->r, metric, T);
    PEN_TRY(PEN_NEW(run, y, pen_times(x->n, e->r)));
    PEN_TRY(pen_rows_multiply(run, x, e->r, T, y));
    e->T = T;
    e->spread = pen_dot(x->n * e->r, y, y);
    PEN_TRY(pen_rows_replace(run, x, y, e->r, NULL, &e->y));
    e->y.source = NULL;
    return PEN_OK;
}

/* ---- half steps ---- */

/* The k directions in which the edges are shortest, or the first principal axes if there is no
 * graph. */
static pen_status find_columns(pen_run *run, struct embedding *e)
{
    pen_graph graph;
    pen_sym M;
    pen_eig solved;

    for (int64_t c = 0; e->blank && c < e->k; c++) {
        e->values[c] = 0;
        for (int64_t j = 0; j < e->r; j++)
            e->V[j * e->k + c] = j == c;
    }
    if (e->blank)
        return PEN_OK;
    PEN_TRY(pen_adaptive_graph(run, &e->graphs, &graph));
    PEN_TRY(pen_sym_zero(run, e->r, &M));
    PEN_TRY(pen_scatter_graph(run, 1, &e->y, &graph, NULL, &M));
    PEN_TRY(pen_eig_indefinite(run, &M, NULL, &solved));
    e->residual = solved.residual;
    for (int64_t c = 0; c < e->k; c++) {
        const int64_t from = e->r - 1 - c;
        e->values[c] = fmax(0, solved.values[from]); /* below 0 only by rounding */
        for (int64_t j = 0; j < e->r; j++)
            e->V[j * e->k + c] = solved.vectors[from * e->r + j];
    }
    return PEN_OK;
}

static pen_status project(pen_run *run, void *context, double *objective)
{
    struct embedding *const e = context;

    PEN_TRY(find_columns(run, e));
    e->blank = 0;
    *objective = 0;
    for (int64_t c = 0; c < e->k; c++)
        *objective += 2 * e->values[c];
    return pen_rows_multiply(run, &e->y, e->k, e->V, e->z);
}

static pen_status find_graphs(pen_run *run, void *context, double *objective)
{
    struct embedding *const e = context;
    pen_view z;

    PEN_TRY(pen_rows_replace(run, &e->y, e->z, e->k, NULL, &z));
    return pen_adaptive_update(run, &z, &e->graphs, objective);
}

/* ---- starts ---- */

static pen_status begin(pen_run *run, const pen_problem *problem, const pen_embedding *rules,
                        uint64_t seed, int64_t start, struct embedding *e)
{
    e->blank = rules->init == PEN_EMBED_ZERO;
    if (rules->init == PEN_EMBED_RANDOM)
        return pen_adaptive_random(run, seed + (uint64_t)start, &e->graphs);
    return e->blank ? PEN_OK : pen_adaptive_nearest(run, problem, &e->graphs);
}

/* The start with the lowest objective. */
struct outcome {
    int64_t start;
    double residual;
    double *V, *values; /* [r x k], [k] */
    pen_descent descent;
};

static double last(const pen_descent *descent)
{
    return descent->objective[descent->iterations - 1];
}

/* Keeps the start if its objective is the lowest so far. */
static pen_status compare(pen_run *run, const struct embedding *e, int64_t start,
                          const pen_descent *descent, struct outcome *best)
{
    if (start > 0 && !(last(descent) < last(&best->descent)))
        return PEN_OK;
    best->start = start;
    best->residual = e->residual;
    best->descent = *descent;
    memcpy(best->V, e->V, (size_t)(e->r * e->k) * sizeof *best->V);
    memcpy(best->values, e->values, (size_t)e->k * sizeof *best->values);
    return pen_adaptive_collect(run, &e->graphs);
}

static pen_status find_best(pen_run *run, const char *method, const pen_problem *problem,
                            const pen_embedding *rules, uint64_t seed, struct embedding *e)
{
    const double unit = rules->stop == PEN_EMBED_SCALED ? fmax(1, e->spread / USUAL_SPREAD) : 1;
    const pen_alternation how = { method, rules->tol * unit, rules->stop == PEN_EMBED_RELATIVE,
                                  rules->max_iter };
    struct outcome best = { .start = 0 };
    pen_descent descent;

    PEN_TRY(PEN_NEW(run, best.V, pen_times(e->r, e->k)));
    PEN_TRY(PEN_NEW(run, best.values, e->k));
    for (int64_t start = 0; start < rules->restarts; start++) {
        PEN_TRY(begin(run, problem, rules, seed, start, e));
        PEN_TRY(pen_descend(run, &how, project, find_graphs, e, &descent));
        PEN_TRY(compare(run, e, start, &descent, &best));
    }
    e->V = best.V;
    e->values = best.values;
    e->residual = best.residual;
    PEN_TRY(pen_descent_note(run, &best.descent));
    if (rules->restarts > 1)
        pen_note(run, "restart", (double)best.start);
    return PEN_OK;
}

/* W = T V */
static pen_status return_columns(pen_run *run, const pen_view *x, const struct embedding *e,
                                 pen_projection *out)
{
    out->d = x->d;
    out->k = e->k;
    out->eigenvalues = e->values;
    out->residual = e->residual;
    PEN_TRY(PEN_NEW(run, out->W, pen_times(out->d, out->k)));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, out->d, out->k, e->r, 1, e->T, e->r, e->V, e->k, 0,
                  out->W, out->k);
    return PEN_OK;
}

pen_status pen_embed(pen_run *run, const char *method, const pen_problem *problem,
                     const pen_embedding *rules, enum pen_embed_metric metric,
                     const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    const pen_adaptive_rules graphs = { rules->alpha, rules->within_neighbors, rules->neighbors };
    struct embedding e = { .blank = 0 };

    PEN_REQUIRE(
        run, rules->restarts == 1 || rules->init == PEN_EMBED_RANDOM, PEN_BAD_ARGUMENT,
        "restarts must be 1 unless init is random, because all starts would be equal, got %lld",
        (long long)rules->restarts);
    PEN_TRY(pen_adaptive_open(run, x, &graphs, &e.graphs));
    pen_note(run, "within_neighbors_used", (double)e.graphs.least);
    pen_note(run, "classes_cut", (double)e.graphs.cut);
    PEN_TRY(find_coordinates(run, x, rules->null_tol, metric, &e));
    PEN_TRY(pen_solve_count(run, x->classes - 1, e.r, request, &e.k));
    PEN_TRY(PEN_NEW(run, e.V, pen_times(e.r, e.k)));
    PEN_TRY(PEN_NEW(run, e.values, e.k));
    PEN_TRY(PEN_NEW(run, e.z, pen_times(x->n, e.k)));
    PEN_TRY(find_best(run, method, problem, rules, request->seed, &e));
    return return_columns(run, x, &e, out);
}
