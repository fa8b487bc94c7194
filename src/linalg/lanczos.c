/* lanczos.c - thick-restart block Lanczos with full reorthogonalization.
 *
 * The columns of Q are orthonormal: first the locked ones, then `done` columns that have been
 * multiplied, then the pending block. With D the `done` columns and P the pending ones,
 *
 *   A D = D T + P B          (without components in the locked columns)
 *
 * always holds up to rounding. An expansion multiplies P, and the new part of the product becomes
 * the next block. A restart replaces D by its leading Ritz vectors D S, T by their values and B by
 * B S. So the residual of a Ritz vector D s is P B s, and its length costs no product.
 *
 * T comes from products: A P is projected on all columns. */
#include "linalg/lanczos.h"

#include "linalg/blas.h"
#include "linalg/decompose.h"
#include "linalg/signs.h"
#include "linalg/tall_qr.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_RESTARTS = 300,
    MOST_STALLS = 5, /* times that a recomputed residual was no shorter: it is rounding */
    FEW = 32,        /* an upper limit of a small number of eigenvalues */
    MANY_BLOCK = 16,
    DENSE_BLOCK = 8,
    SPARSE_BLOCK = 4,
    CHECK_BLOCKS = 6, /* blocks of the basis of a check, */
    CHECK_LEAST = 24, /* which have at least this number of columns: narrow blocks see little */
    CHECK_RESTARTS = 3,
};

/* Relative to the largest eigenvalue: the gap that a check finds, and the required accuracy of its
 * Ritz value. A vector between two eigenvalues has a residual smaller than their distance. */
static const double CHECK_TOL = 1e-3, CHECK_RESIDUAL = 2.5e-4;

/* Relative to the longest product so far: a column with a smaller new part is rounding. */
static const double ROUNDING = 8 * DBL_EPSILON;

struct lanczos {
    const pen_lanczos *problem;
    int64_t n, k, b, stride, most; /* most: columns to multiply before a restart */
    int64_t locked, done;
    double *Q;      /* [n x stride] */
    double *v, *w;  /* [n x b] the pending block, and its products */
    double *T, *B;  /* [stride x stride] upper triangle, [b x stride] */
    double *H, *R;  /* [stride x b], [b x b] */
    double *theta;  /* [stride] Ritz values, descending */
    double *S;      /* [wanted x done] Ritz vectors in rows */
    double *length; /* [stride] lengths of their residuals */
    double scale;   /* the length of the longest A q */
    pen_rng rng;
    int64_t products, restarts, shown;
};

/* The number of columns in the basis of a check, in whole blocks. */
static int64_t check_size(int64_t b)
{
    return b * pen_max(CHECK_BLOCKS, (CHECK_LEAST + b - 1) / b);
}

int64_t pen_lanczos_block(int64_t k, int sparse)
{
    return k > FEW ? MANY_BLOCK : sparse ? SPARSE_BLOCK : DENSE_BLOCK;
}

/* ---- the basis ---- */

/* Orthonormalizes the pending block, now in v; its products are unknown. */
static pen_status start_block(pen_run *run, struct lanczos *l)
{
    const pen_tall tall = { .n = l->n,
                            .stride = l->stride,
                            .m = l->locked + l->done,
                            .c = l->b,
                            .Q = l->Q,
                            .W = l->v,
                            .rng = &l->rng };

    for (int64_t i = 0; i < l->b; i++)
        memset(l->B + i * l->stride, 0, (size_t)l->done * sizeof *l->B);
    return pen_tall_append(run, &tall);
}

static pen_status start_random(pen_run *run, struct lanczos *l)
{
    pen_tall_draw(&l->rng, l->n * l->b, l->v);
    return start_block(run, l);
}

/* Stores the last columns of T, and B, from H and R; updates the longest product. */
static pen_status store_products(pen_run *run, struct lanczos *l)
{
    const int64_t b = l->b, done = l->done, m = l->locked + done + b;
    double *const last = l->T + done;

    for (int64_t j = 0; j < b; j++) {
        double sum = 0;
        for (int64_t i = 0; i < m; i++)
            sum += l->H[i * b + j] * l->H[i * b + j];
        for (int64_t i = 0; i < b; i++)
            sum += l->R[i * b + j] * l->R[i * b + j];
        PEN_REQUIRE(run, isfinite(sum), PEN_BAD_DATA,
                    "values are too large: their products overflow");
        l->scale = fmax(l->scale, sqrt(sum));
    }
    for (int64_t i = 0; i < done + b; i++)
        memcpy(last + i * l->stride, l->H + (l->locked + i) * b, (size_t)b * sizeof *last);
    for (int64_t i = 0; i < b; i++)
        for (int64_t j = i + 1; j < b; j++)
            last[(done + i) * l->stride + j] =
                (last[(done + i) * l->stride + j] + last[(done + j) * l->stride + i]) / 2;
    for (int64_t i = 0; i < b; i++) {
        memset(l->B + i * l->stride, 0, (size_t)done * sizeof *l->B);
        memcpy(l->B + i * l->stride + done, l->R + i * b, (size_t)b * sizeof *l->B);
    }
    return PEN_OK;
}

/* Multiplies the pending block. */
static pen_status expand(pen_run *run, struct lanczos *l)
{
    const pen_lanczos *const p = l->problem;
    const pen_tall tall = { .n = l->n,
                            .stride = l->stride,
                            .m = l->locked + l->done + l->b,
                            .c = l->b,
                            .Q = l->Q,
                            .W = l->w,
                            .floor = ROUNDING * l->scale,
                            .rng = &l->rng,
                            .H = l->H,
                            .R = l->R };
    double *const v = l->v;

    PEN_TRY(p->apply(run, p->context, l->b, l->v, l->w));
    l->products += l->b;
    PEN_TRY(pen_tall_append(run, &tall));
    PEN_TRY(store_products(run, l));
    l->done += l->b;
    l->v = l->w;
    l->w = v;
    return pen_poll(run);
}

/* Finds the `wanted` largest Ritz pairs, and the lengths of their residuals. */
static pen_status find_ritz(pen_run *run, struct lanczos *l, int64_t wanted)
{
    const int64_t d = l->done, b = l->b;
    double *a, *values, *rest;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, a, pen_times(d, d)));
    PEN_TRY(PEN_NEW(run, values, d));
    PEN_TRY(PEN_NEW(run, rest, pen_times(wanted, b)));
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i; j < d; j++)
            a[j * d + i] = l->T[i * l->stride + j];
    PEN_TRY(pen_decompose(run, d, wanted, a, values, l->S));
    for (int64_t i = 0; i < wanted; i++)
        l->theta[i] = values[wanted - 1 - i];
    for (int64_t i = 0; i < wanted / 2; i++)
        for (int64_t j = 0; j < d; j++) {
            double *const first = l->S + i * d + j, *const last = l->S + (wanted - 1 - i) * d + j,
                          kept = *first;
            *first = *last;
            *last = kept;
        }
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, wanted, b, d, 1, l->S, d, l->B, l->stride, 0,
                  rest, b);
    for (int64_t i = 0; i < wanted; i++)
        l->length[i] = pen_norm(b, rest + i * b);
    l->scale = fmax(l->scale, fabs(l->theta[0]));
    pen_release(run, mark);
    return PEN_OK;
}

/* Replaces the multiplied columns by the first q Ritz vectors. */
static pen_status restart(pen_run *run, struct lanczos *l, int64_t q)
{
    const int64_t d = l->done, b = l->b;
    double *S, *B;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, S, pen_times(d, q)));
    PEN_TRY(PEN_NEW(run, B, pen_times(b, q)));
    pen_transpose(q, d, l->S, S);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, b, q, d, 1, l->B, l->stride, S, q, 0, B, q);
    PEN_TRY(pen_tall_rotate(run, l->n, l->stride, l->Q + l->locked, d, S, q, b));
    for (int64_t i = 0; i < q; i++) {
        memset(l->T + i * l->stride, 0, (size_t)q * sizeof *l->T);
        l->T[i * l->stride + i] = l->theta[i];
    }
    for (int64_t i = 0; i < b; i++)
        memcpy(l->B + i * l->stride, B + i * q, (size_t)q * sizeof *B);
    l->done = q;
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- the eigenvalues ---- */

static int64_t count_converged(const struct lanczos *l)
{
    int64_t count = 0;

    for (int64_t i = 0; i < l->k; i++)
        count += l->length[i] <= l->problem->tol * l->scale;
    return count;
}

/* Ritz vectors between restarts cost little compared with a block. */
static int looks_early(const struct lanczos *l)
{
    return l->done >= l->k + l->b && l->restarts > 0
           && pen_times(8 * l->done, l->done) <= pen_times(l->n, l->b);
}

static pen_status fail(pen_run *run, const struct lanczos *l, int64_t converged)
{
    double worst = 0;

    for (int64_t i = 0; i < l->k; i++)
        worst = fmax(worst, l->length[i]);
    return pen_fail(run, PEN_NOT_CONVERGED,
                    "%s: %lld of %lld eigenvalues converged in %d restarts; the largest residual "
                    "is %.2g of the largest eigenvalue, at most %.2g is allowed",
                    l->problem->phase ? l->problem->phase : "eigenvalues", (long long)converged,
                    (long long)l->k, MOST_RESTARTS, worst / l->scale, l->problem->tol);
}

/* Expands and restarts until the first k Ritz pairs have converged, and locks them. */
static pen_status converge(pen_run *run, struct lanczos *l)
{
    int64_t early = 0;

    for (;;) {
        while (l->done + l->b <= l->most && early < l->k) {
            PEN_TRY(expand(run, l));
            if (looks_early(l) && l->done + l->b <= l->most) {
                PEN_TRY(find_ritz(run, l, l->k));
                early = count_converged(l);
            }
        }
        if (early < l->k)
            PEN_TRY(find_ritz(run, l, pen_min(l->done, l->k + l->b)));
        const int64_t found = count_converged(l);
        l->shown = pen_max(l->shown, found);
        if (l->problem->phase)
            PEN_TRY(pen_progress(run, l->problem->phase, l->shown, l->k));
        if (found == l->k)
            return restart(run, l, l->k);
        if (l->restarts == MOST_RESTARTS)
            return fail(run, l, found);
        l->restarts++;
        PEN_TRY(restart(run, l, pen_min(l->done, l->k + l->b)));
    }
}

/* Searches the complement of the k columns found for eigenvalues above the last of them. If there
 * are any, its leading Ritz vectors become the pending block. */
static pen_status search_missed(pen_run *run, struct lanczos *l, int *missed)
{
    const int64_t k = l->k, b = l->b;
    const double least = l->theta[k - 1];
    double *kept;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, kept, k));
    memcpy(kept, l->theta, (size_t)k * sizeof *kept);
    l->rng.state = 1;
    l->locked = k;
    l->done = 0;
    PEN_TRY(start_random(run, l));
    for (int restarts = 0;; restarts++) {
        do {
            PEN_TRY(expand(run, l));
            PEN_TRY(find_ritz(run, l, pen_min(l->done, 2 * b)));
        } while (l->done < check_size(b) && l->length[0] > CHECK_RESIDUAL * l->scale);
        if (restarts == CHECK_RESTARTS || l->length[0] <= CHECK_RESIDUAL * l->scale)
            break;
        PEN_TRY(restart(run, l, 2 * b));
    }
    *missed = l->theta[0] > least + CHECK_TOL * l->scale;
    if (*missed)
        PEN_TRY(restart(run, l, b));
    l->locked = 0;
    l->done = k;
    memcpy(l->theta, kept, (size_t)k * sizeof *kept);
    for (int64_t i = 0; i < k; i++) {
        memset(l->T + i * l->stride, 0, (size_t)k * sizeof *l->T);
        l->T[i * l->stride + i] = kept[i];
    }
    for (int64_t i = 0; i < l->n && *missed; i++)
        memcpy(l->v + i * b, l->Q + i * l->stride + k, (size_t)b * sizeof *l->v);
    pen_release(run, mark);
    return *missed ? start_block(run, l) : PEN_OK;
}

/* Computes the residuals of columns first .. first + count - 1 by a product, into w [n x count];
 * *worst is the longest. */
static pen_status multiply_found(pen_run *run, struct lanczos *l, int64_t first, int64_t count,
                                 double *worst)
{
    const pen_lanczos *const p = l->problem;

    for (int64_t i = 0; i < l->n; i++)
        memcpy(l->v + i * count, l->Q + i * l->stride + first, (size_t)count * sizeof *l->v);
    PEN_TRY(p->apply(run, p->context, count, l->v, l->w));
    l->products += count;
    *worst = 0;
    for (int64_t j = 0; j < count; j++) {
        double sum = 0;
        for (int64_t i = 0; i < l->n; i++) {
            double *const rest = l->w + i * count + j;
            *rest -= l->theta[first + j] * l->v[i * count + j];
            sum += *rest * *rest;
        }
        *worst = fmax(*worst, sqrt(sum));
    }
    return PEN_OK;
}

/* Computes the true residuals of the k columns found. If one is too long, the first block with such
 * a column becomes the pending block. */
static pen_status verify(pen_run *run, struct lanczos *l, double *worst, int *holds)
{
    double longest;

    *worst = 0;
    *holds = 1;
    for (int64_t first = 0; first < l->k && *holds; first += l->b) {
        const int64_t count = pen_min(l->b, l->k - first);
        PEN_TRY(multiply_found(run, l, first, count, &longest));
        *worst = fmax(*worst, longest);
        *holds = longest <= l->problem->tol * l->scale;
        if (*holds)
            continue;
        memset(l->v, 0, (size_t)(l->n * l->b) * sizeof *l->v); /* replaced by random ones */
        for (int64_t i = 0; i < l->n; i++)
            memcpy(l->v + i * l->b, l->w + i * count, (size_t)count * sizeof *l->v);
    }
    return *holds ? PEN_OK : start_block(run, l);
}

/* Takes the first k columns of Q and theta as the solution. */
static pen_status iterate(pen_run *run, struct lanczos *l, double *worst)
{
    int missed = 1, holds = 0, stalls = 0;
    double best = INFINITY;

    PEN_TRY(start_random(run, l));
    for (;;) {
        PEN_TRY(converge(run, l));
        if (missed)
            PEN_TRY(search_missed(run, l, &missed));
        if (missed)
            continue;
        PEN_TRY(verify(run, l, worst, &holds));
        if (holds)
            return PEN_OK;
        stalls = *worst < best / 2 ? 0 : stalls + 1;
        best = fmin(best, *worst);
        PEN_REQUIRE(run, l->restarts++ < MOST_RESTARTS && stalls < MOST_STALLS, PEN_NOT_CONVERGED,
                    "%s: a residual is %.2g of the largest eigenvalue, at most %.2g is allowed",
                    l->problem->phase ? l->problem->phase : "eigenvalues", *worst / l->scale,
                    l->problem->tol);
    }
}

/* ---- results ---- */

static pen_status solve_by_products(pen_run *run, struct lanczos *l, pen_lanczos_pairs *out)
{
    double worst = 0;

    PEN_TRY(PEN_NEW(run, l->Q, pen_times(l->n, l->stride)));
    PEN_TRY(PEN_NEW2(run, l->v, l->w, pen_times(l->n, l->b)));
    PEN_TRY(PEN_NEW2(run, l->T, l->S, pen_times(l->stride, l->stride)));
    PEN_TRY(PEN_NEW2(run, l->B, l->H, pen_times(l->b, l->stride)));
    PEN_TRY(PEN_NEW(run, l->R, pen_times(l->b, l->b)));
    PEN_TRY(PEN_NEW2(run, l->theta, l->length, l->stride));
    PEN_TRY(iterate(run, l, &worst));
    out->products = l->products;
    out->restarts = l->restarts;
    out->scale = l->scale;
    out->residual = l->scale > 0 ? worst / l->scale : 0;
    memcpy(out->values, l->theta, (size_t)l->k * sizeof *out->values);
    for (int64_t i = 0; i < l->n; i++)
        memcpy(out->vectors + i * l->k, l->Q + i * l->stride, (size_t)l->k * sizeof *out->vectors);
    return PEN_OK;
}

/* Solves with the whole matrix, if it is no larger than a basis. */
static pen_status solve_whole(pen_run *run, const pen_lanczos *p, pen_lanczos_pairs *out)
{
    const int64_t n = p->n, k = p->k;
    double *unit, *A, *lower, *values, *vectors, worst = 0, scale = 0;

    PEN_TRY(PEN_FILLED(run, unit, pen_times(n, n), 0));
    PEN_TRY(PEN_NEW2(run, A, lower, pen_times(n, n)));
    PEN_TRY(PEN_NEW(run, values, n));
    PEN_TRY(PEN_NEW(run, vectors, pen_times(n, n)));
    for (int64_t i = 0; i < n; i++)
        unit[i * n + i] = 1;
    PEN_TRY(p->apply(run, p->context, n, unit, A));
    for (int64_t i = 0; i < n * n; i++)
        PEN_REQUIRE(run, isfinite(A[i]), PEN_BAD_DATA,
                    "values are too large: their products overflow");
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            lower[i * n + j] = (A[i * n + j] + A[j * n + i]) / 2;
    PEN_TRY(pen_decompose(run, n, n, lower, values, vectors)); /* all: the last also gives the
                                                                * scale */
    for (int64_t c = 0; c < k; c++) {
        out->values[c] = values[n - 1 - c];
        scale = fmax(scale, fabs(out->values[c]));
        for (int64_t i = 0; i < n; i++)
            out->vectors[i * k + c] = vectors[(n - 1 - c) * n + i];
    }
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, n, k, n, 1, A, n, out->vectors, k, 0, unit, k);
    for (int64_t c = 0; c < k; c++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += pow(unit[i * k + c] - out->values[c] * out->vectors[i * k + c], 2);
        worst = fmax(worst, sqrt(sum));
    }
    out->scale = fmax(fabs(values[0]), fabs(values[n - 1]));
    out->residual = scale > 0 ? worst / scale : 0;
    out->products = n;
    return PEN_OK;
}

pen_status pen_lanczos_solve(pen_run *run, const pen_lanczos *p, pen_lanczos_pairs *out)
{
    const int64_t k = p->k, b = p->block, most = pen_max(2 * k + 2 * b, k + check_size(b));
    struct lanczos l = { .problem = p, .n = p->n, .k = k, .b = b, .most = most };

    *out = (pen_lanczos_pairs){ .products = 0 };
    PEN_TRY(PEN_NEW(run, out->values, k));
    PEN_TRY(PEN_NEW(run, out->vectors, pen_times(p->n, k)));
    const pen_mark_t mark = pen_mark(run);
    l.stride = (most + b + 7) / 8 * 8; /* whole cache lines */
    PEN_TRY(p->n <= most + 2 * b ? solve_whole(run, p, out) : solve_by_products(run, &l, out));
    PEN_TRY(pen_fix_signs(run, p->n, k, NULL, out->vectors));
    pen_release(run, mark);
    return PEN_OK;
}
