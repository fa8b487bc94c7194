/* scores.c - U + L, what is added to it, and conjugate gradients. */
#include "scatter/scores.h"

#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/cg.h"
#include "linalg/products.h"
#include "linalg/reduce.h"
#include "linalg/root.h"
#include "linalg/stiefel.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 32 /* right-hand sides at once */, PIECE = 1024 /* rows */, MOST_ITERATIONS = 100000 };

static const double TOLERANCE = 1e-13;
static const char REMEDY[] = "a larger mu, or a smaller label_weight";

/* K = U + L + weight (I - 11'/n - X inverse X'), the last of it where there is an inverse. */
struct system {
    const pen_rows *x;
    pen_csr A;              /* U + L */
    const double *diagonal; /* [n] of U + L + weight I */
    double weight;
    int64_t rank;          /* 0: no inverse */
    const double *basis;   /* [rank x d] */
    const double *inverse; /* [rank] in the coordinates of the basis */
    double *sums;          /* [d x classes] */
    double *inside;        /* [rank x classes] */
    double *fitted;        /* [n x classes] */
};

/* G = X'y, y [n x k] less its means: those would take what rounding leaves of the mean of the rows to G. */
static pen_status gather(pen_run *run, const pen_rows *x, int64_t k, double *y, double *G)
{
    for (int64_t c = 0; c < k; c++) {
        double mean = 0;
        for (int64_t i = 0; i < x->n; i++)
            mean += y[i * k + c];
        mean /= (double)x->n;
        for (int64_t i = 0; i < x->n; i++)
            y[i * k + c] -= mean;
    }
    return rows_gather(run, x, k, y, G);
}

static pen_status system_open(pen_run *run, const pen_rows *x, const pen_graph *graph, const pen_label_weights *weights, double weight,
                              struct system *out)
{
    double *own, *all;

    *out = (struct system){ .x = x, .weight = weight };
    PEN_TRY(graph_csr(run, graph, 1, &out->A));
    PEN_TRY(PEN_NEW(run, own, x->n));
    PEN_TRY(PEN_NEW(run, all, x->n));
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
    return PEN_OK;
}

/* G [d x k] becomes the inverse of X'X + I/gamma times it. */
static void divide(const struct system *s, int64_t k, double *G)
{
    const int64_t d = s->x->d, r = s->rank;

    blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, r, k, d, 1, s->basis, d, G, k, 0, s->inside, k);
    for (int64_t i = 0; i < r; i++)
        for (int64_t c = 0; c < k; c++)
            s->inside[i * k + c] *= s->inverse[i];
    blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, d, k, r, 1, s->basis, d, s->inside, k, 0, G, k);
}

/* What is added to (U + L) v, in pieces of rows. */
struct addition {
    const struct system *s;
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
        const double *restrict v = a->v + i * k, *restrict fitted = a->s->rank > 0 ? a->s->fitted + i * k : NULL;
        double *restrict y = a->y + i * k;
        for (int64_t c = 0; c < k; c++)
            y[c] += weight * (v[c] - mean[c] - (fitted ? fitted[c] : 0));
    }
}

/* y += weight (v - mean of v - what rows take from v). */
static pen_status add_rest(pen_run *run, const struct system *s, int64_t k, const double *v, double *y)
{
    const int64_t n = s->x->n, pieces = (n + PIECE - 1) / PIECE;
    struct addition a = { .s = s, .k = k, .v = v, .y = y };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, a.sums, pieces * k));
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
    const struct system *s = context;

    PEN_TRY(csr_multiply(run, &s->A, k, v, y));
    if (s->weight == 0)
        return PEN_OK;
    if (s->rank > 0) {
        PEN_TRY(rows_gather(run, s->x, k, v, s->sums));
        divide(s, k, s->sums);
        PEN_TRY(rows_multiply(run, s->x, k, s->sums, s->fitted));
    }
    return add_rest(run, s, k, v, y);
}

/* y = rhs over the diagonal, and what that leaves: large weights of labels are then out of the residuals that others are measured by. */
static pen_status begin(pen_run *run, const struct system *s, int64_t k, const double *rhs, double *y, double *rest)
{
    for (int64_t i = 0; i < s->x->n; i++)
        for (int64_t c = 0; c < k; c++)
            y[i * k + c] = rhs[i * k + c] / s->diagonal[i];
    PEN_TRY(apply(run, s, k, y, rest));
    for (int64_t i = 0; i < s->x->n * k; i++)
        rest[i] = rhs[i] - rest[i];
    return PEN_OK;
}

/* K y = rhs. */
static pen_status solve(pen_run *run, const struct system *s, int64_t k, const double *rhs, double *y)
{
    const pen_cg how = { "scores", s->x->n, apply, s, s->diagonal, TOLERANCE, MOST_ITERATIONS, REMEDY };
    double *rest, *more;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rest, s->x->n * k));
    PEN_TRY(PEN_NEW(run, more, s->x->n * k));
    PEN_TRY(begin(run, s, k, rhs, y, rest));
    memset(more, 0, (size_t)(s->x->n * k) * sizeof *more);
    PEN_TRY(cg_solve(run, &how, k, rest, more));
    for (int64_t i = 0; i < s->x->n * k; i++)
        y[i] += more[i];
    pen_release(run, mark);
    return PEN_OK;
}

/* U Y [n x classes]. */
static pen_status targets(pen_run *run, const pen_rows *x, const pen_label_weights *weights, double **out)
{
    const int64_t c = x->classes;

    PEN_TRY(PEN_NEW(run, *out, x->n * c));
    memset(*out, 0, (size_t)(x->n * c) * sizeof **out);
    for (int64_t k = 0; k < c; k++)
        for (int64_t i = x->starts[k]; i < x->starts[k + 1]; i++)
            (*out)[x->members[i] * c + k] = weights->labelled;
    return PEN_OK;
}

/* tr((F - Y)'U(F - Y)) + tr(F'LF). */
static double spread(const pen_rows *x, const pen_graph *graph, const pen_label_weights *weights, const double *F)
{
    const int64_t n = x->n, c = x->classes;
    double sum = 0, pull = 0, fit = 0;

    for (int64_t i = 0; i < n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++)
            for (int64_t k = 0; k < c; k++) {
                const double off = F[i * c + k] - F[graph->other[e] * c + k];
                sum += graph->weight[e] * off * off;
            }
    for (int64_t i = 0; weights->unlabelled > 0 && i < n * c; i++)
        pull += F[i] * F[i];
    for (int64_t a = 0; a < c; a++)
        for (int64_t i = x->starts[a]; i < x->starts[a + 1]; i++)
            for (int64_t k = 0; k < c; k++) {
                const double f = F[x->members[i] * c + k];
                fit += (f - (k == a)) * (f - (k == a));
                pull -= weights->unlabelled > 0 ? f * f : 0;
            }
    return sum + weights->labelled * fit + weights->unlabelled * pull;
}

/* |W|^2 / gamma + |X W + 1 b' - F|^2. */
static pen_status misfit(pen_run *run, const pen_rows *x, double gamma, const pen_map *map, double *out)
{
    const int64_t n = x->n, c = x->classes;
    double *z, length = 0, sum = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, z, n * c));
    PEN_TRY(rows_multiply(run, x, c, map->W, z));
    for (int64_t i = 0; i < n * c; i++) {
        const double off = z[i] + map->bias[i % c] - map->propagated[i];
        sum += off * off;
    }
    for (int64_t i = 0; i < x->d * c; i++)
        length += map->W[i] * map->W[i];
    pen_release(run, mark);
    *out = length / gamma + sum;
    return PEN_OK;
}

/* tr(Y'U(Y - F)), which the criterion is at F = K^-1 U Y. */
static double missed(const pen_rows *x, const pen_label_weights *weights, const double *F)
{
    double sum = 0;

    for (int64_t k = 0; k < x->classes; k++)
        for (int64_t i = x->starts[k]; i < x->starts[k + 1]; i++)
            sum += 1 - F[x->members[i] * x->classes + k];
    return weights->labelled * sum;
}

static pen_status mean_scores(pen_run *run, int64_t n, int64_t c, const double *F, const double **out)
{
    double *mean;

    PEN_TRY(PEN_NEW(run, mean, c));
    memset(mean, 0, (size_t)c * sizeof *mean);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < c; k++)
            mean[k] += F[i * c + k];
    for (int64_t k = 0; k < c; k++)
        mean[k] /= (double)n;
    *out = mean;
    return PEN_OK;
}

/* ---- with a ridge regression ---- */

/* PEN_SINGULAR_SCATTER unless every row is connected with a labelled one by edges of some weight. */
static pen_status need_reach(pen_run *run, const pen_rows *x, const pen_csr *A)
{
    int64_t *queue, count = 0;
    char *seen;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, queue, x->n));
    PEN_TRY(PEN_NEW(run, seen, x->n));
    memset(seen, 0, (size_t)x->n);
    for (int64_t i = 0; i < x->labelled; i++) {
        seen[x->members[i]] = 1;
        queue[count++] = x->members[i];
    }
    for (int64_t at = 0; at < count; at++)
        for (int64_t e = A->first[queue[at]]; e < A->first[queue[at] + 1]; e++)
            if (A->weight[e] != 0 && !seen[A->other[e]]) {
                seen[A->other[e]] = 1;
                queue[count++] = A->other[e];
            }
    PEN_REQUIRE(
        run, count == x->n, PEN_SINGULAR_SCATTER,
        "%lld of %lld rows are not connected with a labelled row, which leaves their scores open; set mu > 0, unlabelled_weight > 0 or more neighbors",
        (long long)(x->n - count), (long long)x->n);
    pen_release(run, mark);
    return PEN_OK;
}

/* The inverse of X'X + I/gamma in the directions in which rows differ; W has no part in others. */
static pen_status find_inverse(pen_run *run, double gamma, struct system *s)
{
    const int64_t d = s->x->d, c = s->x->classes;
    const pen_rows precise = pen_rows_precise(s->x);
    double *inverse;
    pen_sym S;
    pen_eig e;

    PEN_TRY(sym_zero(run, d, &S));
    PEN_TRY(rows_scatter(run, &precise, 1, &S));
    PEN_TRY(eig_largest(run, &S, NULL, d, &e));
    PEN_REQUIRE(run, e.rank > 0, PEN_RANK_TOO_SMALL, "nothing to project on: all rows are equal");
    PEN_TRY(PEN_NEW(run, inverse, e.rank));
    for (int64_t i = 0; i < e.rank; i++)
        inverse[i] = 1 / (e.values[i] + 1 / gamma);
    s->rank = e.rank;
    s->basis = e.vectors;
    s->inverse = inverse;
    PEN_TRY(PEN_NEW(run, s->sums, d * c));
    PEN_TRY(PEN_NEW(run, s->inside, e.rank * c));
    return PEN_NEW(run, s->fitted, s->x->n * c);
}

/* E'K E, E near the inverse root of U + L + weight I, which is K but for what the rows take from it: so that a product with the rows is worth many with the
 * graph. A pen_apply_fn. */
struct preconditioned {
    const struct system *system;
    pen_root root;
    double *v, *y; /* [n x classes] */
};

static pen_status apply_preconditioned(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    const struct preconditioned *p = context;

    PEN_TRY(root_multiply(run, &p->root, 0, k, v, p->v));
    PEN_TRY(apply(run, p->system, k, p->v, p->y));
    return root_multiply(run, &p->root, 1, k, p->y, y);
}

/* The least (u_i + weight) / diagonal_i. */
static double dominance(const struct system *s, const pen_label_weights *weights)
{
    const double least = fmin(weights->labelled, weights->unlabelled) + s->weight;
    double part = 1;

    for (int64_t i = 0; i < s->x->n; i++)
        part = fmin(part, least / s->diagonal[i]);
    return part;
}

/* The same answer as solve. */
static pen_status solve_preconditioned(pen_run *run, const struct system *s, const pen_label_weights *weights, int64_t k, const double *rhs,
                                       double *y)
{
    const int64_t n = s->x->n;
    struct preconditioned p = { .system = s };
    pen_csr A = s->A;
    double *rest, *turned, *ones, *z;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, p.v, n * k));
    PEN_TRY(PEN_NEW(run, p.y, n * k));
    PEN_TRY(PEN_NEW(run, rest, n * k));
    PEN_TRY(PEN_NEW(run, turned, n * k));
    PEN_TRY(PEN_NEW(run, z, n * k));
    PEN_TRY(PEN_NEW(run, ones, n));
    A.diagonal = s->diagonal;
    PEN_TRY(root_open(run, &A, dominance(s, weights), &p.root));
    PEN_TRY(begin(run, s, k, rhs, y, rest));
    PEN_TRY(root_multiply(run, &p.root, 1, k, rest, turned));
    memset(z, 0, (size_t)(n * k) * sizeof *z);
    for (int64_t i = 0; i < n; i++)
        ones[i] = 1;
    const pen_cg how = { "scores", n, apply_preconditioned, &p, ones, TOLERANCE, MOST_ITERATIONS, REMEDY };
    PEN_TRY(cg_solve(run, &how, k, turned, z));
    PEN_TRY(root_multiply(run, &p.root, 0, k, z, rest));
    for (int64_t i = 0; i < n * k; i++)
        y[i] += rest[i];
    pen_release(run, mark);
    return PEN_OK;
}

pen_status scores_flexible(pen_run *run, const pen_rows *x, const pen_graph *graph, const pen_label_weights *weights, double mu,
                           double gamma, pen_map *out)
{
    const int64_t n = x->n, d = x->d, c = x->classes;
    struct system s;
    double *UY, *F, off;

    PEN_TRY(PEN_NEW(run, F, n * c));
    PEN_TRY(PEN_NEW(run, out->W, d * c));
    PEN_TRY(system_open(run, x, graph, weights, mu * gamma, &s));
    if (s.weight == 0 && weights->unlabelled == 0)
        PEN_TRY(need_reach(run, x, &s.A));
    PEN_TRY(find_inverse(run, gamma, &s));
    PEN_TRY(targets(run, x, weights, &UY));
    PEN_TRY(s.weight > 0 ? solve_preconditioned(run, &s, weights, c, UY, F) : solve(run, &s, c, UY, F));
    memcpy(UY, F, (size_t)(n * c) * sizeof *UY);
    PEN_TRY(gather(run, x, c, UY, out->W));
    divide(&s, c, out->W);
    out->d = d;
    out->k = c;
    out->propagated = F;
    PEN_TRY(mean_scores(run, n, c, F, &out->bias));
    PEN_TRY(misfit(run, x, gamma, out, &off));
    return pen_trace(run, "objective", spread(x, graph, weights, F) + mu * gamma * off);
}

/* ---- with orthonormal columns ---- */

struct orthogonal {
    struct system system;
    const pen_span *span;
    int64_t c;
    double *Z;       /* [n x classes] K^-1 U Y */
    pen_sym Q;       /* [rank x rank] */
    double *C;       /* [rank x classes] */
    double constant; /* of the criterion */
    double *W;       /* [rank x blocks classes] */
    int64_t blocks;
};

/* Columns first .. first + k - 1 of the basis. */
static void take_basis(const pen_span *span, int64_t first, int64_t k, double *V)
{
    for (int64_t j = 0; j < span->d; j++)
        for (int64_t c = 0; c < k; c++)
            V[j * k + c] = span->basis[(first + c) * span->d + j];
}

/* Columns of mu X'K^-1 (U + L) X, a few at a time, into full [rank x rank]. */
static pen_status form_columns(pen_run *run, struct orthogonal *o, double *full)
{
    const struct system *const s = &o->system;
    const int64_t n = s->x->n, d = s->x->d, r = o->span->rank, most = pen_min(COLUMNS, r);
    double *V, *rows, *rhs;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, V, d * most));
    PEN_TRY(PEN_NEW(run, rows, n * most));
    PEN_TRY(PEN_NEW(run, rhs, n * most));
    for (int64_t first = 0; first < r; first += most) {
        const int64_t k = pen_min(most, r - first);
        PEN_TRY(pen_progress(run, "columns", first, r));
        take_basis(o->span, first, k, V);
        PEN_TRY(rows_multiply(run, s->x, k, V, rows));
        PEN_TRY(csr_multiply(run, &s->A, k, rows, rhs));
        PEN_TRY(solve(run, s, k, rhs, rows));
        PEN_TRY(gather(run, s->x, k, rows, V));
        blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, r, k, d, s->weight, o->span->basis, d, V, k, 0, full + first, r);
    }
    pen_release(run, mark);
    return pen_progress(run, "columns", r, r);
}

static pen_status form_problem(pen_run *run, const pen_label_weights *weights, struct orthogonal *o)
{
    const struct system *const s = &o->system;
    const int64_t d = s->x->d, r = o->span->rank, c = o->c;
    double *UY, *full, *sums;

    PEN_TRY(PEN_NEW(run, o->Z, s->x->n * c));
    PEN_TRY(PEN_NEW(run, o->C, r * c));
    PEN_TRY(sym_zero(run, r, &o->Q));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(targets(run, s->x, weights, &UY));
    PEN_TRY(solve(run, s, c, UY, o->Z));
    PEN_TRY(PEN_NEW(run, sums, d * c));
    memcpy(UY, o->Z, (size_t)(s->x->n * c) * sizeof *UY);
    PEN_TRY(gather(run, s->x, c, UY, sums));
    blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, r, c, d, s->weight, o->span->basis, d, sums, c, 0, o->C, c);
    PEN_TRY(PEN_NEW(run, full, r * r));
    PEN_TRY(form_columns(run, o, full));
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j <= i; j++)
            o->Q.a[i * r + j] = (full[i * r + j] + full[j * r + i]) / 2;
    sym_note(&o->Q, r, o->Q.epsilon);
    o->constant = missed(s->x, weights, o->Z);
    pen_release(run, mark);
    return PEN_OK;
}

/* An orthonormal basis, in rows, of what is orthogonal to the `found` first columns of W. */
static pen_status complement(pen_run *run, const struct orthogonal *o, int64_t found, const double **out)
{
    const int64_t r = o->span->rank, width = o->blocks * o->c;
    double *column;
    pen_sym P;
    pen_eig e;

    PEN_TRY(sym_zero(run, r, &P));
    PEN_TRY(PEN_NEW(run, column, r));
    sym_add_identity(1, &P);
    for (int64_t k = 0; k < found; k++) {
        for (int64_t j = 0; j < r; j++)
            column[j] = o->W[j * width + k];
        sym_add_outer(-1, column, &P);
    }
    PEN_TRY(eig_indefinite(run, &P, NULL, &e));
    *out = e.vectors;
    return PEN_OK;
}

static pen_status find_block(pen_run *run, const pen_alternation *rules, struct orthogonal *o, int64_t found)
{
    const int64_t r = o->span->rank, c = o->c, there = r - found, width = o->blocks * c;
    const double *basis;
    double *C, *W;
    pen_sym Q;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(complement(run, o, found, &basis));
    PEN_TRY(sym_project(run, &o->Q, basis, there, &Q));
    PEN_TRY(PEN_NEW(run, C, there * c));
    PEN_TRY(PEN_NEW(run, W, there * c));
    blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, there, c, r, 1, basis, r, o->C, c, 0, C, c);
    const pen_stiefel problem = { &Q, C, c, o->constant, found > 0 };
    PEN_TRY(stiefel_descend(run, &problem, rules, W));
    blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, r, c, there, 1, basis, r, W, c, 0, o->W + found, width);
    pen_release(run, mark);
    return PEN_OK;
}

/* Of the two answers as good as each other, in each block, the one whose farthest sum of scores is below the mean. */
static pen_status choose_sides(pen_run *run, struct orthogonal *o)
{
    const int64_t n = o->system.x->n, d = o->span->d, r = o->span->rank, c = o->c, blocks = o->blocks;
    double *sums, *V, *z;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, sums, r * blocks));
    PEN_TRY(PEN_NEW(run, V, d * blocks));
    PEN_TRY(PEN_NEW(run, z, n * blocks));
    for (int64_t i = 0; i < r * blocks; i++) {
        sums[i] = 0;
        for (int64_t k = 0; k < c; k++)
            sums[i] += o->W[i * c + k];
    }
    blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, d, blocks, r, 1, o->span->basis, d, sums, blocks, 0, V, blocks);
    PEN_TRY(rows_multiply(run, o->system.x, blocks, V, z));
    for (int64_t b = 0; b < blocks; b++) {
        double farthest = 0;
        for (int64_t i = 0; i < n; i++)
            farthest = fabs(z[i * blocks + b]) > fabs(farthest) ? z[i * blocks + b] : farthest;
        for (int64_t j = 0; farthest > 0 && j < r; j++)
            for (int64_t k = 0; k < c; k++)
                o->W[(j * blocks + b) * c + k] -= 2 / (double)c * sums[j * blocks + b];
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* F = K^-1 (U Y + mu X W) of the first block, and what the map is. */
static pen_status finish(pen_run *run, struct orthogonal *o, int64_t columns, pen_map *out)
{
    const struct system *const s = &o->system;
    const int64_t n = s->x->n, d = s->x->d, r = o->span->rank, c = o->c, width = o->blocks * c;
    double *F, *V, *rhs;

    out->d = d;
    out->k = columns;
    PEN_TRY(PEN_NEW(run, out->W, d * columns));
    blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, d, columns, r, 1, o->span->basis, d, o->W, width, 0, out->W, columns);
    PEN_TRY(PEN_NEW(run, F, n * c));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, V, d * c));
    PEN_TRY(PEN_NEW(run, rhs, n * c));
    for (int64_t j = 0; j < d; j++)
        for (int64_t k = 0; k < c; k++)
            V[j * c + k] = s->weight * out->W[j * columns + k];
    PEN_TRY(rows_multiply(run, s->x, c, V, rhs));
    PEN_TRY(solve(run, s, c, rhs, F));
    for (int64_t i = 0; i < n * c; i++)
        F[i] += o->Z[i];
    pen_release(run, mark);
    out->propagated = F;
    return mean_scores(run, n, c, F, &out->bias);
}

pen_status scores_orthogonal(pen_run *run, const pen_rows *x, const pen_graph *graph, const pen_label_weights *weights, double mu,
                             const pen_span *span, int64_t columns, const pen_alternation *rules, pen_map *out)
{
    const int64_t c = x->classes;
    struct orthogonal o = { .span = span, .c = c, .blocks = (columns + c - 1) / c };

    PEN_TRY(system_open(run, x, graph, weights, mu, &o.system));
    PEN_TRY(form_problem(run, weights, &o));
    PEN_TRY(PEN_NEW(run, o.W, span->rank * o.blocks * c));
    for (int64_t b = 0; b < o.blocks; b++)
        PEN_TRY(find_block(run, rules, &o, b * c));
    if (stiefel_balanced(span->rank, c, o.C))
        PEN_TRY(choose_sides(run, &o));
    return finish(run, &o, columns, out);
}
