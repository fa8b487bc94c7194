/* direct.c - the largest eigenvalues of a sum of scatters, by block Lanczos. */
#include "solve/direct.h"
#include "core/rows.h"
#include "linalg/decompose.h"

#include "linalg/implicit.h"
#include "linalg/lanczos.h"
#include "linalg/operator.h"
#include "linalg/orthonormal.h"
#include "linalg/products.h"
#include "linalg/row_products.h"
#include "linalg/sparse_rows.h"
#include "linalg/sym.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the inverse root of a scatter of few rows plus a multiple of the identity ---- */

/* C = a I + weight X'LX, L 0 outside of l rows. With L = FF', H = weight F'XX'F = U diag(s) U':
 *
 *   C^(-1/2) = a^(-1/2) (I + X'NX),  N = weight F U diag(((1 + s/a)^(-1/2) - 1) / s) U'F' */
typedef struct whitening {
    pen_view rows; /* the l rows about their mean, which makes no difference to L */
    int64_t d;
    double identity;  /* a */
    double condition; /* number of C */
    double *N;        /* [l x l] */
} whitening;

enum { TOGETHER = 64 }; /* number of columns of L to find at a time */

/* Is C of this kind? */
static int can_whiten(const pen_sym *C)
{
    const pen_operator *const terms = C->terms;

    return C->identity > 0 && terms
           && (terms->count == 0 || (terms->count == 1 && terms->term[0].known));
}

/* Finds the rows that L involves, ascending. */
static pen_status find_rows(pen_run *run, const pen_operator *terms, int64_t **out)
{
    const pen_operator_term *const term = terms->term;
    const int64_t n = terms->x.n;
    int64_t count = 0;
    char *known;

    PEN_TRY(PEN_NEW(run, *out, term->known_count));
    PEN_TRY(PEN_FILLED(run, known, n, 0));
    for (int64_t i = 0; i < term->known_count; i++)
        known[term->known[i]] = 1;
    for (int64_t i = 0; i < n; i++)
        if (known[i])
            (*out)[count++] = i;
    return PEN_OK;
}

/* Finds L [l x l] of the rows [l], by its products with unit vectors. */
static pen_status find_inner(pen_run *run, const pen_operator *terms, int64_t l,
                             const int64_t *rows, double *L)
{
    const pen_operator_term *const term = terms->term;
    const int64_t n = terms->x.n;
    double *unit, *column;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, unit, column, pen_times(n, TOGETHER)));
    for (int64_t first = 0; first < l; first += TOGETHER) {
        const int64_t count = pen_min(TOGETHER, l - first);
        memset(unit, 0, (size_t)(n * count) * sizeof *unit);
        for (int64_t j = 0; j < count; j++)
            unit[rows[first + j] * count + j] = 1;
        PEN_TRY(term->apply(run, term->context, count, unit, column));
        for (int64_t i = 0; i < l; i++)
            memcpy(L + i * l + first, column + rows[i] * count, (size_t)count * sizeof *L);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* Replaces L [l x l] by F' [l x l] in rows, L = FF'. */
static pen_status factor(pen_run *run, int64_t l, double *L)
{
    double *values, *vectors;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, values, l));
    PEN_TRY(PEN_NEW(run, vectors, pen_times(l, l)));
    PEN_TRY(pen_decompose(run, l, l, L, values, vectors));
    for (int64_t c = 0; c < l; c++)
        for (int64_t i = 0; i < l; i++)
            L[c * l + i] = sqrt(fmax(0, values[c])) * vectors[c * l + i];
    pen_release(run, mark);
    return PEN_OK;
}

/* Computes N and the condition number from F' and K = XX'. */
static pen_status combine(pen_run *run, double weight, int64_t l, const double *F, const double *K,
                          whitening *w)
{
    const double identity = w->identity;
    double *half, *H, *values, *U;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW3(run, half, H, U, pen_times(l, l)));
    PEN_TRY(PEN_NEW(run, values, l));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, l, l, l, F, K, half));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_TRANSPOSED, l, l, l, half, F, H));
    PEN_TRY(pen_decompose(run, l, l, H, values, U));
    PEN_REQUIRE(run, identity > (double)l * DBL_EPSILON * weight * values[l - 1],
                PEN_SINGULAR_SCATTER,
                "the denominator scatter is singular: its smallest eigenvalue is %.2g times its "
                "largest",
                identity / (identity + weight * values[l - 1]));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, l, l, l, U, F, half)); /* U'F' */
    for (int64_t c = 0; c < l; c++) {
        const double s = weight * fmax(0, values[c]) / identity, root = sqrt(1 + s);
        /* (1/root - 1) / s, also for s = 0 */
        const double change = -1 / (root * (1 + root));
        for (int64_t i = 0; i < l; i++)
            U[c * l + i] = weight / identity * change * half[c * l + i];
    }
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, l, l, l, half, U, w->N));
    w->condition = 1 + weight * fmax(0, values[l - 1]) / identity;
    pen_release(run, mark);
    return PEN_OK;
}

/* Opens the rows and N of the only term; the ridge is in units of its trace. */
static pen_status open_term(pen_run *run, const pen_operator *terms, int64_t d, double amount,
                            whitening *w, double *ridge)
{
    const pen_operator_term *const term = terms->term;
    const int64_t l = term->known_count;
    int64_t *rows;
    double *L, *K;

    PEN_TRY(find_rows(run, terms, &rows));
    PEN_TRY(pen_rows_open_part(run, &terms->x, l, rows, &w->rows));
    PEN_TRY(pen_sparse_rows_attach(run, &w->rows));
    PEN_TRY(PEN_NEW(run, w->N, pen_times(l, l)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, L, K, pen_times(l, l)));
    PEN_TRY(find_inner(run, terms, l, rows, L));
    PEN_TRY(pen_rows_gram(run, &w->rows, K));
    *ridge += amount * term->weight * pen_dot(l * l, L, K) / (double)d;
    w->identity += *ridge;
    PEN_TRY(factor(run, l, L));
    PEN_TRY(combine(run, term->weight, l, L, K, w));
    pen_release(run, mark);
    return PEN_OK;
}

/* amount: of a ridge that adds amount tr(C)/d to a; *ridge is the number added.
 * PEN_SINGULAR_SCATTER: a is within the rounding error of C. Cost: l^2 d, or the products of sparse
 * rows, and eigenproblems of l x l; memory: 6 l^2 doubles. */
static pen_status open_whitening(pen_run *run, const pen_sym *C, double amount, whitening *out,
                                 double *ridge)
{
    *out = (whitening){ .d = C->d, .identity = C->identity, .condition = 1, .rows = { .n = 0 } };
    *ridge = amount * C->identity;
    if (C->terms->count > 0)
        return open_term(run, C->terms, C->d, amount, out, ridge);
    out->identity += *ridge;
    return PEN_OK;
}

/* y = C^(-1/2) v, both [d x k]: a pen_apply_fn; `context` is a whitening. Cost: two products
 * with the l rows. */
static pen_status whiten(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    const whitening *const w = context;
    const int64_t l = w->rows.n, size = w->d * k;
    const double root = 1 / sqrt(w->identity);
    double *products, *turned;

    const pen_mark_t mark = pen_mark(run);
    memset(y, 0, (size_t)size * sizeof *y);
    if (l > 0) {
        PEN_TRY(PEN_NEW2(run, products, turned, pen_times(l, k)));
        PEN_TRY(pen_rows_multiply(run, &w->rows, k, v, products));
        PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, l, k, l, w->N, products, turned));
        PEN_TRY(pen_rows_gather(run, &w->rows, k, turned, y));
    }
    for (int64_t j = 0; j < size; j++)
        y[j] = root * (v[j] + y[j]);
    pen_release(run, mark);
    return PEN_OK;
}

/* Limit of residuals, relative to the largest |value|, which may be far below 0 and belong to a
 * direction to shorten. */
static const double TOL = 1e-12;

/* The same for ratios, which are above 0. */
static const double RATIO_TOL = 1e-10;

/* The number of values that exceed 0 by more than their errors. */
static int64_t count_above(const pen_operator *terms, const pen_lanczos_pairs *e, int64_t k)
{
    const double noise = (double)pen_max(terms->x.n, terms->x.d) * DBL_EPSILON,
                 limit = e->scale * fmax(noise, e->residual);
    int64_t above = 0;

    while (above < k && e->values[above] > limit)
        above++;
    return above;
}

static pen_status check(pen_run *run, int64_t above, const pen_request *request)
{
    PEN_REQUIRE(run, above > 0, PEN_RANK_TOO_SMALL,
                "nothing to project on: no direction makes the criterion positive");
    PEN_REQUIRE(run, above == request->wanted || request->allow_fewer, PEN_RANK_TOO_SMALL,
                "dim must be at most %lld, got %lld: no other directions make the criterion "
                "positive, as this number of columns requires without pca",
                (long long)above, (long long)request->wanted);
    return PEN_OK;
}

/* W [d x q] = A v / value. The vectors found leave the span of the rows by their residuals; these
 * do not. */
static pen_status enter_span(pen_run *run, const pen_lanczos *A, const pen_lanczos_pairs *e,
                             int64_t q, double *W)
{
    double *found;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, found, pen_times(A->n, q)));
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t c = 0; c < q; c++)
            found[j * q + c] = e->vectors[j * A->k + c] / e->values[c];
    PEN_TRY(A->apply(run, A->context, q, found, W));
    pen_release(run, mark);
    return pen_orthonormal_columns(run, A->n, q, W);
}

/* Orthonormal columns W [d x q] with the largest values of A, a product of matrices with the rows
 * of `terms`. */
static pen_status solve_largest(pen_run *run, const pen_operator *terms, pen_apply_fn apply,
                                const void *A, double tol, const pen_request *request,
                                pen_projection *out)
{
    const int64_t n = terms->x.n, d = terms->x.d, k = request->wanted;
    const pen_lanczos problem = { .phase = "solving",
                                  .n = d,
                                  .k = k,
                                  .apply = apply,
                                  .context = A,
                                  .block = pen_lanczos_block(k, pen_rows_are_sparse(&terms->x)),
                                  .tol = tol };
    pen_lanczos_pairs e;

    PEN_REQUIRE(run, k > 0, PEN_BAD_ARGUMENT,
                "%lld rows and %lld columns are too many for all dimensions; set dim, or "
                "pca to a number of components, such as 100",
                (long long)n, (long long)d);
    PEN_REQUIRE(run, k <= d, PEN_RANK_TOO_SMALL,
                "dim must be at most %lld, the number of columns, got %lld", (long long)d,
                (long long)k);
    PEN_TRY(PEN_NEW(run, out->eigenvalues, k));
    PEN_TRY(PEN_NEW(run, out->W, pen_times(d, k)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_lanczos_solve(run, &problem, &e));
    const int64_t q = count_above(terms, &e, k);
    PEN_TRY(check(run, q, request));
    for (int64_t c = 0; c < q; c++)
        out->eigenvalues[c] = e.values[c];
    PEN_TRY(enter_span(run, &problem, &e, q, out->W));
    out->d = d;
    out->k = q;
    out->residual = e.residual;
    pen_note(run, "products", (double)e.products);
    pen_note(run, "restarts", (double)e.restarts);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_solve_directly(pen_run *run, const pen_sym *A, const pen_request *request,
                              pen_projection *out)
{
    return solve_largest(run, A->terms, pen_implicit_apply, A, TOL, request, out);
}

/* ---- ratios by whitening ---- */

struct whitened {
    const pen_sym *B;
    whitening C;
};

/* y = C^(-1/2) B C^(-1/2) v. */
static pen_status apply_whitened(pen_run *run, const void *context, int64_t k, const double *v,
                                 double *y)
{
    const struct whitened *const p = context;
    double *white;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, white, pen_times(p->B->d, k)));
    PEN_TRY(whiten(run, &p->C, k, v, y));
    PEN_TRY(pen_implicit_apply(run, p->B, k, y, white));
    PEN_TRY(whiten(run, &p->C, k, white, y));
    pen_release(run, mark);
    return PEN_OK;
}

/* The rounding errors of whitened vectors grow in proportion to the condition number of C. */
static pen_status explain(pen_run *run, double condition, pen_status status)
{
    char text[160];

    if (status != PEN_NOT_CONVERGED)
        return status;
    snprintf(text, sizeof text, "the condition number of the denominator is %.1e", condition);
    pen_explain(run, text);
    return status;
}

static pen_status solve_whitened(pen_run *run, const pen_sym *B, const pen_sym *C,
                                 const pen_ridge *ridge, const pen_request *request, pen_eig *e,
                                 double *added)
{
    struct whitened p = { .B = B };
    pen_projection white;
    double *columns;

    PEN_TRY(open_whitening(run, C, ridge ? fmax(0, ridge->amount) : 0, &p.C, added));
    PEN_TRY(explain(run, p.C.condition,
                    solve_largest(run, B->terms, apply_whitened, &p, RATIO_TOL, request, &white)));
    const int64_t d = B->d, k = white.k;
    PEN_TRY(PEN_NEW(run, columns, pen_times(d, k)));
    *e = (pen_eig){ .d = d, .rank = k, .values = white.eigenvalues, .residual = white.residual };
    PEN_TRY(PEN_NEW(run, e->vectors, pen_times(k, d)));
    PEN_TRY(whiten(run, &p.C, k, white.W, columns));
    pen_transpose(d, k, columns, e->vectors);
    return PEN_OK;
}

/* ---- ratios with a B of low rank ---- */

enum { MOST_ITERATIONS = 20000 };

/* Relative to the right-hand side. */
static const double CG_TOL = 1e-13;

/* Y [d x r] = C^-1 M', M' [d x r]. */
static pen_status divide(pen_run *run, const pen_sym *C, int64_t r, const double *M, double *Y)
{
    int64_t iterations = 0;
    double *diagonal;

    PEN_TRY(PEN_NEW(run, diagonal, C->d));
    for (int64_t j = 0; j < C->d; j++)
        diagonal[j] = 1;
    const pen_cg system = { .phase = "solving",
                            .n = C->d,
                            .apply = pen_implicit_apply,
                            .context = C,
                            .diagonal = diagonal,
                            .tol = CG_TOL,
                            .most = MOST_ITERATIONS,
                            .iterations = &iterations };
    for (int64_t j = 0; j < C->d * r; j++)
        Y[j] = 0;
    PEN_TRY(pen_cg_solve(run, &system, r, M, Y));
    pen_note(run, "cg_iterations", (double)iterations);
    return PEN_OK;
}

/* G = M Y, and its eigenpairs: *inner. */
static pen_status solve_inner(pen_run *run, int64_t d, int64_t r, int64_t k, const double *M,
                              const double *Y, pen_eig *inner)
{
    pen_sym G;

    PEN_TRY(pen_sym_zero(run, r, &G));
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, r, r, d, M, Y, G.a));
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j < i; j++)
            G.a[i * r + j] = (G.a[i * r + j] + G.a[j * r + i]) / 2;
    pen_sym_note(&G, r, DBL_EPSILON);
    return pen_eig_largest(run, &G, NULL, k, inner);
}

static pen_status solve_low_rank(pen_run *run, const pen_sym *B, const pen_sym *C,
                                 const pen_request *request, pen_eig *e)
{
    const pen_operator_term *const term = B->terms->term;
    const int64_t d = B->d, r = term->rank, k = request->wanted ? pen_min(request->wanted, r) : r;
    double *M, *Y;
    pen_eig inner;

    PEN_TRY(PEN_NEW2(run, M, Y, pen_times(d, r)));
    PEN_TRY(pen_rows_gather(run, &B->terms->x, r, term->factor, M));
    for (int64_t j = 0; j < d * r; j++)
        M[j] *= sqrt(term->weight);
    PEN_TRY(divide(run, C, r, M, Y));
    PEN_TRY(solve_inner(run, d, r, k, M, Y, &inner));
    *e = inner;
    if (inner.rank == 0)
        return PEN_OK;
    e->d = d;
    PEN_TRY(PEN_NEW(run, e->vectors, pen_times(inner.rank, d)));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_TRANSPOSED, inner.rank, d, r, inner.vectors, Y,
                         e->vectors));
    for (int64_t c = 0; c < inner.rank; c++)
        for (int64_t j = 0; j < d; j++)
            e->vectors[c * d + j] /= sqrt(inner.values[c]);
    return PEN_OK;
}

pen_status pen_solve_ratio_directly(pen_run *run, const pen_sym *B, const pen_sym *C,
                                    const pen_ridge *ridge, const pen_request *request, pen_eig *e,
                                    double *added)
{
    *added = 0;
    if (C && can_whiten(C))
        return solve_whitened(run, B, C, ridge, request, e, added);
    if (B->terms->count != 1 || !B->terms->term->factor || !C || !(C->identity > 0) || ridge)
        return pen_sym_need_stored(run, B);
    return solve_low_rank(run, B, C, request, e);
}
