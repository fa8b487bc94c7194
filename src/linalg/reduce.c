/* reduce.c - principal components from the scatter of the columns or, with fewer rows than columns,
 * from the rows themselves. */
#include "linalg/reduce.h"

#include "linalg/affine.h"
#include "linalg/blas.h"
#include "linalg/byte_gram.h"
#include "linalg/eig.h"
#include "linalg/products.h"

#include <float.h>
#include <math.h>

/* Relative to n times the squared offset, the rounding error of subtracting it. */
static const double CORRECTION_ROUNDING = 4 * DBL_EPSILON;

static void fill_rows(const void *context, int64_t first, int64_t count, void *block)
{
    pen_rows_block(context, NULL, first, count, block);
}

/* 1 if block rows are bytes less 128. */
static int is_bytes(const pen_rows *x)
{
    return x->values.dtype == PEN_U8 && x->work == PEN_F32 && !x->unit && !x->scale
           && pen_bytes_are_fast();
}

/* The sum of the products of block rows. */
static pen_status add_gram(pen_run *run, const pen_rows *x, double weight, pen_sym *S)
{
    const char *const phase = "scatter of all rows";
    double *sums;

    if (!is_bytes(x))
        return pen_sym_add_gram(run, phase, weight, x->work, x->n, fill_rows, x, S);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, sums, x->d));
    for (int64_t j = 0; j < x->d; j++)
        sums[j] = round((double)x->n * x->offset[j]); /* a whole number, but for rounding */
    PEN_TRY(pen_sym_add_gram_of_bytes(run, phase, weight, &x->values, sums, S));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_rows_scatter(pen_run *run, const pen_rows *x, double weight, pen_sym *S)
{
    PEN_TRY(add_gram(run, x, weight, S));
    pen_sym_add_outer(-weight * (double)x->n, x->offset, S);
    pen_sym_note(S, x->n - 1, x->epsilon);
    pen_sym_add_floor(weight * (double)x->n, x->rounding, S);
    /* the rounding of the subtraction */
    pen_sym_add_floor(weight * (double)x->n * CORRECTION_ROUNDING, x->offset, S);
    return PEN_OK;
}

static int is_count(double pca)
{
    return pca >= 1 && pca < (double)INFINITY;
}

/* The number of components that are asked for, among the values [rank]. */
static pen_status select_count(pen_run *run, const pen_components *asked, const double *values,
                               int64_t rank, double total, int64_t *q)
{
    const double pca = asked->pca;
    double sum = 0;

    *q = rank;
    if (is_count(pca)) {
        PEN_REQUIRE(run, pca <= (double)rank, PEN_RANK_TOO_SMALL,
                    "pca must be at most %lld, the rank of the rows, got %.0f", (long long)rank,
                    pca);
        *q = (int64_t)pca;
    } else if (pca < 1) {
        for (*q = 0; *q < rank && (*q == 0 || sum < pca * total); (*q)++)
            sum += values[*q];
    }
    if (asked->most > 0)
        *q = pen_min(*q, asked->most);
    return PEN_OK;
}

static double sum_of(const double *values, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* The root mean square of all coordinates, from the sums of squares of each. */
static double size_of(int64_t n, int64_t q, const double *values)
{
    return sqrt(sum_of(values, q) / (double)n / (double)q);
}

/* Column i of V: direction i, a row of `directions`, times the column scale. */
static void store_directions(const pen_rows *x, const double *directions, int64_t q, double *V)
{
    for (int64_t j = 0; j < x->d; j++)
        for (int64_t i = 0; i < q; i++)
            V[j * q + i] = directions[i * x->d + j] * (x->scale ? x->scale[j] : 1);
}

static pen_status fail_all_equal(pen_run *run)
{
    return pen_fail(run, PEN_RANK_TOO_SMALL,
                    "nothing to project on: all rows are equal, up to rounding");
}

/* From the scatter of the columns, n >= d. */
static pen_status components_of_columns(pen_run *run, const pen_rows *x,
                                        const pen_components *asked, pen_reduction *out)
{
    const double pca = asked->pca;
    pen_sym S;
    pen_eig e;

    PEN_TRY(pen_sym_zero(run, x->d, &S));
    PEN_TRY(pen_rows_scatter(run, x, 1, &S));
    const int64_t most = pen_max(1, S.rank);
    const double total = pen_sym_trace(&S);
    PEN_TRY(pen_eig_largest(run, &S, NULL,
                            is_count(pca) && pca < (double)most ? (int64_t)pca : most, &e));
    const double tolerance = (double)pen_max(x->n, x->d) * DBL_EPSILON;
    const int64_t found = e.rank;
    while (e.rank > 0 && e.values[e.rank - 1] <= tolerance * e.values[0])
        e.rank--;
    if (e.rank < found)
        pen_note_cut(run, e.rank, tolerance);
    if (e.rank == 0)
        return fail_all_equal(run);
    PEN_TRY(select_count(run, asked, e.values, e.rank, total, &out->q));
    out->retained = fmin(1, sum_of(e.values, out->q) / total);
    out->size = size_of(x->n, out->q, e.values);
    store_directions(x, e.vectors, out->q, out->V);
    return PEN_OK;
}

/* From the rows themselves, n < d: X' = Q R, R = U S W', so the directions are the columns of Q U.
 * The rank is decided by singular values, not their squares, so a direction with a standard
 * deviation 1e-7 of the largest still counts. */
static pen_status components_of_rows(pen_run *run, const pen_rows *x, const pen_components *asked,
                                     pen_reduction *out)
{
    const int64_t n = x->n, d = x->d;
    double *Q, *U, *values, *work, noise = 0;
    int64_t rank = 0;

    PEN_TRY(PEN_NEW(run, Q, pen_times(n, d)));
    PEN_TRY(PEN_NEW(run, U, pen_times(n, n)));
    PEN_TRY(PEN_NEW(run, values, n));
    PEN_TRY(PEN_NEW(run, work, pen_lapack_thin_svd_size(n)));
    pen_rows_centered(x, NULL, 0, n, Q);
    PEN_TRY(pen_progress(run, "principal components", 0, 1));
    for (int64_t i = 0; i < n * d; i++)
        PEN_REQUIRE(run, isfinite(Q[i]), PEN_BAD_DATA,
                    "values are too large: their differences overflow; set scale");
    PEN_REQUIRE(run, pen_lapack_thin_svd(d, n, Q, values, U, work) == 0, PEN_NOT_CONVERGED,
                "the singular values did not converge");
    for (int64_t j = 0; j < d; j++)
        noise = fmax(noise, x->rounding[j]);
    const double tolerance = (double)d * DBL_EPSILON;
    const double limit = fmax(tolerance * values[0], sqrt((double)n) * noise);
    while (rank < n - 1 && values[rank] > limit)
        rank++;
    if (rank < n - 1)
        pen_note_cut(run, rank, tolerance * tolerance);
    if (rank == 0)
        return fail_all_equal(run);
    for (int64_t i = 0; i < n; i++)
        values[i] *= values[i];
    const double total = sum_of(values, rank);
    PEN_REQUIRE(run, isfinite(total), PEN_BAD_DATA,
                "values are too large: their products overflow; set scale");
    PEN_TRY(select_count(run, asked, values, rank, total, &out->q));
    out->retained = sum_of(values, out->q) / total;
    out->size = size_of(n, out->q, values);
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_TRANSPOSED, d, out->q, n, Q, U, out->V));
    for (int64_t j = 0; x->scale && j < d; j++)
        for (int64_t i = 0; i < out->q; i++)
            out->V[j * out->q + i] *= x->scale[j];
    return PEN_OK;
}

pen_status pen_rows_components(pen_run *run, const pen_rows *x, const pen_components *asked,
                               pen_reduction *reduction, pen_rows *out)
{
    double *y;

    PEN_REQUIRE(run, asked->pca < 1 || asked->pca == floor(asked->pca), PEN_BAD_ARGUMENT,
                "pca must be a fraction below 1 or a whole number, got %g", asked->pca);
    *reduction = (pen_reduction){ .q = 0 };
    PEN_TRY(PEN_NEW(run, reduction->V, pen_times(x->d, pen_min(x->n, x->d))));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(x->n < x->d ? components_of_rows(run, x, asked, reduction)
                        : components_of_columns(run, x, asked, reduction));
    pen_release(run, mark);
    for (int64_t i = 0; asked->unit && i < x->d * reduction->q; i++)
        reduction->V[i] /= reduction->size;
    PEN_TRY(PEN_NEW(run, y, pen_times(x->n, reduction->q)));
    PEN_TRY(pen_affine_apply(run, "principal components", &x->values, x->unit, x->mean,
                             reduction->V, reduction->q, PEN_F64, y, reduction->q));
    return pen_rows_replace(run, x, y, reduction->q, out);
}

pen_status pen_rows_reduce(pen_run *run, const pen_rows *x, double pca, pen_reduction *reduction,
                           pen_rows *out)
{
    const pen_components asked = { .pca = pca };

    return pen_rows_components(run, x, &asked, reduction, out);
}
