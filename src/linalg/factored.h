/* factored.h - factored scatters: a scatter as a matrix or, if it is the sum of fewer outer
 * products than it has columns, as the rows of those products. */
#ifndef PEN_FACTORED_H
#define PEN_FACTORED_H

#include "linalg/eig.h"

typedef struct pen_factored {
    int64_t d;
    pen_sym matrix; /* used if `rows` is NULL */
    /* [count x d], count < d: the scatter is D'D for these rows D and is never formed; or NULL */
    double *rows;
    int64_t count;
} pen_factored;

/* All eigenvalues above rounding noise, in descending order, and then zeros: d of them for a
 * matrix, whose vectors are a complete basis; `count` for rows, from their singular values, so that
 * eigenvalues are resolved down to 1e-30 of the largest. Cost: order d^3, or count^2 d. */
pen_status pen_factored_eig(pen_run *run, const pen_factored *factored, pen_eig *out);

/* S = V (scatter) V' [k x k] for V [k x d], in scratch memory. */
pen_status pen_factored_project(pen_run *run, const pen_factored *factored, const double *V,
                                int64_t k, pen_sym *S);

/* v' (scatter) v below this value is rounding. */
double pen_factored_noise(const pen_factored *factored, const double *v);

/* Appends rows to the r orthonormal rows of `basis`, which has room for r + factored->count: all
 * orthonormal, and together spanning the rows of the scatter. Does nothing for a matrix. Returns
 * the new number of rows in *k. */
pen_status pen_factored_complete(pen_run *run, const pen_factored *factored, double *basis,
                                 int64_t r, int64_t *k);

#endif
