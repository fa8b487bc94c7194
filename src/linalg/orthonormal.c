/* orthonormal.c - block Gram-Schmidt: matrix products against earlier rows, row by row within a
 * block, and everything twice. */
#include "linalg/orthonormal.h"

#include "linalg/products.h"

#include "linalg/blas.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 };

static const double DEPENDENT = 1e-10;

static double length_of(int64_t d, const double *v)
{
    double largest = 0, sum = 0;

    for (int64_t j = 0; j < d; j++)
        largest = fmax(largest, fabs(v[j]));
    for (int64_t j = 0; j < d && largest > 0; j++)
        sum += v[j] / largest * (v[j] / largest);
    return largest * sqrt(sum);
}

/* rows [count x d] -= (rows basis') basis, basis [r x d]; along [count x r] is work. */
static void remove_basis(int64_t count, int64_t d, double *rows, int64_t r, const double *basis,
                         double *along)
{
    if (r == 0)
        return;
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, count, r, d, 1, rows, d, basis, d, 0, along,
                  r);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, count, d, r, -1, along, r, basis, d, 1, rows, d);
}

static void divide(int64_t d, double length, double *v)
{
    for (int64_t j = 0; j < d; j++)
        v[j] /= length;
}

/* Appends the unit rows of a block, orthogonal to the first `before` basis rows, one by one. */
static void append_block(int64_t count, int64_t d, double *block, int64_t most, double *basis,
                         int64_t *r, double *along)
{
    const int64_t before = *r;

    for (int64_t i = 0; i < count && *r < most; i++) {
        double *const v = block + i * d;
        remove_basis(1, d, v, *r - before, basis + before * d, along);
        const double rest = length_of(d, v);
        if (rest < DEPENDENT)
            continue;
        divide(d, rest, v);
        remove_basis(1, d, v, *r, basis, along); /* little was left, and its error grew */
        divide(d, length_of(d, v), v);
        memcpy(basis + *r * d, v, (size_t)d * sizeof *v);
        ++*r;
    }
}

pen_status pen_orthonormal_append(pen_run *run, int64_t count, int64_t d, const double *V,
                                  int64_t most, double *basis, int64_t *r)
{
    double *block, *along;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, block, pen_times(BLOCK, d)));
    PEN_TRY(PEN_NEW(run, along, pen_times(BLOCK, most)));
    for (int64_t first = 0; first < count && *r < most; first += BLOCK) {
        int64_t rows = 0;
        PEN_TRY(pen_progress(run, "orthonormal columns", first, count));
        for (int64_t i = first; i < pen_min(first + BLOCK, count); i++) {
            const double length = length_of(d, V + i * d);
            if (length == 0)
                continue;
            memcpy(block + rows * d, V + i * d, (size_t)d * sizeof *block);
            divide(d, length, block + rows++ * d);
        }
        remove_basis(rows, d, block, *r, basis, along);
        remove_basis(rows, d, block, *r, basis, along);
        append_block(rows, d, block, most, basis, r, along);
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_orthonormal_columns(pen_run *run, int64_t d, int64_t q, double *V)
{
    double *M;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, M, pen_times(q, q)));
    for (int time = 0; time < 2; time++) { /* the second removes the rounding of the first */
        PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, q, q, d, V, V, M));
        PEN_REQUIRE(run, pen_lapack_cholesky(q, M) == 0, PEN_NOT_CONVERGED,
                    "the directions found depend on each other");
        pen_blas_solve_rows(d, q, M, V, q);
    }
    pen_release(run, mark);
    return PEN_OK;
}
