/* row_products.h - principal components of rows, only by products with them; and
 * products of the rows with each other. */
#ifndef PEN_ROW_PRODUCTS_H
#define PEN_ROW_PRODUCTS_H

#include "core/rows.h"

typedef struct pen_row_products {
    int64_t rank;   /* number of the k values above rounding */
    double *values; /* [k] the largest eigenvalues of Xc'Xc, descending; 0 from `rank` on */
    double *V;      /* [d x rank] orthonormal directions */
    int64_t products, restarts;
    double residual; /* relative to the largest value */
} pen_row_products;

/* The k largest principal components of the rows, k <= n, d, Xc the centered rows. Uses
 * eigenvectors of Xc'Xc, or of Xc Xc' with n < d; then V is Xc' times them, orthonormalized. Errors
 * of pen_lanczos_solve. Cost: 4 n d flops per product, 4 per entry of sparse rows, plus those of
 * pen_lanczos_solve. Memory: that of pen_lanczos_solve, and d k doubles. */
pen_status pen_rows_by_products(pen_run *run, const pen_view *x, int64_t k, pen_row_products *out);

/* The sum of the squares of all centered rows. Cost: passes over the rows. */
pen_status pen_rows_trace(pen_run *run, const pen_view *x, double *trace);

/* G = Xc Xc' [n x n], both triangles; Xc the centered rows [n x d], in double. Cost: n^2 d flops;
 * memory: 24 MB, or 256 n doubles for each thread, or n^2 doubles, whichever is most. Sparse rows:
 * pen_sparse_rows_gram. */
pen_status pen_rows_gram(pen_run *run, const pen_view *x, double *G);

#endif
