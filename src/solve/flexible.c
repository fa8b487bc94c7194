/* flexible.c - the products of a flexible embedding by a sparse system, and the root of the sum of
 * the smallest eigenvalues. Every trial of a ratio solves an eigenproblem of the order of the
 * classes and one of the order of the columns. */
#include "solve/flexible.h"

#include "linalg/blas.h"
#include "linalg/cg.h"
#include "linalg/products.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- the products ----
 *
 * Applies the inverse of M = alpha L + I + D_l to the rows and the classes, a block of columns at a
 * time. */

enum {
    LEAST_COLUMNS = 8,
    MOST_COLUMNS = 64,
    BLOCK_BYTES = 40 << 20,
    NUMBERS = 5 /* numbers per row and column */,
    MOST_ITERATIONS = 1000000
};

static const double TOLERANCE = 1e-15;

struct flexible {
    const pen_view *x;
    const pen_span *span;
    pen_csr_sym M;
    int64_t most;          /* columns of a block */
    double *V;             /* [d x most] columns of the basis */
    double *rhs, *y;       /* [n x most] */
    double *sums, *inside; /* [d x most], [rank x most] */
    double *R;             /* [rank x rank] */
    double *Z;             /* [classes x rank] */
    double *H;             /* [classes x classes] */
    int64_t iterations;    /* of conjugate gradients, the maximum over columns */
};

/* alpha L + I + D_l. */
static pen_status build(pen_run *run, double alpha, const pen_graph *graph, struct flexible *s)
{
    const int64_t n = s->x->n;
    int64_t *first;
    double *diagonal;

    PEN_TRY(PEN_NEW(run, diagonal, n));
    PEN_TRY(PEN_FILLED(run, first, n + 1, 0));
    s->M = (pen_csr_sym){ .n = n, .first = first, .diagonal = NULL };
    if (graph)
        PEN_TRY(pen_graph_csr(run, graph, alpha, &s->M));
    for (int64_t i = 0; i < n; i++)
        diagonal[i] = 1 + (graph ? s->M.diagonal[i] : 0);
    for (int64_t i = 0; i < s->x->labelled; i++)
        diagonal[s->x->members[i]] += 1;
    s->M.diagonal = diagonal;
    return PEN_OK;
}

/* y = M^-1 rhs, k columns. Starts from rhs over the diagonal, the solution without a graph. */
static pen_status solve(pen_run *run, struct flexible *s, int64_t k)
{
    const pen_cg how = { .phase = "graph system",
                         .n = s->x->n,
                         .apply = pen_csr_apply,
                         .context = &s->M,
                         .diagonal = s->M.diagonal,
                         .tol = TOLERANCE,
                         .most = MOST_ITERATIONS,
                         .iterations = &s->iterations };

    for (int64_t i = 0; i < s->x->n; i++)
        for (int64_t j = 0; j < k; j++)
            s->y[i * k + j] = s->rhs[i * k + j] / s->M.diagonal[i];
    return pen_cg_solve(run, &how, k, s->rhs, s->y);
}

/* inside [rank x k] = X'v in the coordinates of the span. */
static pen_status gather(pen_run *run, struct flexible *s, int64_t k, const double *v)
{
    const int64_t d = s->x->d, r = s->span->rank;

    PEN_TRY(pen_rows_gather(run, s->x, k, v, s->sums));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, r, k, d, 1, s->span->basis, d, s->sums, k, 0,
                  s->inside, k);
    return PEN_OK;
}

/* Columns first .. first + k - 1 of X'(X - M^-1 X). */
static pen_status add_columns(pen_run *run, struct flexible *s, int64_t first, int64_t k)
{
    const int64_t d = s->x->d, r = s->span->rank;

    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < k; j++)
            s->V[i * k + j] = s->span->basis[(first + j) * d + i];
    PEN_TRY(pen_rows_multiply(run, s->x, k, s->V, s->rhs));
    PEN_TRY(solve(run, s, k));
    for (int64_t i = 0; i < s->x->n * k; i++)
        s->rhs[i] -= s->y[i];
    PEN_TRY(gather(run, s, k, s->rhs));
    for (int64_t i = 0; i < r; i++)
        memcpy(s->R + i * r + first, s->inside + i * k, (size_t)k * sizeof *s->R);
    return PEN_OK;
}

/* Columns first .. first + k - 1 of X'M^-1 E and E'M^-1 E. */
static pen_status add_classes(pen_run *run, struct flexible *s, int64_t first, int64_t k)
{
    const pen_view *const x = s->x;
    const int64_t r = s->span->rank, c = x->classes;

    memset(s->rhs, 0, (size_t)(x->n * k) * sizeof *s->rhs);
    for (int64_t a = first; a < first + k; a++)
        for (int64_t i = x->starts[a]; i < x->starts[a + 1]; i++)
            s->rhs[x->members[i] * k + a - first] = 1 / sqrt((double)pen_class_size(x, a));
    PEN_TRY(solve(run, s, k));
    PEN_TRY(gather(run, s, k, s->y));
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j < k; j++)
            s->Z[(first + j) * r + i] = s->inside[i * k + j];
    for (int64_t a = 0; a < c; a++)
        for (int64_t j = 0; j < k; j++) {
            double sum = 0;
            for (int64_t i = x->starts[a]; i < x->starts[a + 1]; i++)
                sum += s->y[x->members[i] * k + j];
            s->H[a * c + first + j] = sum / sqrt((double)pen_class_size(x, a));
        }
    return PEN_OK;
}

static pen_status open_blocks(pen_run *run, struct flexible *s)
{
    const int64_t n = s->x->n, d = s->x->d, r = s->span->rank;

    s->most = pen_min(MOST_COLUMNS, pen_max(LEAST_COLUMNS, BLOCK_BYTES / (NUMBERS * 8 * n)));
    PEN_TRY(PEN_NEW(run, s->V, pen_times(d, s->most)));
    PEN_TRY(PEN_NEW2(run, s->rhs, s->y, pen_times(n, s->most)));
    PEN_TRY(PEN_NEW(run, s->sums, pen_times(d, s->most)));
    return PEN_NEW(run, s->inside, pen_times(r, s->most));
}

/* Replaces both triangles by their mean. */
static void make_symmetric(int64_t n, double *a)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            a[i * n + j] = (a[i * n + j] + a[j * n + i]) / 2;
}

pen_status pen_scatter_flexible(pen_run *run, double alpha, const pen_view *x,
                                const pen_graph *graph, const pen_span *span, pen_flexible *out)
{
    const int64_t r = span->rank, c = x->classes;
    struct flexible s = { .x = x, .span = span };
    double *share;

    *out = (pen_flexible){ .classes = c, .size = sqrt(span->trace) };
    PEN_TRY(pen_sym_zero(run, r, &out->R));
    PEN_TRY(PEN_NEW(run, s.Z, pen_times(c, r)));
    PEN_TRY(PEN_NEW(run, s.H, pen_times(c, c)));
    PEN_TRY(PEN_NEW(run, share, c));
    const pen_mark_t mark = pen_mark(run);
    s.R = out->R.a;
    PEN_TRY(build(run, alpha, alpha > 0 ? graph : NULL, &s));
    PEN_TRY(open_blocks(run, &s));
    for (int64_t first = 0; first < r; first += s.most)
        PEN_TRY(add_columns(run, &s, first, pen_min(s.most, r - first)));
    for (int64_t first = 0; first < c; first += s.most)
        PEN_TRY(add_classes(run, &s, first, pen_min(s.most, c - first)));
    pen_release(run, mark);
    pen_note(run, "cg_iterations", (double)s.iterations);
    make_symmetric(r, s.R);
    make_symmetric(c, s.H);
    pen_sym_note(&out->R, r, DBL_EPSILON);
    for (int64_t a = 0; a < c; a++)
        share[a] = sqrt((double)pen_class_size(x, a) / (double)x->labelled);
    out->Z = s.Z;
    out->H = s.H;
    out->share = share;
    return PEN_OK;
}

/* ---- the ratio ---- */

enum { MOST = 500 };

static const double ROUNDED = 4 * DBL_EPSILON;
/* times the classes and the largest eigenvalue: smaller ones are rounding */
static const double POSITIVE = 64 * DBL_EPSILON;
/* relative to the ratio: smaller steps that no longer shrink are rounding */
static const double NEAR = 1e-6;

struct trial {
    int positive; /* K is positive definite beyond rounding */
    double next;  /* the ratio of the best W and F */
    double sum;   /* sum of the eigenvalues */
    double tie;   /* |Z'u|: the part of X in the directions u in which K is nearly singular */
    pen_eig e;    /* the k smallest of N, with values of N + ridge I, smallest first */
};

/* v I + (1 - v) share share' - H = Q diag(values) Q'. */
static pen_status small_matrix(pen_run *run, const pen_flexible *problem, double v, pen_eig *e)
{
    const int64_t c = problem->classes;
    pen_sym T;

    PEN_TRY(pen_sym_zero(run, c, &T));
    for (int64_t i = 0; i < c; i++)
        for (int64_t j = 0; j <= i; j++)
            T.a[i * c + j] = (i == j ? v : 0) + (1 - v) * problem->share[i] * problem->share[j]
                             - problem->H[i * c + j];
    return pen_eig_indefinite(run, &T, NULL, e);
}

/* The k smallest eigenvectors of N, with v'N v as values: the largest of a multiple of the identity
 * minus N, for which a solver of a few suffices. */
static pen_status smallest(pen_run *run, const pen_sym *N, int64_t k, pen_eig *e)
{
    const int64_t d = N->d;
    double *columns, *NV;
    pen_sym turned;

    PEN_TRY(pen_sym_zero(run, d, &turned));
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++)
            turned.a[i * d + j] = -N->a[i * d + j];
    pen_sym_add_identity(2 * pen_sym_norm1(N), &turned);
    PEN_TRY(pen_eig_largest(run, &turned, NULL, k, e));
    PEN_TRY(PEN_NEW2(run, columns, NV, pen_times(d, k)));
    pen_transpose(k, d, e->vectors, columns);
    pen_blas_symm(d, k, N->a, columns, NV);
    memset(e->values, 0, (size_t)k * sizeof *e->values);
    for (int64_t j = 0; j < d; j++)
        for (int64_t i = 0; i < k; i++)
            e->values[i] += columns[j * k + i] * NV[j * k + i];
    return PEN_OK;
}

/* |(I - share share') T^-1 Z W|^2 = tr(W' dN/dv W), with T^-1 Z W = Q diag(values)^-1/2 (U W). */
static pen_status slope(pen_run *run, const pen_flexible *problem, const pen_eig *small,
                        const double *U, const pen_eig *e, double *out)
{
    const int64_t c = problem->classes, d = e->d, k = e->k;
    double *UW, *V;

    PEN_TRY(PEN_NEW2(run, UW, V, pen_times(c, k)));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, c, k, d, 1, U, d, e->vectors, d, 0, UW, k);
    for (int64_t i = 0; i < c; i++)
        for (int64_t j = 0; j < k; j++)
            UW[i * k + j] /= sqrt(small->values[i]);
    pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, c, k, c, 1, small->vectors, c, UW, k, 0, V,
                  k);
    *out = 0;
    for (int64_t j = 0; j < k; j++) {
        double along = 0;
        for (int64_t i = 0; i < c; i++)
            along += problem->share[i] * V[i * k + j];
        for (int64_t i = 0; i < c; i++) {
            const double across = V[i * k + j] - along * problem->share[i];
            *out += across * across;
        }
    }
    return PEN_OK;
}

/* |Z'u| over the directions u in which the inverse is large, infinite if there are none; U holds
 * them, divided by the roots of their values. */
static double tie_of(const pen_eig *small, const double *U, int64_t d)
{
    double sum = 0;

    for (int64_t i = 0; i < small->d; i++)
        for (int64_t j = 0; small->values[i] <= NEAR * small->values[0] && j < d; j++)
            sum += small->values[i] * U[i * d + j] * U[i * d + j];
    return small->values[small->d - 1] <= NEAR * small->values[0] ? sqrt(sum) : INFINITY;
}

static pen_status try_ratio(pen_run *run, const pen_flexible *problem, double ridge, int64_t k,
                            double v, struct trial *out)
{
    const int64_t c = problem->classes, d = problem->R.d;
    double *U, *product, grows;
    pen_eig small;
    pen_sym N;

    PEN_TRY(small_matrix(run, problem, v, &small));
    out->positive = small.values[c - 1] > POSITIVE * (double)c * small.values[0];
    if (!out->positive)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, U, pen_times(c, d)));
    PEN_TRY(PEN_NEW(run, product, pen_times(d, d)));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, c, d, c, 1, small.vectors, c, problem->Z, d, 0, U,
                  d);
    for (int64_t i = 0; i < c; i++)
        for (int64_t j = 0; j < d; j++)
            U[i * d + j] /= sqrt(small.values[i]);
    out->tie = tie_of(&small, U, d);
    PEN_TRY(pen_sym_copy(run, &problem->R, &N));
    pen_blas_syrk(PEN_F64, d, c, U, d, 0, product, d);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++)
            N.a[i * d + j] -= product[i * d + j];
    PEN_TRY(smallest(run, &N, k, &out->e));
    PEN_TRY(slope(run, problem, &small, U, &out->e, &grows));
    out->sum = 0;
    for (int64_t i = 0; i < k; i++)
        out->sum += out->e.values[i] += ridge;
    /* v - v sum / (sum + v slope), the ratio of W and F, without a subtraction */
    out->next = v * (v * grows / (out->sum + v * grows));
    return PEN_OK;
}

/* The bounds of the root, and the state of the search. */
struct search {
    double low, high, v;
    double move; /* size of the last Newton step; infinite: the last step was another one */
    /* it was less than half of the previous one; far from where K stops being positive definite,
     * steps grow at first */
    int falling;
};

/* 1 if the trial at v is final; otherwise v is the next to try. */
static int next_trial(struct search *s, const struct trial *t)
{
    const int closed = s->high - s->low <= ROUNDED * s->high;

    if (t->positive) {
        const double move = fabs(t->next - s->v);
        if (move <= ROUNDED * s->v || (s->falling && move <= NEAR * s->v && move >= s->move / 2)
            || (closed && s->v == s->high))
            return 1;
        s->falling = s->move < INFINITY && move < s->move / 2;
        s->move = move;
    }
    if (!t->positive || t->sum < 0)
        s->low = fmax(s->low, s->v);
    else
        s->high = fmin(s->high, s->v);
    if (s->high - s->low <= ROUNDED * s->high) {
        s->v = s->high;
    } else if (t->positive && t->next > s->low && t->next < s->high) {
        s->v = t->next;
    } else {
        s->v = (s->low + s->high) / 2;
        s->move = INFINITY;
        s->falling = 0;
    }
    return 0;
}

pen_status pen_solve_flexible(pen_run *run, const pen_flexible *problem, double ridge, int64_t k,
                              pen_projection *out)
{
    struct search s = { .low = 0, .high = 1, .v = 0.5, .move = INFINITY };
    struct trial t;

    PEN_TRY(PEN_NEW(run, out->W, pen_times(problem->R.d, k)));
    PEN_TRY(PEN_NEW(run, out->eigenvalues, k));
    for (int step = 1; step <= MOST; step++) {
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(pen_progress(run, "trace ratio", step - 1, MOST));
        PEN_TRY(try_ratio(run, problem, ridge, k, s.v, &t));
        const double tried = s.v;
        if (next_trial(&s, &t)) {
            PEN_REQUIRE(run, t.tie > POSITIVE * (double)problem->classes * problem->size,
                        PEN_RANK_TOO_SMALL,
                        "nothing to project on: by the labels, the means of all classes are equal");
            /* the root, or the least possible ratio */
            const double ratio = fabs(t.next - tried) <= NEAR * tried ? t.next : tried;
            pen_solve_take(&t.e, k, out);
            out->ridge = ridge;
            pen_release(run, mark);
            pen_note(run, "ratio", ratio);
            pen_note(run, "iterations", step);
            return PEN_OK;
        }
        pen_release(run, mark);
    }
    return pen_fail(
        run, PEN_NOT_CONVERGED,
        "the trace ratio did not converge after %d steps: it is between %.17g and %.17g", MOST,
        s.low, s.high);
}
