/* svd_of_products.h - singular values and directions of centered rows, from products of the rows
 * with each other, if there are no more rows than columns. */
#ifndef PEN_SVD_OF_PRODUCTS_H
#define PEN_SVD_OF_PRODUCTS_H

#include "core/rows.h"

/* Xc = U diag(s) V', for the values above rounding: s > max(d epsilon s_1, sqrt(n) noise), where
 * noise is that of the rows along v, with square sum_j v_j^2 rounding_j^2. */
typedef struct pen_graded {
    int64_t rank;     /* of the requested values */
    double *s;        /* [rank] descending */
    double total;     /* the sum of squares of all values */
    double tolerance; /* d epsilon: of s */
    /* [n x rank], if the first round found all values: V = Xc'U diag(1 / s) */
    double *U;
    double *V; /* [d x rank], otherwise */
    int rounds;
} pen_graded;

/* The `wanted` largest singular values of the rows, n <= d. Eigenvalues of the products of rows
 * lose values below 1e-8 of the largest, so further rounds find these, from the rows projected on
 * the complement. PEN_BAD_DATA: products overflow; PEN_NOT_CONVERGED: LAPACK did not converge.
 * Cost: n^2 d flops and an eigenproblem of size n; further rounds 2 n^2 d each. Memory: 5 n^2
 * doubles; n d more with further rounds. */
pen_status pen_rows_svd_of_products(pen_run *run, const pen_view *x, int64_t wanted,
                                    pen_graded *out);

#endif
