/* direct.c - the largest eigenvalues of a sum of scatters by block Lanczos. */
#include "solve/direct.h"

#include "linalg/implicit.h"
#include "linalg/lanczos.h"
#include "linalg/orthonormal.h"
#include "linalg/products.h"
#include "solve/whiten.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Residuals, relative to the largest |value| met, which may be far below 0: that of a direction to
 * be made short. */
static const double TOL = 1e-12;

/* The same of ratios, which are above 0. */
static const double RATIO_TOL = 1e-10;

/* The number of values that are above 0 by more than their errors. */
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
                "dim must be at most %lld, got %lld: no others make the criterion positive, which "
                "rows with so many columns need unless pca is set",
                (long long)above, (long long)request->wanted);
    return PEN_OK;
}

/* W [d x q] = A v / value: vectors that were found are off the span of the rows by their residuals,
 * these are not. */
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
                "%lld rows with %lld columns are too many of both for all dimensions; set dim, or "
                "pca to a number of components, such as 100",
                (long long)n, (long long)d);
    PEN_REQUIRE(run, k <= d, PEN_RANK_TOO_SMALL, "dim must be at most %lld, the columns, got %lld",
                (long long)d, (long long)k);
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
    pen_whitening C;
};

/* y = C^(-1/2) B C^(-1/2) v. */
static pen_status apply_whitened(pen_run *run, const void *context, int64_t k, const double *v,
                                 double *y)
{
    const struct whitened *const p = context;
    double *white;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, white, pen_times(p->B->d, k)));
    PEN_TRY(pen_whiten(run, &p->C, k, v, y));
    PEN_TRY(pen_implicit_apply(run, p->B, k, y, white));
    PEN_TRY(pen_whiten(run, &p->C, k, white, y));
    pen_release(run, mark);
    return PEN_OK;
}

/* Rounding errors of whitened vectors are in proportion to the condition number of C. */
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

    PEN_TRY(pen_whitening_open(run, C, ridge ? fmax(0, ridge->amount) : 0, &p.C, added));
    PEN_TRY(explain(run, p.C.condition,
                    solve_largest(run, B->terms, apply_whitened, &p, RATIO_TOL, request, &white)));
    const int64_t d = B->d, k = white.k;
    PEN_TRY(PEN_NEW(run, columns, pen_times(d, k)));
    *e = (pen_eig){ .d = d, .rank = k, .values = white.eigenvalues, .residual = white.residual };
    PEN_TRY(PEN_NEW(run, e->vectors, pen_times(k, d)));
    PEN_TRY(pen_whiten(run, &p.C, k, white.W, columns));
    pen_transpose(d, k, columns, e->vectors);
    return PEN_OK;
}

/* ---- ratios of a B of low rank ---- */

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

    PEN_TRY(PEN_NEW(run, M, pen_times(d, r)));
    PEN_TRY(PEN_NEW(run, Y, pen_times(d, r)));
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
    if (C && pen_can_whiten(C))
        return solve_whitened(run, B, C, ridge, request, e, added);
    if (B->terms->count != 1 || !B->terms->term->factor || !C || !(C->identity > 0) || ridge)
        return pen_sym_need_stored(run, B);
    return solve_low_rank(run, B, C, request, e);
}
