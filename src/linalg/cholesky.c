/* cholesky.c - Cholesky factorization of the matrix scaled to unit diagonal. */
#include "linalg/cholesky.h"

#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
