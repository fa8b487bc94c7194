/* score_system.c - U + L, additional terms, and conjugate gradients. */
#include "solve/score_system.h"

#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/cg.h"
#include "linalg/eig.h"
#include "linalg/products.h"
#include "linalg/reduce.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 1024, /* rows in a piece */
    COLUMNS = 32, /* right-hand sides at once, so that their data stay in the caches */
    MOST_ITERATIONS = 100000
};

static const double TOLERANCE = 1e-13;

/* The least (u_i + weight) / diagonal_i. */
static double dominance(const pen_score_system *s)
{
    const double least = fmin(s->weights->labelled, s->weights->unlabelled) + s->weight;
    double part = 1;

    for (int64_t i = 0; i < s->x->n; i++)
        part = fmin(part, least / s->diagonal[i]);
    return part;
}

pen_status pen_score_system_open(pen_run *run, const pen_view *x, const pen_graph *graph,
                                 const pen_label_weights *weights, double weight,
                                 pen_score_system *out)
{
    double *own, *all;

    *out = (pen_score_system){ .x = x, .weights = weights, .weight = weight };
    PEN_TRY(pen_graph_csr(run, graph, 1, &out->A));
    PEN_TRY(pen_graph_unreached(run, &out->A, x->labelled, x->members, &out->unreached));
    PEN_TRY(PEN_NEW2(run, own, all, x->n));
    for (int64_t i = 0; i < x->n; i++)
        own[i] = weights->unlabelled;
    for (int64_t i = 0; i < x->labelled; i++)
        own[x->members[i]] = weights->labelled;
    for (int64_t i = 0; i < x->n; i++) {
        own[i] += out->A.diagonal[i];
        all[i] = own[i] + weight;
    }
    out->A.diagonal = own;
    out->diagonal = all;
    if (weight == 0)
        return PEN_OK;
    pen_csr_sym A = out->A;
    A.diagonal = all;
    return pen_preconditioner_open(run, &A, dominance(out), &out->near);
}

pen_status pen_score_system_invert(pen_run *run, double gamma, pen_score_system *s)
{
    const int64_t d = s->x->d, c = s->x->classes;
    double *inverse;
    pen_axes axes;

    PEN_TRY(pen_rows_axes(run, s->x, &axes));
    const pen_eig e = axes.eig;
    PEN_REQUIRE(run, e.rank > 0, PEN_RANK_TOO_SMALL,
                "nothing to project on: all rows are equal up to rounding");
    PEN_TRY(PEN_NEW(run, inverse, e.rank));
    for (int64_t i = 0; i < e.rank; i++)
        inverse[i] = 1 / (e.values[i] + 1 / gamma);
    s->rank = e.rank;
    s->basis = e.vectors;
    s->inverse = inverse;
    PEN_TRY(PEN_NEW(run, s->sums, pen_times(d, pen_min(COLUMNS, c))));
    PEN_TRY(PEN_NEW(run, s->inside, pen_times(e.rank, c)));
    return PEN_NEW(run, s->fitted, pen_times(s->x->n, pen_min(COLUMNS, c)));
}

void pen_score_system_divide(const pen_score_system *s, int64_t k, double *G)
{
    const int64_t d = s->x->d, r = s->rank;

    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, r, k, d, 1, s->basis, d, G, k, 0, s->inside, k);
    for (int64_t i = 0; i < r; i++)
        for (int64_t c = 0; c < k; c++)
            s->inside[i * k + c] *= s->inverse[i];
    pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, d, k, r, 1, s->basis, d, s->inside, k, 0, G,
                  k);
}

/* ---- products with K ---- */

/* The terms to add to (U + L) v, in pieces of rows. */
struct addition {
    const pen_score_system *s;
    int64_t k;
    const double *v;
    double *y;
    double *sums; /* [pieces x k] of v; the first k become the mean */
};

static void sum_piece(void *context, int64_t task, int worker)
{
    const struct addition *a = context;
    const int64_t end = pen_min(a->s->x->n, (task + 1) * PIECE);
    double *restrict sum = a->sums + task * a->k;

    (void)worker;
    memset(sum, 0, (size_t)a->k * sizeof *sum);
    for (int64_t i = task * PIECE; i < end; i++)
        for (int64_t c = 0; c < a->k; c++)
            sum[c] += a->v[i * a->k + c];
}

/* y += weight (v - mean - fitted). */
static void add_piece(void *context, int64_t task, int worker)
{
    const struct addition *a = context;
    const int64_t k = a->k, end = pen_min(a->s->x->n, (task + 1) * PIECE);
    const double weight = a->s->weight, *restrict mean = a->sums;

    (void)worker;
    for (int64_t i = task * PIECE; i < end; i++) {
        const double *restrict v = a->v + i * k;
        const double *restrict fitted = a->s->rank > 0 ? a->s->fitted + i * k : NULL;
        double *restrict y = a->y + i * k;
        for (int64_t c = 0; c < k; c++)
            y[c] += weight * (v[c] - mean[c] - (fitted ? fitted[c] : 0));
    }
}

/* y += weight (v - mean of v - fitted values of v). */
static pen_status add_rest(pen_run *run, const pen_score_system *s, int64_t k, const double *v,
                           double *y)
{
    const int64_t n = s->x->n, pieces = (n + PIECE - 1) / PIECE;
    struct addition a = { .s = s, .k = k, .v = v, .y = y };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, a.sums, pen_times(pieces, k)));
    PEN_TRY(pen_parallel(run, PEN_SILENT, pieces, sum_piece, &a));
    for (int64_t i = k; i < pieces * k; i++)
        a.sums[i % k] += a.sums[i];
    for (int64_t c = 0; c < k; c++)
        a.sums[c] /= (double)n;
    PEN_TRY(pen_parallel(run, PEN_SILENT, pieces, add_piece, &a));
    pen_release(run, mark);
    return PEN_OK;
}

/* A pen_apply_fn. */
static pen_status apply(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    const pen_score_system *s = context;

    PEN_TRY(pen_csr_apply(run, &s->A, k, v, y));
    if (s->weight == 0)
        return PEN_OK;
    if (s->rank > 0) {
        PEN_TRY(pen_rows_gather(run, s->x, k, v, s->sums));
        pen_score_system_divide(s, k, s->sums);
        PEN_TRY(pen_rows_multiply(run, s->x, k, s->sums, s->fitted));
    }
    return add_rest(run, s, k, v, y);
}

/* y = rhs over the diagonal, and its residual. Large weights of labels then do not enter the
 * residuals that later ones are compared with. */
static pen_status begin(pen_run *run, const pen_score_system *s, int64_t k, const double *rhs,
                        double *y, double *rest)
{
    for (int64_t i = 0; i < s->x->n; i++)
        for (int64_t c = 0; c < k; c++)
            y[i * k + c] = rhs[i * k + c] / s->diagonal[i];
    PEN_TRY(apply(run, s, k, y, rest));
    for (int64_t i = 0; i < s->x->n * k; i++)
        rest[i] = rhs[i] - rest[i];
    return PEN_OK;
}

/* ---- solving ---- */

static pen_status solve_block(pen_run *run, pen_score_system *s, int64_t k, const double *rhs,
                              double *y)
{
    const pen_cg how = { .phase = "scores",
                         .n = s->x->n,
                         .apply = apply,
                         .context = s,
                         .diagonal = s->diagonal,
                         .precondition = s->near.degree > 0 ? pen_preconditioner_apply : NULL,
                         .preconditioner = &s->near,
                         .tol = TOLERANCE,
                         .most = MOST_ITERATIONS,
                         .iterations = &s->iterations };
    double *rest, *more;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rest, pen_times(s->x->n, k)));
    PEN_TRY(PEN_FILLED(run, more, pen_times(s->x->n, k), 0));
    PEN_TRY(begin(run, s, k, rhs, y, rest));
    PEN_TRY(pen_cg_solve(run, &how, k, rest, more));
    for (int64_t i = 0; i < s->x->n * k; i++)
        y[i] += more[i];
    pen_release(run, mark);
    return PEN_OK;
}

static void copy_columns(int64_t n, int64_t k, const double *from, int64_t from_step, double *to,
                         int64_t to_step)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(to + i * to_step, from + i * from_step, (size_t)k * sizeof *to);
}

pen_status pen_score_system_solve(pen_run *run, pen_score_system *s, int64_t k, const double *rhs,
                                  double *y)
{
    const int64_t n = s->x->n, most = pen_min(COLUMNS, k);
    double *some, *solved;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, some, solved, pen_times(n, most)));
    for (int64_t first = 0; first < k; first += most) {
        const int64_t count = pen_min(most, k - first);
        copy_columns(n, count, rhs + first, k, some, count);
        PEN_TRY(solve_block(run, s, count, some, solved));
        copy_columns(n, count, solved, count, y + first, k);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- right-hand sides and results ---- */

pen_status pen_score_gather(pen_run *run, const pen_view *x, int64_t k, double *y, double *G)
{
    for (int64_t c = 0; c < k; c++) {
        double mean = 0;
        for (int64_t i = 0; i < x->n; i++)
            mean += y[i * k + c];
        mean /= (double)x->n;
        for (int64_t i = 0; i < x->n; i++)
            y[i * k + c] -= mean;
    }
    return pen_rows_gather(run, x, k, y, G);
}

pen_status pen_score_targets(pen_run *run, const pen_score_system *s, double **out)
{
    const pen_view *const x = s->x;
    const int64_t c = x->classes;

    PEN_TRY(PEN_FILLED(run, *out, pen_times(x->n, c), 0));
    for (int64_t k = 0; k < c; k++)
        for (int64_t i = x->starts[k]; i < x->starts[k + 1]; i++)
            (*out)[x->members[i] * c + k] = s->weights->labelled;
    return PEN_OK;
}

pen_status pen_score_means(pen_run *run, int64_t n, int64_t c, const double *F, const double **out)
{
    double *mean;

    PEN_TRY(PEN_FILLED(run, mean, c, 0));
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < c; k++)
            mean[k] += F[i * c + k];
    for (int64_t k = 0; k < c; k++)
        mean[k] /= (double)n;
    *out = mean;
    return PEN_OK;
}
