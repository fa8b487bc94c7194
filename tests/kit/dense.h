/* dense.h - small row-major matrices, implemented literally: elimination, Jacobi rotations, sums of
 * products.
 *
 * Nothing here calls the library. Results last until the program ends (kit/keep.h); errors end in
 * abort(). */
#ifndef DENSE_H
#define DENSE_H

#include <stdint.h>

/* An eigenvalue below this fraction of the largest is rounding noise. Checked values are far above
 * it or exactly 0. */
#define DENSE_NOISE 1e-12

double *zeros(int64_t count);
double *dense_copy(int64_t count, const double *a);
void dense_add(int64_t count, double factor, const double *a, double *to);
void dense_sort(int64_t count, double *a); /* ascending */
/* The squared distance of a and b [count]; the largest magnitude of `count` numbers, `stride`
 * apart. */
double dense_distance2(int64_t count, const double *a, const double *b);
double dense_largest(int64_t count, const double *a, int64_t stride);
double dense_dot(int64_t count, const double *a, const double *b);
/* s += weight (a - b)(a - b)' [q x q]; b NULL: 0 */
void dense_outer(int64_t q, double weight, const double *a, const double *b, double *s);
/* columns first, first + step .. of a [n x m]: [n x k] */
double *dense_columns(int64_t n, int64_t m, int64_t first, int64_t step, int64_t k,
                      const double *a);

/* The mean of nonnegative numbers, each capped at 100 times the 90th percentile of the positive
 * ones. */
double dense_mean_of_most(int64_t count, const double *a);

/* The mean [k] of rows z [n x k] whose label is not -1, or (labels NULL) of all rows. */
double *dense_mean(int64_t n, int64_t k, const double *z, const int32_t *labels);

/* The unit of classifiers: the root mean square of values z [n x k] about `center`, robust to
 * outliers (dense_mean_of_most); 1 if it is 0. */
double dense_unit(int64_t n, int64_t k, const double *z, const double *center);

/* [n x m] times [m x k] */
double *dense_product(int64_t n, int64_t m, int64_t k, const double *a, const double *b);
/* [m x n] of a [n x m] */
double *dense_transpose(int64_t n, int64_t m, const double *a);
/* a^-1 b, b [n x k]: elimination with pivoting */
double *dense_solve(int64_t n, int64_t k, const double *a, const double *b);
/* x' m x [q x q] for x [n x q], m [n x n], made symmetric */
double *dense_inside(int64_t n, int64_t q, const double *x, const double *m);
/* v' a v [k x k] of a symmetric a [d x d], v [d x k] */
double *dense_project(int64_t d, int64_t k, const double *a, const double *v);
/* the orthonormal [d x k] nearest to a */
double *dense_polar(int64_t d, int64_t k, const double *a);

/* Eigenvalues [n], descending, and eigenvectors [n x n] as columns, of a symmetric matrix, by
 * Jacobi rotations. */
void dense_eigen(int64_t n, const double *a, double *values, double *vectors);

/* Sets eigenvalues at noise level to 0; returns the number of remaining ones. Descending order. */
int64_t dense_rank(int64_t n, double *values);

/* Eigenvectors [q x rank] of s with eigenvalues above noise, each times its eigenvalue to this
 * power. Also stores all eigenvalues, with noise set to 0, unless NULL. */
double *dense_span(int64_t q, const double *s, double power, int64_t *rank, double **values);

/* The number of eigenvalues of s [n x n] above noise. */
int64_t dense_rank_of(int64_t n, const double *s);

/* a v = value c v, v' c v = 1, descending, by the inverse square root of c; 0 if c is not positive
 * definite. */
int dense_generalized(int64_t q, const double *a, const double *c, double *values, double *t);

/* 1 if a symmetric matrix is positive definite. */
int dense_definite(int64_t n, const double *a);

/* max tr(W'AW) / tr(W'BW), W [q x k] orthonormal: the ratio, and the eigenvalues and eigenvectors
 * of A - ratio B at the maximum. */
double dense_trace_ratio(int64_t q, int64_t k, const double *A, const double *B, double *values,
                         double *vectors);

/* -1 if columns c of a and b [d x .] point in opposite directions, else 1. */
double dense_sign(int64_t d, const double *a, int64_t a_stride, const double *b, int64_t b_stride,
                  int64_t c);

#endif
