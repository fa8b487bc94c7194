/* reduce.c - principal components through the smaller of the two products. */
#include "linalg/reduce.h"

#include "core/parallel.h"
#include "linalg/affine.h"
#include "linalg/blas.h"
#include "linalg/eig.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = 64, BLOCK_ELEMENTS = 1 << 21 };

static void fill_rows(const void *context, int64_t first, int64_t count, void *block)
{
    pen_rows_block(context, NULL, first, count, block);
}

pen_status rows_scatter(pen_run *run, const pen_rows *x, double weight, pen_sym *S)
{
    PEN_TRY(sym_add_gram(run, "scatter of all rows", weight, x->work, x->n, fill_rows, x, S));
    sym_add_outer(-weight * (double)x->n, x->offset, S);
    sym_note(S, x->n - 1, x->epsilon);
    sym_add_floor(weight * (double)x->n, x->rounding, S);
    return PEN_OK;
}

/* ---- products of rows: K = X X', in blocks of rows so that X is never held ---- */

struct outer {
    const pen_rows *x;
    int64_t side, across;
    double *left, *right; /* [workers][side x d] */
    pen_sym *K;
};

static void outer_block(void *context, int64_t task, int worker)
{
    const struct outer *o = context;
    const int64_t d = o->x->d, n = o->x->n, r = task * o->side, high = pen_min(o->side, n - r);
    double *const left = o->left + worker * o->side * d, *const right = o->right + worker * o->side * d;

    pen_rows_centred(o->x, NULL, r, high, left);
    for (int64_t c = 0; c <= r; c += o->side) {
        const int64_t wide = pen_min(o->side, n - c);
        if (c < r)
            pen_rows_centred(o->x, NULL, c, wide, right);
        blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, high, wide, d, 1, left, d, c < r ? right : left, d, 0, o->K->a + r * n + c, n);
    }
}

static pen_status products_of_rows(pen_run *run, const pen_rows *x, pen_sym *K)
{
    struct outer o = { .x = x, .K = K };
    double largest = 0;

    PEN_TRY(sym_zero(run, x->n, K));
    const pen_mark_t mark = pen_mark(run);
    o.side = pen_max(8, pen_min(256, BLOCK_ELEMENTS / x->d));
    o.across = (x->n + o.side - 1) / o.side;
    PEN_TRY(PEN_NEW(run, o.left, pen_workers(run, o.across) * o.side * x->d));
    PEN_TRY(PEN_NEW(run, o.right, pen_workers(run, o.across) * o.side * x->d));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("products of rows"), o.across, outer_block, &o));
    sym_note(K, x->n - 1, DBL_EPSILON);
    for (int64_t j = 0; j < x->d; j++)
        largest = fmax(largest, x->rounding[j]);
    for (int64_t i = 0; i < x->n; i++)
        K->floor[i] = (double)x->n * largest * largest;
    pen_release(run, mark);
    return PEN_OK;
}

/* Row i of V: sum over the rows x_r of u_ir x_r, made orthonormal. */
static pen_status directions_from_rows(pen_run *run, const pen_rows *x, const pen_eig *e, int64_t q, double *V)
{
    double *block, *work;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, block, ROWS * x->d));
    PEN_TRY(PEN_NEW(run, work, 33 * q));
    for (int64_t first = 0; first < x->n; first += ROWS) {
        const int64_t count = pen_min(ROWS, x->n - first);
        PEN_TRY(pen_progress(run, "principal components", first, x->n));
        pen_rows_centred(x, NULL, first, count, block);
        blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, q, x->d, count, 1, e->vectors + first, x->n, block, x->d, first > 0, V, x->d);
    }
    PEN_REQUIRE(run, lapack_orthonormalize(x->d, q, V, work) == 0, PEN_INTERNAL, "the principal components could not be orthonormalized");
    pen_release(run, mark);
    return PEN_OK;
}

static int is_count(double pca)
{
    return pca >= 1 && pca < (double)INFINITY;
}

/* How many components `pca` asks for, of those with values [rank]. */
static pen_status count_of(pen_run *run, double pca, const double *values, int64_t rank, double total, int64_t *q)
{
    double sum = 0;

    *q = rank;
    if (is_count(pca)) {
        PEN_REQUIRE(run, pca <= (double)rank, PEN_RANK_TOO_SMALL, "pca must be at most %lld, the rank of the rows, got %.0f",
                    (long long)rank, pca);
        *q = (int64_t)pca;
    } else if (pca < 1) {
        for (*q = 0; *q < rank && sum < pca * total; (*q)++)
            sum += values[*q];
    }
    return PEN_OK;
}

static double sum_of(const double *values, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* Eigenvectors of the smaller product, as many as can be wanted; `total` is the sum of all eigenvalues. */
static pen_status decompose(pen_run *run, const pen_rows *x, double pca, pen_eig *e, double *total)
{
    pen_sym S;

    if (x->n < x->d) {
        PEN_TRY(products_of_rows(run, x, &S));
    } else {
        PEN_TRY(sym_zero(run, x->d, &S));
        PEN_TRY(rows_scatter(run, x, 1, &S));
    }
    const int64_t most = pen_max(1, S.rank);
    *total = sym_trace(&S);
    PEN_TRY(eig_largest(run, &S, NULL, is_count(pca) && pca < (double)most ? (int64_t)pca : most, e));
    const double limit = (double)pen_max(x->n, x->d) * DBL_EPSILON * e->values[0];
    while (e->rank > 0 && e->values[e->rank - 1] <= limit)
        e->rank--;
    PEN_REQUIRE(run, e->rank > 0, PEN_RANK_TOO_SMALL, "nothing to project on: all rows are equal");
    return PEN_OK;
}

pen_status rows_reduce(pen_run *run, const pen_rows *x, double pca, pen_reduction *reduction, pen_rows *out)
{
    const int64_t n = x->n, d = x->d;
    double *V, *y, total;
    pen_eig e;

    PEN_REQUIRE(run, pca < 1 || pca == floor(pca), PEN_BAD_ARGUMENT, "pca must be a fraction below 1 or a whole number, got %g", pca);
    PEN_TRY(decompose(run, x, pca, &e, &total));
    *reduction = (pen_reduction){ .d = d };
    PEN_TRY(count_of(run, pca, e.values, e.rank, total, &reduction->q));
    const int64_t q = reduction->q;
    reduction->retained = fmin(1, sum_of(e.values, q) / total);
    PEN_TRY(PEN_NEW(run, reduction->V, d * q));
    PEN_TRY(PEN_NEW(run, y, n * q));
    const pen_mark_t mark = pen_mark(run);
    V = e.vectors;
    if (n < d) {
        PEN_TRY(PEN_NEW(run, V, q * d));
        PEN_TRY(directions_from_rows(run, x, &e, q, V));
    }
    for (int64_t j = 0; j < d; j++)
        for (int64_t i = 0; i < q; i++)
            reduction->V[j * q + i] = V[i * d + j] * (x->scale ? x->scale[j] : 1);
    PEN_TRY(affine_apply(run, "principal components", &x->values, x->unit, x->mean, reduction->V, q, PEN_F64, y, q));
    pen_release(run, mark);
    return pen_rows_replace(run, x, y, q, out);
}
