/* lanczos.h - the largest eigenvalues of a symmetric matrix given only by its products:
 * thick-restart block Lanczos.
 * Wu, Simon: SIAM Journal on Matrix Analysis and Applications 22 (2000) 602-616. */
#ifndef PEN_LANCZOS_H
#define PEN_LANCZOS_H

#include "linalg/cg.h"

typedef struct pen_lanczos {
    const char *phase; /* for progress and messages */
    int64_t n, k;      /* 1 <= k <= n */
    pen_apply_fn apply;
    const void *context;
    int64_t block; /* columns to multiply at a time, >= 1 */
    double tol;    /* > 0 */
} pen_lanczos;

typedef struct pen_lanczos_pairs {
    double *values;  /* [k] descending */
    double *vectors; /* [n x k] orthonormal columns, the largest entry of each is positive */
    int64_t products, restarts;
    double scale;    /* the largest |value| found */
    double residual; /* the largest |A v - value v|, relative to `scale` */
} pen_lanczos_pairs;

/* The number of columns to multiply at a time for k eigenvalues of scatters: 16 if k is large,
 * otherwise fewer if a product costs little. */
int64_t pen_lanczos_block(int64_t k, int sparse);

/* The k algebraically largest eigenvalues of A [n x n], each with |A v - value v| <= tol times the
 * largest |value| found. The start is random but always the same. A block finds eigenvalues that
 * occur up to `block` times. Then the complement of the vectors found is searched for values that
 * exceed the smallest of them by a thousandth of the largest, until there are none.
 *
 * If n is at most the number of columns in memory, A is multiplied by all unit vectors, and the
 * result decomposed.
 * PEN_NOT_CONVERGED: after 300 restarts, or if rounding keeps residuals above the tolerance; the
 * message has the number of converged ones or the residual. PEN_BAD_DATA: products overflow.
 * Cost: the products, and 8 n (2 k + 3 block) flops for each; memory: n (3 k + 5 block) doubles, or
 * n (k + 10 block) if that is more. */
pen_status pen_lanczos_solve(pen_run *run, const pen_lanczos *problem, pen_lanczos_pairs *out);

#endif
