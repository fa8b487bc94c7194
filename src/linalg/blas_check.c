/* blas_check.c - calls each kind of BLAS routine of blas.c and multiplies the result by a vector,
 * as a plain loop does with the factors: if an element is wrong, so is the product. All numbers are
 * small and whole, so that sums in any order are exact, and solutions nearly so. LAPACK is not
 * checked by itself: the kernels that were found wrong compute these routines. */
#include "linalg/blas_turn.h"

#include <cblas.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* N: several tiles of any kernel and a rest. Larger matrices, which more kernels would pack, take
 * ten milliseconds. With DIAGONAL a triangle is well conditioned. */
enum { N = 37, SIZE = N * N, DIAGONAL = 256 };
static const double TOLERANCE = 1e-3;

typedef struct matrices {
    double a[SIZE], b[SIZE], c[SIZE]; /* [N x N]; the result is in c */
    float fa[SIZE], fb[SIZE], fc[SIZE];
    double x[N], rest[N]; /* the product of x that is expected, less that found */
} matrices;

typedef struct kind {
    const char *name;
    void (*compute)(const struct kind *k, matrices *m);
    CBLAS_TRANSPOSE ta, tb;
} kind;
#define PLAIN  CblasNoTrans
#define TURNED CblasTrans

/* y += factor op(a) x */
static void add(double factor, const double *a, CBLAS_TRANSPOSE t, const double *x, double *y)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            y[t == PLAIN ? i : j] += factor * a[i * N + j] * x[t == PLAIN ? j : i];
}

/* rest += op(a) op(b) x */
static void add_product(matrices *m, const double *a, CBLAS_TRANSPOSE ta, const double *b,
                        CBLAS_TRANSPOSE tb)
{
    double bx[N] = { 0 };

    add(1, b, tb, m->x, bx);
    add(1, a, ta, bx, m->rest);
}

/* The upper triangle becomes the lower one times `factor`. */
static void fill_upper(double *a, double factor)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            a[j * N + i] = factor * a[i * N + j];
}

/* Is it in double precision? Otherwise its result is in fc. */
static int is_double(const kind *k)
{
    return *k->name == 'd';
}

/* With beta = 0 a routine does not read c. */
static void forget_result(matrices *m)
{
    m->c[SIZE / 2] = (double)NAN;
    m->fc[SIZE / 2] = NAN;
}

static void subtract_result(const kind *k, matrices *m, int lower)
{
    for (int i = 0; !is_double(k) && i < SIZE; i++)
        m->c[i] = (double)m->fc[i];
    if (lower)
        fill_upper(m->c, 1);
    add(-1, m->c, PLAIN, m->x, m->rest);
}

/* c = op(a) op(b), then again as c = 3 op(a) op(b) - 2 c */
static void gemm(const kind *k, matrices *m)
{
    forget_result(m);
    add_product(m, m->a, k->ta, m->b, k->tb);
    for (int alpha = 1; alpha <= 3; alpha += 2)
        if (is_double(k))
            cblas_dgemm(CblasRowMajor, k->ta, k->tb, N, N, N, alpha, m->a, N, m->b, N, 1 - alpha,
                        m->c, N);
        else
            cblas_sgemm(CblasRowMajor, k->ta, k->tb, N, N, N, (float)alpha, m->fa, N, m->fb, N,
                        (float)(1 - alpha), m->fc, N);
    subtract_result(k, m, 0);
}

/* c = a' a, then again as c = a' a + c */
static void syrk(const kind *k, matrices *m)
{
    forget_result(m);
    for (int beta = 0; beta <= 1; beta++) {
        add_product(m, m->a, TURNED, m->a, PLAIN);
        if (is_double(k))
            cblas_dsyrk(CblasRowMajor, CblasLower, TURNED, N, N, 1, m->a, N, beta, m->c, N);
        else
            cblas_ssyrk(CblasRowMajor, CblasLower, TURNED, N, N, 1, m->fa, N, (float)beta, m->fc,
                        N);
    }
    subtract_result(k, m, 1);
}

static void syr2k(const kind *k, matrices *m)
{
    forget_result(m);
    add_product(m, m->a, TURNED, m->b, PLAIN);
    add_product(m, m->b, TURNED, m->a, PLAIN);
    if (is_double(k))
        cblas_dsyr2k(CblasRowMajor, CblasLower, TURNED, N, N, 1, m->a, N, m->b, N, 0, m->c, N);
    else
        cblas_ssyr2k(CblasRowMajor, CblasLower, TURNED, N, N, 1, m->fa, N, m->fb, N, 0, m->fc, N);
    subtract_result(k, m, 1);
}

static void symm(const kind *k, matrices *m)
{
    forget_result(m);
    fill_upper(m->a, 1);
    add_product(m, m->a, PLAIN, m->b, PLAIN);
    cblas_dsymm(CblasRowMajor, CblasLeft, CblasLower, N, N, 1, m->a, N, m->b, N, 0, m->c, N);
    subtract_result(k, m, 0);
}

/* c becomes op(a)^-1 c op(a)^-1. */
static void trsm(const kind *k, matrices *m)
{
    double ax[N] = { 0 }, cax[N] = { 0 };

    fill_upper(m->a, 0);
    add(1, m->c, PLAIN, m->x, m->rest);
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, k->ta, CblasNonUnit, N, N, 1, m->a, N, m->c,
                N);
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, k->ta, CblasNonUnit, N, N, 1, m->a, N, m->c,
                N);
    add(1, m->a, k->ta, m->x, ax);
    add(1, m->c, PLAIN, ax, cax);
    add(-1, m->a, k->ta, cax, m->rest);
}

static const kind kinds[] = {
    { "dgemm", gemm, PLAIN, PLAIN },    { "sgemm", gemm, PLAIN, PLAIN },
    { "dgemm", gemm, PLAIN, TURNED },   { "sgemm", gemm, PLAIN, TURNED },
    { "dgemm", gemm, TURNED, PLAIN },   { "sgemm", gemm, TURNED, PLAIN },
    { "dsyrk", syrk, TURNED, PLAIN },   { "ssyrk", syrk, TURNED, PLAIN },
    { "dsyr2k", syr2k, TURNED, PLAIN }, { "ssyr2k", syr2k, TURNED, PLAIN },
    { "dtrsm", trsm, PLAIN, PLAIN },    { "dtrsm", trsm, TURNED, PLAIN },
    { "dsymm", symm, PLAIN, PLAIN },
};

static int is_right(const kind *k, matrices *m)
{
    unsigned state = 1;

    memset(m, 0, sizeof *m);
    for (int i = 0; i < SIZE; i++) {
        double *const in[] = { &m->a[i], &m->b[i], &m->c[i] };
        for (int j = 0; j < 3; j++) {
            state = state * 1664525 + 1013904223;
            *in[j] = (int)(state >> 24) % 9 - 4 + (i % (N + 1) == 0 ? DIAGONAL : 0);
        }
        m->fa[i] = (float)m->a[i];
        m->fb[i] = (float)m->b[i];
        m->fc[i] = (float)m->c[i];
        m->x[i % N] = i % N + 1;
    }
    k->compute(k, m);
    for (int i = 0; i < N; i++)
        if (!(fabs(m->rest[i]) < TOLERANCE))
            return 0;
    return 1;
}

const char *pen_blas_check(void)
{
    static matrices m; /* large for a stack, and an allocation could fail */

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!is_right(&kinds[i], &m))
            return kinds[i].name;
    return NULL;
}
