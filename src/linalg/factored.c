/* factored.c - eigenvalues and projections of scatters stored as a matrix or as rows. */
#include "linalg/factored.h"

#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rows D = U diag(s) V': s^2 are the eigenvalues of D'D, and the rows of V' the vectors. */
static pen_status singular_values(pen_run *run, const double *rows, int64_t m, int64_t d,
                                  double *values, double *vectors)
{
    double *Q, *U, *work;

    if (m == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, Q, pen_times(m, d)));
    PEN_TRY(PEN_NEW(run, U, pen_times(m, m)));
    PEN_TRY(PEN_NEW(run, work, pen_lapack_thin_svd_size(m)));
    memcpy(Q, rows, (size_t)(m * d) * sizeof *Q);
    PEN_TRY(pen_progress(run, "solving", 0, 1));
    PEN_REQUIRE(run, pen_lapack_thin_svd(d, m, Q, values, U, work) == 0, PEN_NOT_CONVERGED,
                "the singular values did not converge");
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, m, d, m, 1, U, m, Q, d, 0, vectors, d);
    pen_release(run, mark);
    return PEN_OK;
}

static int64_t rank_of(const double *singular, int64_t m, int64_t d)
{
    int64_t rank = 0;
    while (rank < m && singular[rank] > (double)d * DBL_EPSILON * singular[0])
        rank++;
    return rank;
}

pen_status pen_factored_eig(pen_run *run, const pen_factored *factored, pen_eig *out)
{
    const int64_t m = factored->count, d = factored->d;

    if (!factored->rows)
        return pen_eig_largest(run, &factored->matrix, NULL, d, out);
    for (int64_t i = 0; i < m * d; i++)
        PEN_REQUIRE(run, isfinite(factored->rows[i]), PEN_BAD_DATA,
                    "values are too large: their differences overflow");
    *out = (pen_eig){ .d = d, .k = m };
    PEN_TRY(PEN_NEW(run, out->values, m));
    PEN_TRY(PEN_NEW(run, out->vectors, pen_times(m, d)));
    PEN_TRY(singular_values(run, factored->rows, m, d, out->values, out->vectors));
    out->rank = rank_of(out->values, m, d);
    for (int64_t i = 0; i < m; i++)
        out->values[i] = i < out->rank ? out->values[i] * out->values[i] : 0;
    for (int64_t i = 0; i < out->rank; i++)
        PEN_REQUIRE(run, isfinite(out->values[i]) && out->values[i] > 0, PEN_BAD_DATA,
                    "values are too %s: their products %s", out->values[i] > 0 ? "large" : "small",
                    out->values[i] > 0 ? "overflow" : "underflow");
    return PEN_OK;
}

pen_status pen_factored_project(pen_run *run, const pen_factored *factored, const double *V,
                                int64_t k, pen_sym *S)
{
    double *DV;

    if (!factored->rows)
        return pen_sym_project(run, &factored->matrix, V, k, S);
    PEN_TRY(pen_sym_zero(run, k, S));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, DV, pen_times(factored->count, k)));
    if (factored->count > 0) {
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, factored->count, k, factored->d, 1,
                      factored->rows, factored->d, V, factored->d, 0, DV, k);
        pen_blas_syrk(PEN_F64, k, factored->count, DV, k, 0, S->a, k);
    }
    pen_sym_note(S, factored->count, DBL_EPSILON);
    pen_release(run, mark);
    return PEN_OK;
}

double pen_factored_noise(const pen_factored *factored, const double *v)
{
    double sum = 0;

    if (!factored->rows)
        return pen_eig_noise(&factored->matrix, v);
    for (int64_t i = 0; i < factored->count; i++) {
        double sizes = 0;
        for (int64_t j = 0; j < factored->d; j++)
            sizes += fabs(factored->rows[i * factored->d + j] * v[j]);
        sum += sizes * sizes;
    }
    return (double)(factored->d * factored->d) * DBL_EPSILON * DBL_EPSILON * sum;
}

/* rows -= (rows basis') basis, twice: after one pass the remainder of a row may be mostly
 * rounding. */
static pen_status remove_basis(pen_run *run, double *rows, int64_t m, int64_t d,
                               const double *basis, int64_t r)
{
    double *along;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, along, pen_times(m, r)));
    for (int pass = 0; r > 0 && pass < 2; pass++) {
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, m, r, d, 1, rows, d, basis, d, 0, along,
                      r);
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, m, d, r, -1, along, r, basis, d, 1, rows, d);
    }
    pen_release(run, mark);
    return PEN_OK;
}

static double largest_of(const double *values, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

pen_status pen_factored_complete(pen_run *run, const pen_factored *factored, double *basis,
                                 int64_t r, int64_t *k)
{
    const int64_t m = factored->count, d = factored->d;
    double *remainder, *values, *vectors;

    *k = r;
    if (!factored->rows)
        return PEN_OK;
    const double noise = 16 * (double)d * DBL_EPSILON * largest_of(factored->rows, m * d);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, remainder, pen_times(m, d)));
    PEN_TRY(PEN_NEW(run, values, m));
    PEN_TRY(PEN_NEW(run, vectors, pen_times(m, d)));
    memcpy(remainder, factored->rows, (size_t)(m * d) * sizeof *remainder);
    PEN_TRY(remove_basis(run, remainder, m, d, basis, r));
    PEN_TRY(singular_values(run, remainder, m, d, values, vectors));
    while (*k - r < m && *k < d && values[*k - r] > noise) {
        memcpy(basis + *k * d, vectors + (*k - r) * d, (size_t)d * sizeof *basis);
        ++*k;
    }
    pen_release(run, mark);
    return PEN_OK;
}
