/* class_columns.c - directions that separate classes by probabilities, then other components. */
#include "solve/class_columns.h"

#include "linalg/blas.h"
#include "linalg/eig.h"
#include "linalg/orthonormal.h"
#include "linalg/products.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LEADING = 200 };

/* Smaller values, relative to the largest eigenvalue and to the maximum 1, are rounding. The last
 * bounds the scatter within classes in a direction from below. */
static const double LEAST_SHARE = 1e-9, LEAST = 1e-20, LEAST_WITHIN = 1e-6;

/* Copies rows [count] of a [. x k], or the first ones. */
static pen_status gather(pen_run *run, int64_t count, const int64_t *rows, const double *a,
                         int64_t k, const double **out)
{
    double *some;

    *out = a;
    if (!rows)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, some, pen_times(count, k)));
    for (int64_t i = 0; i < count; i++)
        memcpy(some + i * k, a + rows[i] * k, (size_t)k * sizeof *some);
    *out = some;
    return PEN_OK;
}

pen_status pen_class_means_find(pen_run *run, int64_t count, const int64_t *rows, const double *z,
                                const double *p, int64_t q, int64_t classes, const double *variance,
                                pen_class_means *out)
{
    double *size, *all;

    *out = (pen_class_means){ q, classes, variance, NULL };
    PEN_TRY(PEN_NEW(run, out->between, pen_times(classes, q)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, size, classes, 0));
    PEN_TRY(PEN_FILLED(run, all, q, 0));
    PEN_TRY(gather(run, count, rows, z, q, &z));
    PEN_TRY(gather(run, count, rows, p, classes, &p));
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, classes, q, count, p, z, out->between));
    for (int64_t i = 0; i < count; i++) {
        for (int64_t j = 0; j < q; j++)
            all[j] += z[i * q + j] / (double)count;
        for (int64_t c = 0; c < classes; c++)
            size[c] += p[i * classes + c];
    }
    for (int64_t c = 0; c < classes; c++)
        for (int64_t j = 0; j < q; j++) {
            double *const b = &out->between[c * q + j];
            *b = size[c] > 0 ? sqrt(size[c] / (double)count) * (*b / size[c] - all[j]) : 0;
        }
    pen_release(run, mark);
    return PEN_OK;
}

static double mean_variance(const pen_class_means *x)
{
    double sum = 0;

    for (int64_t j = 0; j < x->q; j++)
        sum += x->variance[j];
    return sum / (double)x->q;
}

/* The columns, and an orthonormal basis of their span in rows. */
struct columns {
    int64_t most, k;
    double ridge;     /* factor of the mean variance */
    double *W, *span; /* [most x q] */
};

/* Adds a direction of this length, unless it is in the span of earlier ones. */
static pen_status add(pen_run *run, int64_t q, const double *v, double length, struct columns *out)
{
    const int64_t before = out->k;

    PEN_TRY(pen_orthonormal_append(run, 1, q, v, out->most, out->span, &out->k));
    for (int64_t j = 0; j < q && out->k > before; j++)
        out->W[before * q + j] = length * v[j];
    return PEN_OK;
}

/* The unit vectors w [*count x q] with the largest values of scaled'scaled, scaled [c x q]. Uses
 * the smaller of the two products. */
static pen_status find_units(pen_run *run, int64_t c, int64_t q, const double *scaled,
                             int64_t wanted, double **w, const double **values, int64_t *count)
{
    const int64_t size = pen_min(c, q);
    const pen_op first = c <= q ? PEN_PLAIN : PEN_TRANSPOSED,
                 second = c <= q ? PEN_TRANSPOSED : PEN_PLAIN;
    pen_sym products;
    pen_eig e;

    PEN_TRY(pen_sym_zero(run, size, &products));
    pen_blas_gemm(PEN_F64, first, second, size, size, c <= q ? q : c, 1, scaled, q, scaled, q, 0,
                  products.a, size);
    pen_sym_note(&products, size, DBL_EPSILON);
    PEN_TRY(pen_eig_largest(run, &products, NULL, pen_min(wanted, size), &e));
    *values = e.values;
    *w = e.vectors;
    *count = 0;
    while (*count < e.rank && e.values[*count] > fmax(LEAST_SHARE * e.values[0], LEAST))
        ++*count;
    if (c > q)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, *w, pen_times(wanted, q)));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, *count, q, c, 1, e.vectors, c, scaled, q, 0, *w,
                  q);
    for (int64_t i = 0; i < *count * q; i++)
        (*w)[i] /= sqrt(e.values[i / q]);
    return PEN_OK;
}

/* A value m of S_b with v'(S_t + ridge) v = 1 means v'(S_w + ridge) v = 1 - m. */
static pen_status add_directions(pen_run *run, const pen_class_means *x, struct columns *out)
{
    const int64_t q = x->q, c = x->classes;
    double *root, *scaled, *w;
    const double *values;
    int64_t count;

    PEN_TRY(PEN_NEW(run, root, q));
    PEN_TRY(PEN_NEW(run, scaled, pen_times(c, q)));
    for (int64_t j = 0; j < q; j++)
        root[j] = 1 / sqrt(x->variance[j] + out->ridge);
    for (int64_t i = 0; i < c * q; i++)
        scaled[i] = x->between[i] * root[i % q];
    PEN_TRY(find_units(run, c, q, scaled, pen_min(c - 1, out->most), &w, &values, &count));
    for (int64_t i = 0; i < count; i++) {
        for (int64_t j = 0; j < q; j++)
            w[i * q + j] *= root[j];
        PEN_TRY(add(run, q, w + i * q, 1 / sqrt(fmax(1 - values[i], LEAST_WITHIN)), out));
    }
    return PEN_OK;
}

/* The first `lead` rows and columns of (I - W'W) (S_t - S_b) (I - W'W), W [k x q]. */
static pen_status find_within(pen_run *run, const pen_class_means *x, int64_t k, const double *W,
                              int64_t lead, pen_sym *S)
{
    const int64_t q = x->q, c = x->classes;
    double *B, *T, *H; /* W S_b^(1/2), then W S; W S W' */

    PEN_TRY(PEN_NEW(run, B, pen_times(k, c)));
    PEN_TRY(PEN_NEW(run, T, pen_times(k, q)));
    PEN_TRY(PEN_NEW(run, H, pen_times(k, k)));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, k, c, q, 1, W, q, x->between, q, 0, B, c);
    for (int64_t i = 0; i < k * q; i++)
        T[i] = W[i] * x->variance[i % q];
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, k, q, c, -1, B, c, x->between, q, 1, T, q);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, k, k, q, 1, T, q, W, q, 0, H, k);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, k, q, k, -0.5, H, k, W, q, 1, T, q);
    PEN_TRY(pen_sym_zero(run, lead, S));
    pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, lead, lead, c, -1, x->between, q, x->between,
                  q, 0, S->a, lead);
    pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, lead, lead, k, -1, W, q, T, q, 1, S->a, lead);
    pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, lead, lead, k, -1, T, q, W, q, 1, S->a, lead);
    for (int64_t j = 0; j < lead; j++)
        S->a[j * (lead + 1)] += x->variance[j];
    pen_sym_note(S, lead, DBL_EPSILON);
    return PEN_OK;
}

/* Adds components of the remaining scatter within classes. */
static pen_status add_components(pen_run *run, const pen_class_means *x, struct columns *out)
{
    const int64_t q = x->q, lead = out->most > LEADING / 2 ? q : pen_min(q, LEADING);
    double *v;
    pen_sym S;
    pen_eig e;

    PEN_TRY(find_within(run, x, out->k, out->span, lead, &S));
    PEN_TRY(pen_eig_indefinite(run, &S, NULL, &e));
    PEN_TRY(PEN_FILLED(run, v, q, 0));
    for (int64_t i = 0; i < lead && out->k < out->most; i++) {
        memcpy(v, e.vectors + i * lead, (size_t)lead * sizeof *v);
        PEN_TRY(add(run, q, v, 1 / sqrt(fmax(e.values[i], 0) + out->ridge), out));
    }
    return PEN_OK;
}

pen_status pen_class_columns(pen_run *run, const pen_class_means *x, double ridge, int64_t most,
                             double *W, int64_t *k)
{
    const pen_mark_t mark = pen_mark(run);
    struct columns out = { .most = most, .ridge = ridge * mean_variance(x), .W = W };

    PEN_TRY(PEN_NEW(run, out.span, pen_times(most, x->q)));
    PEN_TRY(add_directions(run, x, &out));
    if (out.k < most)
        PEN_TRY(add_components(run, x, &out));
    *k = out.k;
    pen_release(run, mark);
    return PEN_OK;
}
