/* svd_of_products.h - singular values and directions of centered rows that are no more than their
 * columns, from products of the rows with each other. */
#ifndef PEN_SVD_OF_PRODUCTS_H
#define PEN_SVD_OF_PRODUCTS_H

#include "core/rows.h"

/* Xc = U diag(s) V', for the values above rounding: s > max(d epsilon s_1, sqrt(n) noise), noise
 * that of the rows along v, sum_j v_j^2 rounding_j^2 its square. */
typedef struct pen_graded {
    int64_t rank;     /* of the values that were asked for */
    double *s;        /* [rank] descending */
    double total;     /* the sum of squares of all */
    double tolerance; /* d epsilon: of s */
    /* [n x rank], where all values were found in the first round: V = Xc'U diag(1 / s) */
    double *U;
    double *V; /* [d x rank], otherwise */
    int rounds;
} pen_graded;

/* The `wanted` largest singular values of the rows, n <= d. Eigenvalues of the products of rows
 * lose what is below 1e-8 of the largest; so the others are found in further rounds, from the rows
 * projected on the rest. PEN_BAD_DATA: products overflow; PEN_NOT_CONVERGED: LAPACK did not
 * converge. Cost: n^2 d flops and an eigenproblem of size n; further rounds 2 n^2 d each. Memory: 5
 * n^2 doubles; n d more where there are further rounds. */
pen_status pen_rows_svd_of_products(pen_run *run, const pen_view *x, int64_t wanted,
                                    pen_graded *out);

#endif
