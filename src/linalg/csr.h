/* csr.h - sparse symmetric matrices, stored in full. */
#ifndef PEN_CSR_H
#define PEN_CSR_H

#include "core/run.h"

/* A = diag(diagonal) + entries: row i has the entries weight[e] in the columns other[e], e =
 * first[i] .. first[i + 1] - 1, ascending and none of them i. Symmetric: an entry in row i and
 * column j is there in row j and column i, too. */
typedef struct pen_csr {
    int64_t n;
    const int64_t *first, *other; /* [n + 1], [entries] */
    const double *weight;         /* [entries] */
    const double *diagonal;       /* [n] */
} pen_csr;

/* y = A v, v and y [n x k] and not the same memory. A row's sum is diagonal first, then the entries
 * in order. Cost: 2 k flops an entry; no memory. */
pen_status pen_csr_multiply(pen_run *run, const pen_csr *A, int64_t k, const double *v, double *y);

/* The same as a pen_apply_fn: context is a pen_csr. */
pen_status pen_csr_apply(pen_run *run, const void *context, int64_t k, const double *v, double *y);

#endif
