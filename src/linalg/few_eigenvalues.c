/* few_eigenvalues.c - a dense matrix as the operator of block Lanczos. */
#include "linalg/few_eigenvalues.h"

#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/lanczos.h"

enum {
    MIN_COLUMNS = 1024,
    COLUMNS_PER_VALUE = 50,
    PRODUCTS_PER_VALUE = 50,
    FEWEST_VALUES = 4,       /* a search takes as many products as this number at least */
    COLUMNS_PER_PRODUCT = 2, /* more products than d over this cost as much as LAPACK */
    BAND = 64,
};

static const double TOL = 1e-13;

/* Relative to the largest eigenvalue, what is not searched for. */
static const double MARGIN = 1e-12;

struct operator_of {
    int64_t d;
    const double *B, *L;
};

struct bands {
    const struct operator_of *A;
    int64_t k;
    const double *v;
    double *y;
};

static void multiply_band(void *context, int64_t task, int worker)
{
    const struct bands *b = context;
    const int64_t d = b->A->d, first = task * BAND;

    (void)worker;
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, pen_min(BAND, d - first), b->k, d, 1,
                  b->A->B + first * d, d, b->v, b->k, 0, b->y + first * b->k, b->k);
}

static pen_status multiply(pen_run *run, const struct operator_of *A, int64_t k, const double *v,
                           double *y)
{
    struct bands b = { A, k, v, y };

    return pen_parallel(run, PEN_SILENT, (A->d + BAND - 1) / BAND, multiply_band, &b);
}

static pen_status apply(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    const struct operator_of *A = context;
    const int64_t d = A->d;
    double *rows, *between;

    if (!A->L)
        return multiply(run, A, k, v, y);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, rows, between, pen_times(k, d)));
    pen_transpose(d, k, v, rows);
    pen_lapack_back_substitute(d, k, A->L, rows);
    pen_transpose(k, d, rows, between);
    PEN_TRY(multiply(run, A, k, between, y));
    pen_transpose(d, k, y, rows);
    pen_blas_solve_rows(k, d, A->L, rows, d);
    pen_transpose(k, d, rows, y);
    pen_release(run, mark);
    return PEN_OK;
}

int pen_few_eigenvalues_are_worth(int64_t d, int64_t k)
{
    return d >= MIN_COLUMNS && k <= d / COLUMNS_PER_VALUE;
}

/* *none = 1: (value_k + MARGIN value_1) C - (B - U diag(values) U'), in place of B, is positive
 * definite, U = C times the vectors found. */
static pen_status find_none_above(pen_run *run, int64_t d, int64_t k, double *B, const double *C,
                                  const double *L, const pen_lanczos_pairs *e, int *none)
{
    const double limit = e->values[k - 1] + MARGIN * e->values[0];
    double *U, *weighted, *rows;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, U, weighted, pen_times(d, k)));
    if (C) {
        PEN_TRY(PEN_NEW(run, rows, pen_times(d, k)));
        pen_transpose(d, k, e->vectors, rows);
        pen_lapack_back_substitute(d, k, L, rows);
        pen_transpose(k, d, rows, weighted);
        pen_blas_symm(d, k, C, weighted, U);
    }
    for (int64_t i = 0; i < d * k; i++) {
        U[i] = C ? U[i] : e->vectors[i];
        weighted[i] = U[i] * e->values[i % k];
    }
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, d, d, k, 1, weighted, k, U, k, -1, B, d);
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = 0; C && j <= i; j++)
            B[i * d + j] += limit * C[i * d + j];
        B[i * d + i] += C ? 0 : limit;
    }
    *none = pen_lapack_cholesky(d, B) == 0;
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_few_largest(pen_run *run, int64_t d, int64_t k, double *B, const double *C,
                           const double *L, double *values, double *vectors, int *found)
{
    const struct operator_of A = { d, B, L };
    const pen_lanczos problem = { .n = d,
                                  .k = k,
                                  .apply = apply,
                                  .context = &A,
                                  .block = pen_lanczos_block(k, 0),
                                  .tol = TOL,
                                  .most = pen_min(PRODUCTS_PER_VALUE * pen_max(k, FEWEST_VALUES),
                                                  d / COLUMNS_PER_PRODUCT),
                                  .unchecked = 1 };
    pen_lanczos_pairs e;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_lanczos_solve(run, &problem, &e));
    *found = e.found == k;
    if (*found)
        PEN_TRY(find_none_above(run, d, k, B, C, L, &e, found));
    for (int64_t i = 0; *found && i < k; i++) {
        values[i] = e.values[k - 1 - i];
        for (int64_t j = 0; j < d; j++)
            vectors[i * d + j] = e.vectors[j * k + k - 1 - i];
    }
    pen_release(run, mark);
    return PEN_OK;
}
