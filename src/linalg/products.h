/* products.h - products of the centered rows with small matrices, always in double, without a copy
 * of the rows. Sparse rows cost 2 k flops for each entry and are never made dense; for many
 * products, pen_sparse_rows_attach makes them cheaper (sparse_rows.h). */
#ifndef PEN_PRODUCTS_H
#define PEN_PRODUCTS_H

#include "core/rows.h"
#include "linalg/blas.h"

/* y = Xc V, y [n x k], V [d x k], Xc the centered rows [n x d]. Cost: 2 n d k flops; memory: at
 * most 128 rows for each thread. */
pen_status pen_rows_multiply(pen_run *run, const pen_view *x, int64_t k, const double *V,
                             double *y);

/* G = Xc'y, G [d x k], y [n x k]. Cost: as above; memory: at most 128 rows for each thread, and 20
 * MB of partial sums, or d k doubles if that is more. */
pen_status pen_rows_gather(pen_run *run, const pen_view *x, int64_t k, const double *y, double *G);

/* c = a b [m x n], where a is [m x k], or transposed [k x m], and b [k x n], or transposed [n x k].
 * Large products run in bands of rows, on all threads, and the caller may stop the call. */
pen_status pen_multiply(pen_run *run, pen_op of_a, pen_op of_b, int64_t m, int64_t n, int64_t k,
                        const double *a, const double *b, double *c);

#endif
