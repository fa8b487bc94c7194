/* blas.c - large products by this library, other products by BLAS through CBLAS, and LAPACK through
 * its Fortran names, which every LAPACK has and which allocate no memory.
 *
 * LAPACK is column-major: its upper triangle is the row-major lower one, and its columns are rows
 * here. */
#include "linalg/blas.h"

#include "core/isa.h"
#include "linalg/blas_turn.h"
#include "products/multiply.h"

#include <cblas.h>
#include <string.h>

/* Fortran passes the lengths of character arguments after all other arguments. */
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dpocon_(const char *uplo, const int *n, const double *a, const int *lda, const double *anorm,
             double *rcond, double *work, int *iwork, int *info, size_t);
void dsygst_(const int *itype, const char *uplo, const int *n, double *a, const int *lda,
             const double *b, const int *ldb, int *info, size_t);
void dsyevr_(const char *jobz, const char *range, const char *uplo, const int *n, double *a,
             const int *lda, const double *vl, const double *vu, const int *il, const int *iu,
             const double *abstol, int *m, double *w, double *z, const int *ldz, int *isuppz,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t,
             size_t, size_t);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t,
             size_t);
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t);
void dgelqf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dgesvj_(const char *joba, const char *jobu, const char *jobv, const int *m, const int *n,
             double *a, const int *lda, double *sva, const int *mv, double *v, const int *ldv,
             double *work, const int *lwork, int *info, size_t, size_t, size_t);
void dorgqr_(const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau,
             double *work, const int *lwork, int *info);

/* From these sizes on our products have 0.7 to 1.1 of the speed of the best kernels of OpenBLAS
 * (bench_products). For small matrices those kernels are twice as fast, and are used. But kernels
 * for a lesser CPU have at most half our speed at any size worth packing, and calls that take turns
 * are not worth waiting for. */
enum { LEAST_SIDE = 32, LEAST_PRODUCTS = 1 << 21, LEAST_WORTH_PACKING = 1 << 15 };

/* 1 if the library computes the product itself; k: half the inner size if only half of the result
 * is computed. This depends only on sizes, the CPU and the BLAS. */
static int is_ours(int64_t m, int64_t n, int64_t k)
{
    if (pen_isa_now() == PEN_ISA_PORTABLE || pen_min(m, n) < LEAST_SIDE)
        return 0;
    const blas_facts blas = pen_blas_ask();
    return pen_times(pen_times(m, n), k)
           >= (blas.in_turn || blas.better ? LEAST_WORTH_PACKING : LEAST_PRODUCTS);
}

/* op(A) for a matrix whose rows are `stride` elements apart. */
static pen_factor factor_of(pen_op op, const void *a, int64_t stride)
{
    return (pen_factor){ a, op == PEN_PLAIN ? stride : 1, op == PEN_PLAIN ? 1 : stride, 0 };
}

void pen_blas_gemm(pen_dtype type, pen_op a_op, pen_op b_op, int64_t m, int64_t n, int64_t k,
                   double alpha, const void *a, int64_t lda, const void *b, int64_t ldb,
                   double beta, void *c, int64_t ldc)
{
    const CBLAS_TRANSPOSE ta = a_op == PEN_PLAIN ? CblasNoTrans : CblasTrans,
                          tb = b_op == PEN_PLAIN ? CblasNoTrans : CblasTrans;

    if (is_ours(m, n, k)) {
        pen_multiply_dense(&(pen_dense_product){ .type = type,
                                                 .m = m,
                                                 .n = n,
                                                 .k = k,
                                                 .a = factor_of(a_op, a, lda),
                                                 .b = factor_of(b_op, b, ldb),
                                                 .alpha = alpha,
                                                 .beta = beta,
                                                 .c = c,
                                                 .stride = ldc });
        return;
    }
    const int saved = pen_blas_begin();
    if (type == PEN_F64)
        cblas_dgemm(CblasRowMajor, ta, tb, (int)m, (int)n, (int)k, alpha, a, (int)lda, b, (int)ldb,
                    beta, c, (int)ldc);
    else
        cblas_sgemm(CblasRowMajor, ta, tb, (int)m, (int)n, (int)k, (float)alpha, a, (int)lda, b,
                    (int)ldb, (float)beta, c, (int)ldc);
    pen_blas_end(saved);
}

/* Lower triangle of C [n x n] = A'B + beta C, if that is symmetric, or half of a symmetric sum. */
static void multiply_lower(pen_dtype type, int64_t n, int64_t k, const void *a, const void *b,
                           int64_t ld, double beta, void *c, int64_t ldc)
{
    pen_multiply_dense(&(pen_dense_product){ .type = type,
                                             .m = n,
                                             .n = n,
                                             .k = k,
                                             .a = factor_of(PEN_TRANSPOSED, a, ld),
                                             .b = factor_of(PEN_PLAIN, b, ld),
                                             .alpha = 1,
                                             .beta = beta,
                                             .c = c,
                                             .stride = ldc,
                                             .lower = 1 });
}

void pen_blas_syrk(pen_dtype type, int64_t n, int64_t k, const void *a, int64_t lda, double beta,
                   void *c, int64_t ldc)
{
    if (is_ours(n, n, k / 2)) {
        multiply_lower(type, n, k, a, a, lda, beta, c, ldc);
        return;
    }
    const int saved = pen_blas_begin();
    if (type == PEN_F64)
        cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, (int)n, (int)k, 1, a, (int)lda, beta, c,
                    (int)ldc);
    else
        cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, (int)n, (int)k, 1, a, (int)lda,
                    (float)beta, c, (int)ldc);
    pen_blas_end(saved);
}

void pen_blas_syr2k(pen_dtype type, int64_t n, int64_t k, const void *a, const void *b, int64_t ld,
                    void *c, int64_t ldc)
{
    if (is_ours(n, n, k / 2)) {
        multiply_lower(type, n, k, a, b, ld, 0, c, ldc);
        multiply_lower(type, n, k, b, a, ld, 1, c, ldc);
        return;
    }
    const int saved = pen_blas_begin();
    if (type == PEN_F64)
        cblas_dsyr2k(CblasRowMajor, CblasLower, CblasTrans, (int)n, (int)k, 1, a, (int)ld, b,
                     (int)ld, 0, c, (int)ldc);
    else
        cblas_ssyr2k(CblasRowMajor, CblasLower, CblasTrans, (int)n, (int)k, 1, a, (int)ld, b,
                     (int)ld, 0, c, (int)ldc);
    pen_blas_end(saved);
}

void pen_blas_symm(int64_t n, int64_t k, const double *a, const double *b, double *c)
{
    if (is_ours(n, k, n)) {
        pen_multiply_dense(&(pen_dense_product){ .type = PEN_F64,
                                                 .m = n,
                                                 .n = k,
                                                 .k = n,
                                                 .a = { a, n, 1, 1 },
                                                 .b = factor_of(PEN_PLAIN, b, k),
                                                 .alpha = 1,
                                                 .c = c,
                                                 .stride = k });
        return;
    }
    const int saved = pen_blas_begin();
    cblas_dsymm(CblasRowMajor, CblasLeft, CblasLower, (int)n, (int)k, 1, a, (int)n, b, (int)k, 0, c,
                (int)k);
    pen_blas_end(saved);
}

int pen_lapack_cholesky(int64_t n, double *a)
{
    const int order = (int)n;
    int info;
    const int saved = pen_blas_begin();
    dpotrf_("U", &order, a, &order, &info, 1);
    pen_blas_end(saved);
    return info;
}

double pen_lapack_reciprocal_condition(int64_t n, const double *factor, double norm, double *work,
                                       int *iwork)
{
    const int order = (int)n;
    double rcond = 0;
    int info;
    const int saved = pen_blas_begin();
    dpocon_("U", &order, factor, &order, &norm, &rcond, work, iwork, &info, 1);
    pen_blas_end(saved);
    return info == 0 ? rcond : 0;
}

int pen_lapack_reduce(int64_t n, double *a, const double *factor)
{
    const int order = (int)n, form = 1;
    int info;
    const int saved = pen_blas_begin();
    dsygst_(&form, "U", &order, a, &order, factor, &order, &info, 1);
    pen_blas_end(saved);
    return info;
}

void pen_lapack_back_substitute(int64_t n, int64_t k, const double *factor, double *v)
{
    const int saved = pen_blas_begin();
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, (int)n, (int)k, 1,
                factor, (int)n, v, (int)n);
    pen_blas_end(saved);
}

void pen_blas_solve_rows(int64_t k, int64_t n, const double *factor, double *v, int64_t stride)
{
    const int saved = pen_blas_begin();
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)k, (int)n, 1,
                factor, (int)n, v, (int)stride);
    pen_blas_end(saved);
}

/* Divide and conquer is faster for many vectors but needs 2 n^2 doubles of work space; relatively
 * robust representations compute a few vectors cheaply. */
static int use_divide_and_conquer(int64_t n, int64_t k, int vectors)
{
    return vectors && 4 * k > n && 1 + 6 * n + 2 * n * n <= INT32_MAX;
}

void pen_lapack_eig_sizes(int64_t n, int64_t k, int vectors, lapack_eig_work *work)
{
    if (use_divide_and_conquer(n, k, vectors)) {
        work->reals = 1 + 6 * n + 2 * n * n;
        work->ints = 3 + 5 * n;
    } else {
        work->reals = 40 * n + 64;
        work->ints = 12 * n + 64;
    }
}

int pen_lapack_eig(int64_t n, int64_t k, double *a, double *values, double *vectors,
                   const lapack_eig_work *work)
{
    const int order = (int)n, first = (int)(n - k + 1), lwork = (int)work->reals;
    int saved, info, found, liwork = (int)work->ints;
    double none = 0;

    if (use_divide_and_conquer(n, k, vectors != NULL)) {
        saved = pen_blas_begin();
        dsyevd_("V", "U", &order, a, &order, values, work->real, &lwork, work->integer, &liwork,
                &info, 1, 1);
        pen_blas_end(saved);
        memmove(values, values + (n - k), (size_t)k * sizeof *values);
        memcpy(vectors, a + (n - k) * n, (size_t)(k * n) * sizeof *vectors);
        return info;
    }
    liwork -= 2 * order;
    saved = pen_blas_begin();
    dsyevr_(vectors ? "V" : "N", k == n ? "A" : "I", "U", &order, a, &order, &none, &none, &first,
            &order, &none, &found, values, vectors, &order, work->integer + liwork, work->real,
            &lwork, work->integer, &liwork, &info, 1, 1, 1);
    pen_blas_end(saved);
    return info == 0 && found != k ? LAPACK_FOUND_FEWER : info;
}

int pen_lapack_orthonormalize(int64_t n, int64_t k, double *v, double *work)
{
    const int rows = (int)n, cols = (int)k, lwork = (int)(32 * k);
    int info;

    const int saved = pen_blas_begin();
    dgeqrf_(&rows, &cols, v, &rows, work, work + k, &lwork, &info);
    if (info == 0)
        dorgqr_(&rows, &cols, &cols, v, &rows, work, work + k, &lwork, &info);
    pen_blas_end(saved);
    return info;
}

int pen_lapack_triangle(int64_t n, int64_t d, double *x, double *work)
{
    const int rows = (int)d, cols = (int)n, lwork = (int)(32 * d);
    int info;

    const int saved = pen_blas_begin();
    dgelqf_(&rows, &cols, x, &rows, work, work + d, &lwork, &info);
    pen_blas_end(saved);
    for (int64_t i = 0; i < d; i++)
        memset(x + i * d, 0, (size_t)i * sizeof *x);
    return info;
}

int pen_lapack_rotate(int64_t d, double *r, double *values, double *v, double *work)
{
    const int n = (int)d, lwork = (int)(2 * d + 6), none = 0;
    int info;

    for (int64_t i = 0; i < d; i++) /* to columns */
        for (int64_t j = 0; j < i; j++) {
            r[i * d + j] = r[j * d + i];
            r[j * d + i] = 0;
        }
    const int saved = pen_blas_begin();
    dgesvj_("U", "N", "V", &n, &n, r, &n, values, &none, v, &n, work, &lwork, &info, 1, 1, 1);
    pen_blas_end(saved);
    for (int64_t i = 0; i < d; i++)
        values[i] *= work[0];
    return info;
}

/* dgesdd needs 5 n^2 + 7 n doubles of work space to overwrite its matrix, n^2 for the unused right
 * singular vectors, and 8 n ints. */
int64_t pen_lapack_thin_svd_size(int64_t n)
{
    return 6 * n * n + 48 * n;
}

int pen_lapack_thin_svd(int64_t d, int64_t n, double *x, double *values, double *u, double *work)
{
    const int rows = (int)d, cols = (int)n, lwork = (int)pen_min(5 * n * n + 39 * n, INT32_MAX);
    double *const tau = work, *const unused = work + n, *const rest = unused + n * n;
    int *const iwork = (int *)(void *)(work + 6 * n * n + 40 * n);
    int info;

    int saved = pen_blas_begin();
    dgeqrf_(&rows, &cols, x, &rows, tau, rest, &lwork, &info);
    pen_blas_end(saved);
    if (info != 0)
        return info;
    memset(u, 0, (size_t)(n * n) * sizeof *u);
    for (int64_t j = 0; j < n; j++) /* column j of R */
        memcpy(u + j * n, x + j * d, (size_t)(j + 1) * sizeof *u);
    saved = pen_blas_begin();
    dorgqr_(&rows, &cols, &cols, x, &rows, tau, rest, &lwork, &info);
    if (info == 0)
        dgesdd_("O", &cols, &cols, u, &cols, values, NULL, &cols, unused, &cols, rest, &lwork,
                iwork, &info, 1);
    pen_blas_end(saved);
    return info;
}

void pen_lapack_cholesky_solve(int64_t n, int64_t k, const double *factor, double *b)
{
    const int saved = pen_blas_begin();
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, (int)k, 1,
                factor, (int)n, b, (int)k);
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, (int)n, (int)k, 1,
                factor, (int)n, b, (int)k);
    pen_blas_end(saved);
}

int64_t pen_lapack_polar_size(int64_t n)
{
    return pen_lapack_thin_svd_size(n) + 2 * n * n + n;
}

/* pen_lapack_thin_svd leaves the right singular vectors, which other callers ignore, after the
 * first n numbers of its work space. */
int pen_lapack_polar(int64_t d, int64_t n, double *x, double *work)
{
    double *const values = work, *const u = values + n, *const rotation = u + n * n,
                  *const svd = rotation + n * n, *const right = svd + n;
    const int info = pen_lapack_thin_svd(d, n, x, values, u, svd);

    if (info != 0)
        return info;
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, n, n, n, 1, right, n, u, n, 0, rotation, n);
    /* the columns of Q, stored as rows of x */
    for (int64_t first = 0; first < d; first += n) {
        const int64_t count = pen_min(n, d - first);
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, n, count, n, 1, rotation, n, x + first, d, 0,
                      u, count);
        for (int64_t i = 0; i < n; i++)
            memcpy(x + i * d + first, u + i * count, (size_t)count * sizeof *u);
    }
    return 0;
}

void pen_transpose(int64_t rows, int64_t columns, const double *from, double *to)
{
    enum { TILE = 32 };

    for (int64_t i = 0; i < rows; i += TILE)
        for (int64_t j = 0; j < columns; j++)
            for (int64_t l = i; l < pen_min(i + TILE, rows); l++)
                to[j * rows + l] = from[l * columns + j];
}
