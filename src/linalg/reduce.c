/* reduce.c - principal components from the scatter of the columns or, with fewer rows than columns,
 * from products of the rows. */
#include "linalg/reduce.h"

#include "core/duplicate_rows.h"
#include "linalg/affine.h"
#include "linalg/blas.h"
#include "linalg/eig.h"
#include "linalg/svd_of_products.h"
#include "linalg/implicit.h"
#include "linalg/packed.h"
#include "linalg/products.h"
#include "linalg/row_products.h"
#include "linalg/sparse_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The number of components by products for a fraction of the variance: starts with the first
 * number, and doubles up to the second. */
enum { FIRST_COMPONENTS = 32, MOST_COMPONENTS = 2048 };

/* Relative to the size of coordinates. */
static const double LITTLE_ROUNDING = 1e-11;

/* Limits of rotations, which take ten times as long as an eigenproblem. */
enum { MOST_ROTATED = 1024, LEAST_BLOCK = 256 };

const char *const pen_route_names[] = { "scatter", "gram", "products", NULL };

/* Relative to n times the squared offset, the rounding error of subtracting it. */
static const double CORRECTION_ROUNDING = 4 * DBL_EPSILON;

static void fill_rows(const void *context, int64_t first, int64_t count, void *block)
{
    pen_rows_block(context, NULL, first, count, block);
}

/* The sum of the products of block rows. */
static pen_status add_gram(pen_run *run, const pen_view *x, double weight, pen_sym *S)
{
    const char *const phase = "scatter of all rows";
    const pen_sparse_rows *entries;
    pen_sparse_rows own;

    if (!pen_rows_are_sparse(x))
        return pen_sym_add_gram(run, phase, weight, x->work, x->n, fill_rows, x, S);
    PEN_TRY(pen_sparse_rows_of(run, x, &own, &entries));
    return pen_sparse_rows_scatter(run, phase, weight, entries, S);
}

/* For all rows about their mean: a pen_make_fn. */
static pen_status make_scatter(pen_run *run, void *context, pen_made *out)
{
    const pen_view *const x = context;
    const double n = (double)x->n;
    pen_sym *S;

    PEN_TRY(PEN_NEW(run, S, 1));
    PEN_TRY(pen_sym_zero(run, x->d, S));
    PEN_TRY(add_gram(run, x, 1, S));
    pen_sym_add_outer(-n, x->offset, S);
    pen_sym_note(S, x->n - 1, x->epsilon);
    pen_sym_add_floor(n, x->rounding, S);
    /* rounding of the subtraction */
    pen_sym_add_floor(n * CORRECTION_ROUNDING, x->offset, S);
    *out = pen_sym_made(S);
    return PEN_OK;
}

pen_status pen_rows_scatter(pen_run *run, const pen_view *x, double weight, pen_sym *S)
{
    pen_view rows = *x;
    pen_cache_key *key;
    const void *value;

    if (x->moments) {
        const int64_t n = x->moments->n;
        pen_packed_add(x, weight, x->moments->scatter, S);
        pen_sym_note(S, n - 1, DBL_EPSILON);
        pen_sym_add_floor(weight * (double)n, x->rounding, S);
        return PEN_OK;
    }
    if (S->terms)
        return pen_implicit_add(run, x, weight, NULL, NULL, S);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_rows_key(run, x, PEN_CACHE_SCATTER, 0, &key));
    PEN_TRY(pen_cache_get(run, key, make_scatter, &rows, &value));
    pen_sym_add_scaled(weight, value, S);
    pen_release(run, mark);
    return PEN_OK;
}

/* A pen_make_fn. */
static pen_status make_axes(pen_run *run, void *context, pen_made *out)
{
    const pen_view precise = pen_rows_precise(context);
    pen_axes *axes;
    pen_sym S;

    PEN_TRY(PEN_NEW(run, axes, 1));
    PEN_TRY(pen_sym_zero(run, precise.d, &S));
    PEN_TRY(pen_rows_scatter(run, &precise, 1, &S));
    axes->trace = pen_sym_trace(&S);
    PEN_TRY(pen_eig_largest(run, &S, NULL, precise.d, &axes->eig));
    *out = (pen_made){ axes,
                       sizeof *axes,
                       2,
                       { { offsetof(pen_axes, eig.values), 8 * axes->eig.k },
                         { offsetof(pen_axes, eig.vectors), 8 * axes->eig.k * axes->eig.d } } };
    return PEN_OK;
}

pen_status pen_rows_axes(pen_run *run, const pen_view *x, pen_axes *out)
{
    pen_view rows = *x;
    pen_cache_key *key;
    const void *value;

    PEN_TRY(pen_rows_key(run, x, PEN_CACHE_AXES, 0, &key));
    PEN_TRY(pen_cache_get(run, key, make_axes, &rows, &value));
    *out = *(const pen_axes *)value;
    return PEN_OK;
}

static int is_count(double pca)
{
    return pca >= 1 && pca < (double)INFINITY;
}

/* The number of components, of `most`, to compute. */
static int64_t wanted_of(const pen_components *asked, int64_t most)
{
    if (is_count(asked->pca))
        return asked->pca < (double)most ? (int64_t)asked->pca : most;
    return asked->pca > 1 && asked->most > 0 ? pen_min(asked->most, most) : most;
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

/* The number of requested components among the values [rank], and the fraction they retain. */
static pen_status select_count(pen_run *run, const pen_view *x, const pen_components *asked,
                               const double *values, int64_t rank, double total, pen_reduction *out)
{
    const double pca = asked->pca;
    double sum = 0;
    int64_t *const q = &out->q;

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
    out->retained = fmin(1, sum_of(values, *q) / total);
    out->size = size_of(pen_rows_count(x), *q, values);
    return PEN_OK;
}

/* Column i of V: direction i, a row of `directions`, times the column scale. */
static void store_directions(const pen_view *x, const double *directions, int64_t q, double *V)
{
    for (int64_t j = 0; j < x->d; j++)
        for (int64_t i = 0; i < q; i++)
            V[j * q + i] = directions[i * x->d + j] * (x->scale ? x->scale[j] : 1);
}

static pen_status fail_all_equal(pen_run *run)
{
    return pen_fail(run, PEN_RANK_TOO_SMALL,
                    "nothing to project on: all rows are equal up to rounding");
}

/* R [d x d] of the centered rows, Xc = Q R, a block at a time. */
static pen_status triangle_of_rows(pen_run *run, const pen_view *x, double *R)
{
    const int64_t d = x->d, most = pen_max(d, LEAST_BLOCK);
    double *block, *work;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, block, pen_times(d + most, d)));
    PEN_TRY(PEN_NEW(run, work, pen_times(33, d)));
    memset(block, 0, (size_t)(d * d) * sizeof *block);
    for (int64_t first = 0; first < x->n; first += most) {
        const int64_t count = pen_min(most, x->n - first);
        pen_rows_centered(x, NULL, first, count, block + d * d);
        PEN_REQUIRE(run, pen_lapack_triangle(d + count, d, block, work) == 0, PEN_INTERNAL,
                    "the rows could not be made orthogonal");
        PEN_TRY(pen_progress(run, "principal components", first + count, x->n));
    }
    memcpy(R, block, (size_t)(d * d) * sizeof *R);
    pen_release(run, mark);
    return PEN_OK;
}

/* The length that rounding can give a direction: rounding of the rows, and of sums over each
 * column, in which each block of rows is one step. */
static double noise_of(const pen_view *x, const double *length2, const double *direction)
{
    const double steps = (double)(x->d + x->n / pen_max(x->d, LEAST_BLOCK));
    double sum = 0;

    for (int64_t j = 0; j < x->d; j++)
        sum += direction[j] * direction[j]
               * (4 * (double)x->n * x->rounding[j] * x->rounding[j]
                  + steps * steps * DBL_EPSILON * DBL_EPSILON * length2[j]);
    return sqrt(sum);
}

/* Computes components from the rows, n >= d. */
static pen_status graded_components(pen_run *run, const pen_view *x, pen_reduction *out)
{
    const int64_t d = x->d;
    double *R, *values, *directions, *length2, *work;

    PEN_TRY(PEN_NEW(run, out->V, pen_times(d, d)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, R, directions, pen_times(d, d)));
    PEN_TRY(PEN_NEW(run, values, d));
    PEN_TRY(PEN_FILLED(run, length2, d, 0));
    PEN_TRY(PEN_NEW(run, work, pen_times(2, d) + 6));
    PEN_TRY(triangle_of_rows(run, x, R));
    for (int64_t i = 0; i < d * d; i++)
        length2[i % d] += R[i] * R[i];
    PEN_REQUIRE(run, isfinite(sum_of(length2, d)), PEN_BAD_DATA,
                "values are too large: their products overflow");
    PEN_REQUIRE(run, pen_lapack_rotate(d, R, values, directions, work) == 0, PEN_NOT_CONVERGED,
                "the principal components of the rows did not converge");
    for (int64_t i = 0; i < d; i++)
        if (values[i] > noise_of(x, length2, directions + i * d)) {
            memmove(directions + out->q * d, directions + i * d, (size_t)d * sizeof *directions);
            values[out->q++] = values[i] * values[i];
        }
    if (out->q == 0)
        return fail_all_equal(run);
    out->retained = 1;
    out->size = size_of(x->n, out->q, values);
    store_directions(x, directions, out->q, out->V);
    pen_release(run, mark);
    return PEN_OK;
}

/* Computes components from the scatter of the columns, n >= d. */
static pen_status components_of_columns(pen_run *run, const pen_view *x,
                                        const pen_components *asked, pen_reduction *out)
{
    pen_sym S;
    pen_eig e;

    PEN_TRY(PEN_NEW(run, out->V, pen_times(x->d, x->d)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_sym_zero(run, x->d, &S));
    PEN_TRY(pen_rows_scatter(run, x, 1, &S));
    const int64_t most = pen_max(1, S.rank);
    const double total = pen_sym_trace(&S);
    PEN_TRY(pen_eig_largest(run, &S, NULL, wanted_of(asked, most), &e));
    const double tolerance = (double)pen_max(pen_rows_count(x), x->d) * DBL_EPSILON;
    const int64_t found = e.rank;
    while (e.rank > 0 && e.values[e.rank - 1] <= tolerance * e.values[0])
        e.rank--;
    if (e.rank < found)
        pen_note_cut(run, e.rank, tolerance);
    if (e.rank == 0)
        return fail_all_equal(run);
    PEN_TRY(select_count(run, x, asked, e.values, e.rank, total, out));
    store_directions(x, e.vectors, out->q, out->V);
    pen_release(run, mark);
    return PEN_OK;
}

/* Copies the first q columns of a matrix, times factors of rows and of columns (NULL: 1). */
static pen_status keep_columns(pen_run *run, int64_t rows, int64_t columns, const double *from,
                               const double *of_row, int64_t q, const double *of_column,
                               double **out)
{
    PEN_TRY(PEN_NEW(run, *out, pen_times(rows, q)));
    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < q; c++)
            (*out)[i * q + c] =
                from[i * columns + c] * (of_row ? of_row[i] : 1) * (of_column ? of_column[c] : 1);
    return PEN_OK;
}

/* Makes coordinates of equal rows equal. Rounding of eigenvectors would otherwise decide which of
 * these rows are nearest to each other. */
static pen_status make_equal(pen_run *run, const pen_view *x, int64_t q, double *y)
{
    int64_t *first;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, first, x->n));
    PEN_TRY(pen_duplicates_find(run, x, x->n, first));
    for (int64_t i = 0; i < x->n; i++)
        if (first[i] != i)
            memcpy(y + i * q, y + first[i] * q, (size_t)q * sizeof *y);
    pen_release(run, mark);
    return PEN_OK;
}

/* Computes components from the rows, n < d: Xc = U S V'. If V is not formed, y [n x q] receives the
 * coordinates U S. The rank is decided by singular values, not their squares, so a direction with a
 * standard deviation 1e-7 of the largest still counts. */
static pen_status components_of_rows(pen_run *run, const pen_view *x, const pen_components *asked,
                                     pen_reduction *out, double **y)
{
    pen_graded g;
    double *values, *inverse;

    const int64_t wanted = wanted_of(asked, x->n);
    PEN_TRY(pen_rows_svd_of_products(run, x, wanted, &g));
    if (g.rank < pen_min(wanted, x->n - 1))
        pen_note_cut(run, g.rank, g.tolerance * g.tolerance);
    if (g.rank == 0)
        return fail_all_equal(run);
    PEN_TRY(PEN_NEW2(run, values, inverse, g.rank));
    for (int64_t i = 0; i < g.rank; i++) {
        values[i] = g.s[i] * g.s[i];
        inverse[i] = 1 / g.s[i];
    }
    PEN_TRY(select_count(run, x, asked, values, g.rank, g.total, out));
    if (g.V)
        return keep_columns(run, x->d, g.rank, g.V, x->scale, out->q, NULL, &out->V);
    PEN_TRY(keep_columns(run, x->n, g.rank, g.U, NULL, out->q, inverse, &out->A));
    PEN_TRY(keep_columns(run, x->n, g.rank, g.U, NULL, out->q, g.s, y));
    return make_equal(run, x, out->q, *y);
}

/* Finds the k largest components, or a multiple of that number that reaches the fraction. */
static pen_status find_by_products(pen_run *run, const pen_view *x, const pen_components *asked,
                                   double total, pen_row_products *p)
{
    const int64_t few = pen_min(x->n, x->d);
    const int share = asked->pca < 1;
    int64_t k = share ? FIRST_COMPONENTS : wanted_of(asked, few);

    for (;; k = pen_min(2 * k, MOST_COMPONENTS)) {
        const int64_t tried = share && asked->most > 0 ? pen_min(k, asked->most) : k;
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(pen_rows_by_products(run, x, tried, p));
        const double found = sum_of(p->values, tried);
        if (!share || found >= asked->pca * total || p->rank < tried || tried == asked->most)
            return PEN_OK;
        /* no later value is larger than the last of these */
        const double highest = found + (double)(MOST_COMPONENTS - tried) * p->values[tried - 1];
        const int is_bounded = asked->most > 0 && asked->most <= MOST_COMPONENTS;
        PEN_REQUIRE(run, is_bounded || highest >= asked->pca * total, PEN_BAD_ARGUMENT,
                    "pca %g takes more than %d components of these rows: the first %lld have %.2g "
                    "of the variance; set pca to a number of components",
                    asked->pca, MOST_COMPONENTS, (long long)tried, found / total);
        pen_release(run, mark);
    }
}

/* Computes components only by products, for large rows. y [n x q] receives the coordinates. */
static pen_status components_by_products(pen_run *run, const pen_view *x,
                                         const pen_components *asked, pen_reduction *out,
                                         double **y)
{
    pen_row_products p;
    double total, *V;

    PEN_REQUIRE(run, asked->pca < 1 || is_count(asked->pca) || asked->most > 0, PEN_BAD_ARGUMENT,
                "%lld sparse rows and %lld columns are too many for all components; set "
                "pca to a number of components, such as 100",
                (long long)x->n, (long long)x->d);
    PEN_REQUIRE(run, !is_count(asked->pca) || asked->pca <= (double)pen_min(x->n, x->d),
                PEN_RANK_TOO_SMALL,
                "pca must be at most %lld, the number of rows or columns, got %.0f",
                (long long)pen_min(x->n, x->d), asked->pca);
    PEN_TRY(pen_rows_trace(run, x, &total));
    PEN_TRY(find_by_products(run, x, asked, total, &p));
    if (p.rank == 0)
        return fail_all_equal(run);
    PEN_TRY(select_count(run, x, asked, p.values, p.rank, total, out));
    out->products = p.products;
    out->restarts = p.restarts;
    out->residual = p.residual;
    PEN_TRY(keep_columns(run, x->d, p.rank, p.V, x->scale, out->q, NULL, &out->V));
    PEN_TRY(PEN_NEW(run, *y, pen_times(x->n, out->q)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(keep_columns(run, x->d, p.rank, p.V, NULL, out->q, NULL, &V));
    PEN_TRY(pen_rows_multiply(run, x, out->q, V, *y));
    pen_release(run, mark);
    return PEN_OK;
}

/* Large dense rows with all components wanted also have their scatter or products formed. This
 * takes long, but there is no other way. */
static enum pen_route route_of(const pen_view *x, const pen_components *asked)
{
    const int all = asked->pca > 1 && !is_count(asked->pca) && asked->most == 0;

    if (x->moments)
        return PEN_ROUTE_SCATTER;
    if (pen_rows_are_large(x) && (!all || pen_rows_are_sparse(x)))
        return PEN_ROUTE_PRODUCTS;
    return x->n < x->d ? PEN_ROUTE_GRAM : PEN_ROUTE_SCATTER;
}

/* y [n x q] receives the coordinates if they are known; otherwise it is NULL. */
static pen_status find_components(pen_run *run, const pen_view *x, const pen_components *asked,
                                  pen_reduction *out, double **y)
{
    *y = NULL;
    out->route = route_of(x, asked);
    switch (out->route) {
    case PEN_ROUTE_SCATTER:
        return asked->graded && !x->moments && x->d <= MOST_ROTATED
                   ? graded_components(run, x, out)
                   : components_of_columns(run, x, asked, out);
    case PEN_ROUTE_GRAM:
        return components_of_rows(run, x, asked, out, y);
    case PEN_ROUTE_PRODUCTS:
        return components_by_products(run, x, asked, out, y);
    }
    return pen_fail(run, PEN_INTERNAL, "no such route");
}

static void divide(int64_t count, double divisor, double *values)
{
    for (int64_t i = 0; values && i < count; i++)
        values[i] /= divisor;
}

/* The rounding of each coordinate, from independent errors of the columns it depends on; NULL if V
 * is not formed, and rounding is small. */
static pen_status find_rounding(pen_run *run, const pen_view *x, const pen_reduction *r,
                                double **rounding)
{
    double *V = r->V, most = 0;

    for (int64_t j = 0; j < x->d; j++)
        most = fmax(most, x->rounding[j]);
    *rounding = NULL;
    if (!V && most <= LITTLE_ROUNDING * r->size)
        return PEN_OK;
    PEN_TRY(PEN_FILLED(run, *rounding, r->q, 0));
    const pen_mark_t mark = pen_mark(run);
    if (!V) {
        PEN_TRY(PEN_NEW(run, V, pen_times(x->d, r->q)));
        PEN_TRY(pen_rows_gather(run, x, r->q, r->A, V));
    }
    for (int64_t j = 0; j < x->d; j++) {
        const double error = x->rounding[j] / (r->V && x->scale ? x->scale[j] : 1);
        for (int64_t i = 0; i < r->q; i++)
            (*rounding)[i] += V[j * r->q + i] * error * (V[j * r->q + i] * error);
    }
    for (int64_t i = 0; i < r->q; i++)
        (*rounding)[i] = sqrt((*rounding)[i]);
    pen_release(run, mark);
    return PEN_OK;
}

/* (means - mean) V. */
static pen_status project_means(pen_run *run, const pen_view *x, const pen_class_moments *from,
                                const double *basis, int64_t q, pen_class_moments *out)
{
    double *means;

    PEN_TRY(PEN_NEW(run, means, pen_times(from->count, q)));
    for (int64_t c = 0; c < from->count; c++)
        for (int64_t i = 0; i < q; i++) {
            double sum = 0;
            for (int64_t j = 0; j < x->d; j++)
                sum += (from->means[c * x->d + j] - x->mean[j]) * basis[i * x->d + j];
            means[c * q + i] = sum;
        }
    *out = (pen_class_moments){ .count = from->count, .starts = from->starts, .means = means };
    return pen_packed_project(run, from->within, x->d, basis, q, &out->within);
}

/* Gives `out`, the rows of x in the coordinates V'(u v - mean), V [d x q], the moments in these
 * coordinates. Cost: 2 d^2 q flops, and the same for the scatter within classes. */
static pen_status project_moments(pen_run *run, const pen_view *x, const double *V, int64_t q,
                                  pen_view *out)
{
    double *basis; /* [q x d] */
    pen_moments *moments;
    pen_class_moments *classes, *groups;

    PEN_TRY(PEN_NEW3(run, moments, classes, groups, 1));
    PEN_TRY(PEN_NEW(run, basis, pen_times(q, x->d)));
    pen_transpose(x->d, q, V, basis);
    *moments = *x->moments;
    moments->low = moments->high = NULL;
    moments->mean = out->mean; /* 0 */
    PEN_TRY(pen_packed_project(run, x->moments->scatter, x->d, basis, q, &moments->scatter));
    if (x->class_moments) {
        PEN_TRY(project_means(run, x, x->class_moments, basis, q, classes));
        moments->classes = classes;
        out->class_moments = classes;
    }
    if (x->moments->chunks) {
        PEN_TRY(project_means(run, x, x->moments->chunks, basis, q, groups));
        moments->chunks = groups;
    }
    out->moments = moments;
    return PEN_OK;
}

pen_status pen_rows_components(pen_run *run, const pen_view *x, const pen_components *asked,
                               pen_reduction *reduction, pen_view *out)
{
    double *y, *rounding;

    PEN_REQUIRE(run, asked->pca < 1 || asked->pca == floor(asked->pca), PEN_BAD_ARGUMENT,
                "pca must be a fraction below 1 or a whole number, got %g", asked->pca);
    *reduction = (pen_reduction){ .q = 0 };
    PEN_TRY(find_components(run, x, asked, reduction, &y));
    const int64_t q = reduction->q;
    if (asked->unit) {
        divide(x->d * q, reduction->size, reduction->V);
        divide(x->n * q, reduction->size, reduction->A);
        divide(x->n * q, reduction->size, y);
    }
    if (!y) {
        PEN_TRY(PEN_NEW(run, y, pen_times(x->n, q)));
        if (x->n > 0) /* with moments there may be no rows */
            PEN_TRY(pen_affine_apply(run, "principal components", &x->values, x->unit, x->mean,
                                     reduction->V, q, PEN_F64, y, q));
    }
    PEN_TRY(find_rounding(run, x, reduction, &rounding));
    PEN_TRY(pen_rows_replace(run, x, y, q, rounding, out));
    return x->moments ? project_moments(run, x, reduction->V, q, out) : PEN_OK;
}

pen_status pen_reduction_unfold(pen_run *run, const pen_view *x, const pen_reduction *r, int64_t k,
                                const double *W, double *out)
{
    double *rows;

    if (r->V)
        return pen_multiply(run, PEN_PLAIN, PEN_PLAIN, x->d, k, r->q, r->V, W, out);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rows, pen_times(x->n, k)));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, x->n, k, r->q, r->A, W, rows));
    PEN_TRY(pen_rows_gather(run, x, k, rows, out));
    for (int64_t j = 0; x->scale && j < x->d; j++)
        for (int64_t c = 0; c < k; c++)
            out[j * k + c] *= x->scale[j];
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_reduction_project(pen_run *run, const pen_view *x, const pen_reduction *r,
                                 const double *v, double *out)
{
    double *scaled, *rows;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, scaled, x->d));
    PEN_TRY(PEN_NEW(run, rows, x->n));
    if (r->V) {
        PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, 1, r->q, x->d, v, r->V, out));
    } else {
        for (int64_t j = 0; j < x->d; j++)
            scaled[j] = v[j] * (x->scale ? x->scale[j] : 1);
        PEN_TRY(pen_rows_multiply(run, x, 1, scaled, rows));
        PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, 1, r->q, x->n, rows, r->A, out));
    }
    pen_release(run, mark);
    return PEN_OK;
}
