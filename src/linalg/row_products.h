/* row_products.h - principal components of rows by products with them alone. */
#ifndef PEN_ROW_PRODUCTS_H
#define PEN_ROW_PRODUCTS_H

#include "core/rows.h"

typedef struct pen_row_products {
    int64_t rank;   /* of the k values: those above rounding */
    double *values; /* [k] the largest of Xc'Xc, descending; 0 from `rank` on */
    double *V;      /* [d x rank] orthonormal directions */
    int64_t products, restarts;
    double residual; /* relative to the largest value */
} pen_row_products;

/* The k largest principal components of the rows, k <= n, d, Xc the centered rows. Eigenvectors of
 * Xc'Xc, or of Xc Xc' with n < d, where V is Xc' times them, orthonormalized. Errors of
 * pen_lanczos_solve. Cost: 4 n d flops for each product, 4 for each entry of sparse rows, and what
 * pen_lanczos_solve adds. Memory: that of pen_lanczos_solve, and d k doubles. */
pen_status pen_rows_by_products(pen_run *run, const pen_view *x, int64_t k, pen_row_products *out);

/* The sum of the squares of all centered rows. Cost: passes over the rows. */
pen_status pen_rows_trace(pen_run *run, const pen_view *x, double *trace);

#endif
