/* direct.c - the largest eigenvalues of a sum of scatters by block Lanczos. */
#include "solve/direct.h"

#include "linalg/implicit.h"
#include "linalg/lanczos.h"
#include "linalg/orthonormal.h"

#include <float.h>
#include <math.h>

/* Residuals, relative to the largest |value| met, which may be far below 0: that of a direction to
 * be made short. */
static const double TOL = 1e-12;

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
static pen_status enter_span(pen_run *run, const pen_sym *A, int64_t k, const pen_lanczos_pairs *e,
                             int64_t q, double *W)
{
    double *found;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, found, pen_times(A->d, q)));
    for (int64_t j = 0; j < A->d; j++)
        for (int64_t c = 0; c < q; c++)
            found[j * q + c] = e->vectors[j * k + c] / e->values[c];
    PEN_TRY(pen_implicit_apply(run, A, q, found, W));
    pen_release(run, mark);
    return pen_orthonormal_columns(run, A->d, q, W);
}

pen_status pen_solve_directly(pen_run *run, const pen_sym *A, const pen_request *request,
                              pen_map *out)
{
    const pen_rows *const x = &A->terms->x;
    const int64_t k = request->wanted;
    const pen_lanczos problem = { .phase = "solving",
                                  .n = A->d,
                                  .k = k,
                                  .apply = pen_implicit_apply,
                                  .context = A,
                                  .block = pen_lanczos_block(k, pen_rows_are_sparse(x)),
                                  .tol = TOL };
    pen_lanczos_pairs e;

    PEN_REQUIRE(run, k > 0, PEN_BAD_ARGUMENT,
                "%lld rows with %lld columns are too many of both for all dimensions; set dim, or "
                "pca to a number of components, such as 100",
                (long long)x->n, (long long)A->d);
    PEN_REQUIRE(run, k <= A->d, PEN_RANK_TOO_SMALL,
                "dim must be at most %lld, the columns, got %lld", (long long)A->d, (long long)k);
    PEN_TRY(PEN_NEW(run, out->eigenvalues, k));
    PEN_TRY(PEN_NEW(run, out->W, pen_times(A->d, k)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_lanczos_solve(run, &problem, &e));
    const int64_t q = count_above(A->terms, &e, k);
    PEN_TRY(check(run, q, request));
    for (int64_t c = 0; c < q; c++)
        out->eigenvalues[c] = e.values[c];
    PEN_TRY(enter_span(run, A, k, &e, q, out->W));
    out->d = A->d;
    out->k = q;
    out->residual = e.residual;
    pen_note(run, "products", (double)e.products);
    pen_note(run, "restarts", (double)e.restarts);
    pen_release(run, mark);
    return PEN_OK;
}
