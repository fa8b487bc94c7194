/* blas.h - the BLAS and LAPACK routines in use, with the library's own types. Only blas.c and
 * blas_check.c name them. products/multiply.h replaces them for large products if the CPU has
 * vectors of four doubles or more, or is a 64-bit Arm.
 *
 * Single-threaded; safe to call from several threads at once. Matrices are row-major with a leading
 * dimension. Sizes must fit in an int (pen_array_check ensures that). */
#ifndef PEN_BLAS_H
#define PEN_BLAS_H

#include "core/run.h"

#include <math.h>

typedef enum pen_op { PEN_PLAIN, PEN_TRANSPOSED } pen_op;

/* C [m x n] = alpha op(A) op(B) + beta C, inner size k; all of the given precision, PEN_F64 or
 * PEN_F32. */
void pen_blas_gemm(pen_dtype type, pen_op a_op, pen_op b_op, int64_t m, int64_t n, int64_t k,
                   double alpha, const void *a, int64_t lda, const void *b, int64_t ldb,
                   double beta, void *c, int64_t ldc);

/* Lower triangle of C [n x n] = A'A + beta C, A [k x n]. */
void pen_blas_syrk(pen_dtype type, int64_t n, int64_t k, const void *a, int64_t lda, double beta,
                   void *c, int64_t ldc);

/* Lower triangle of C [n x n] = A'B + B'A, A, B [k x n]. */
void pen_blas_syr2k(pen_dtype type, int64_t n, int64_t k, const void *a, const void *b, int64_t ld,
                    void *c, int64_t ldc);

/* C [n x k] = A B, A [n x n] symmetric, lower triangle read. */
void pen_blas_symm(int64_t n, int64_t k, const double *a, const double *b, double *c);

/* Symmetric matrices below are [n x n], with the lower triangle (row-major) read and written. The
 * functions return LAPACK's info: 0 is success. */

/* Cholesky factorization A = L L'; L overwrites the lower triangle of A. > 0: not positive
 * definite. */
int pen_lapack_cholesky(int64_t n, double *a);

/* An estimate of 1 / (|A|_1 |A^-1|_1) from the Cholesky factor and |A|_1; work [3n], iwork [n]. */
double pen_lapack_reciprocal_condition(int64_t n, const double *factor, double norm, double *work,
                                       int *iwork);

/* Replaces A by L^-1 A L^-T. */
int pen_lapack_reduce(int64_t n, double *a, const double *factor);

/* Replaces the k rows of V [k x n] by the rows of V L^-1: each row v solves L' w = v. */
void pen_lapack_back_substitute(int64_t n, int64_t k, const double *factor, double *v);

/* Replaces the k rows of V [k x n], `stride` elements apart: each row v becomes the w with L w = v,
 * L [n x n]. */
void pen_blas_solve_rows(int64_t k, int64_t n, const double *factor, double *v, int64_t stride);

/* Computes the k largest eigenvalues, ascending, into values [n], and their vectors into the rows
 * of vectors [k x n] (NULL: values only). A is destroyed. `work` has the memory that
 * pen_lapack_eig_sizes requires for the same n, k and `vectors`. */
/* returned if fewer than k were found; then only the lower triangle of A is destroyed */
enum { LAPACK_FOUND_FEWER = -1000 };
typedef struct lapack_eig_work {
    int64_t reals, ints;
    double *real;
    int *integer;
} lapack_eig_work;
void pen_lapack_eig_sizes(int64_t n, int64_t k, int vectors, lapack_eig_work *work);
int pen_lapack_eig(int64_t n, int64_t k, double *a, double *values, double *vectors,
                   const lapack_eig_work *work);

/* Orthonormalizes the k rows of V [k x n], k <= n, so that the first i rows keep their span for
 * every i: Gram-Schmidt up to signs, by Householder reflections. work [33 k]. */
int pen_lapack_orthonormalize(int64_t n, int64_t k, double *v, double *work);

/* Replaces the first d of the n >= d rows of X [n x d] by R, X = Q R; the rest is scratch. work
 * [33 d]. */
int pen_lapack_triangle(int64_t n, int64_t d, double *x, double *work);

/* The singular values [d] of an upper triangular R, descending, and their right vectors, the rows
 * of v [d x d], by rotations: as accurate as if all columns of R had length one. R is destroyed;
 * work [2 d + 6]. */
int pen_lapack_rotate(int64_t d, double *r, double *values, double *v, double *work);

/* X' = Q R and R = U diag(values) W' for the n rows of X [n x d], n <= d. Q overwrites X (row i is
 * column i of Q), values [n] descending, column j of U is row j of u [n x n]; work
 * [pen_lapack_thin_svd_size(n)]. */
int64_t pen_lapack_thin_svd_size(int64_t n);
int pen_lapack_thin_svd(int64_t d, int64_t n, double *x, double *values, double *u, double *work);

/* Solves A x = b for the k columns b of B [n x k], from the Cholesky factor of A; x overwrites
 * b. */
void pen_lapack_cholesky_solve(int64_t n, int64_t k, const double *factor, double *b);

/* Replaces the rows of X [n x d], n <= d, by the nearest orthonormal rows: U W' for X = U
 * diag(values) W'. work [pen_lapack_polar_size(n)]. */
int64_t pen_lapack_polar_size(int64_t n);
int pen_lapack_polar(int64_t d, int64_t n, double *x, double *work);

/* ---- routines that BLAS also has, here with the same bits for any BLAS ---- */

static inline double pen_dot(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline double pen_norm(int64_t count, const double *v)
{
    return sqrt(pen_dot(count, v, v));
}

/* to [columns x rows] = from', from [rows x columns]. */
void pen_transpose(int64_t rows, int64_t columns, const double *from, double *to);

#endif
