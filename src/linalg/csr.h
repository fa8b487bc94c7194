/* csr.h - sparse symmetric matrices, with both triangles stored. */
#ifndef PEN_CSR_H
#define PEN_CSR_H

#include "core/run.h"

/* A = diag(diagonal) + entries. Row i has the entries weight[e] in the columns other[e], in
 * ascending order and off the diagonal, for e in first[i] .. first[i + 1] - 1. Symmetric: every
 * entry (i, j) is also stored as (j, i). */
typedef struct pen_csr_sym {
    int64_t n;
    const int64_t *first, *other; /* [n + 1], [entries] */
    const double *weight;         /* [entries] */
    const double *diagonal;       /* [n] */
} pen_csr_sym;

/* y = A v, v and y [n x k] in different memory. A row's sum starts with the diagonal, then adds the
 * entries in order. A pen_apply_fn: `context` is a pen_csr_sym. Cost: 2 k flops for each entry; no
 * memory. */
pen_status pen_csr_apply(pen_run *run, const void *context, int64_t k, const double *v, double *y);

/* Rows first .. end - 1 of y. */
void pen_csr_multiply_rows(const pen_csr_sym *A, int64_t first, int64_t end, int64_t k,
                           const double *v, double *y);

#endif
