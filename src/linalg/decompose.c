/* decompose.c - eigenvalues and vectors by LAPACK. */
#include "linalg/decompose.h"

#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Calls LAPACK with work space of its own. */
static pen_status call_lapack(pen_run *run, int64_t d, int64_t k, double *a, double *values,
                              double *vectors, int *info)
{
    lapack_eig_work work;

    pen_lapack_eig_sizes(d, k, vectors != NULL, &work);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, work.real, work.reals));
    PEN_TRY(PEN_NEW(run, work.integer, work.ints));
    *info = pen_lapack_eig(d, k, a, values, vectors, &work);
    pen_release(run, mark);
    return PEN_OK;
}

/* Saves the lower triangle in the upper one, which is scratch, and the diagonal separately; or
 * restores both. */
static void save_triangle(int64_t d, double *a, double *diagonal, int restore)
{
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = 0; j < i; j++)
            if (restore)
                a[i * d + j] = a[j * d + i];
            else
                a[j * d + i] = a[i * d + j];
        if (restore)
            a[i * d + i] = diagonal[i];
        else
            diagonal[i] = a[i * d + i];
    }
}

/* If eigenvalues coincide, LAPACK may find fewer than the requested range: then all are computed
 * and the last k kept. */
pen_status pen_decompose(pen_run *run, int64_t d, int64_t k, double *a, double *values,
                         double *vectors)
{
    double *diagonal, *all;
    int info;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, diagonal, d));
    save_triangle(d, a, diagonal, 0);
    PEN_TRY(call_lapack(run, d, k, a, values, vectors, &info));
    if (info == LAPACK_FOUND_FEWER && vectors) {
        save_triangle(d, a, diagonal, 1);
        PEN_TRY(PEN_NEW(run, all, pen_times(d, d)));
        PEN_TRY(call_lapack(run, d, d, a, values, all, &info));
        memmove(values, values + (d - k), (size_t)k * sizeof *values);
        memcpy(vectors, all + (d - k) * d, (size_t)(k * d) * sizeof *vectors);
    }
    PEN_REQUIRE(run, info == 0, PEN_NOT_CONVERGED,
                "the eigensolver did not converge (LAPACK info %d, %lld columns)", info,
                (long long)d);
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- Cholesky factors of the matrix scaled to unit diagonal ---- */

pen_status pen_factor_open(pen_run *run, pen_sym *S, double ridge, pen_factor *out)
{
    const int64_t d = S->d;
    const double size = pen_sym_largest(S);
    double *scale, *work, condition = 0;
    int *iwork;

    PEN_REQUIRE(run, isfinite(size), PEN_BAD_DATA, "values are too large: their products overflow");
    PEN_REQUIRE(run, size == 0 || size > DBL_MIN / DBL_EPSILON, PEN_BAD_DATA,
                "values are too small: their products underflow");
    pen_sym_add_identity(ridge, S);
    PEN_TRY(PEN_NEW(run, scale, d));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, work, pen_times(3, d)));
    PEN_TRY(PEN_NEW(run, iwork, d));
    for (int64_t j = 0; j < d; j++)
        PEN_REQUIRE(run, S->a[j * d + j] > 4 * S->floor[j], PEN_SINGULAR_SCATTER,
                    "the scatter of the rows is within their rounding error: a column is constant");
    pen_sym_unit_scale(S, scale);
    pen_sym_rescale(scale, S);
    const double norm = pen_sym_norm1(S);
    if (pen_lapack_cholesky(d, S->a) == 0)
        condition = pen_lapack_reciprocal_condition(d, S->a, norm, work, iwork);
    PEN_REQUIRE(run, condition > (double)d * DBL_EPSILON, PEN_SINGULAR_SCATTER,
                "the scatter of the rows is singular with a ridge of %g (reciprocal condition "
                "%.2g): too few rows, or constant or dependent columns; set a "
                "larger ridge, or pca to fewer columns",
                ridge, condition);
    pen_release(run, mark);
    *out = (pen_factor){ d, S->a, scale };
    return PEN_OK;
}

void pen_factor_solve(const pen_factor *factor, int64_t k, double *B)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < factor->d; i++)
            for (int64_t j = 0; j < k; j++)
                B[i * k + j] *= factor->scale[i];
        if (pass == 0)
            pen_lapack_cholesky_solve(factor->d, k, factor->a, B);
    }
}

void pen_invert_factor(int64_t n, const double *L, double *inverse)
{
    memset(inverse, 0, (size_t)(n * n) * sizeof *inverse);
    for (int64_t i = 0; i < n; i++)
        inverse[i * (n + 1)] = 1;
    pen_blas_solve_rows(n, n, L, inverse, n);
}
