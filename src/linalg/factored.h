/* factored.h - a scatter as a matrix or, where it is the sum of fewer products than it has columns,
 * as the rows whose products they are. */
#ifndef PEN_FACTORED_H
#define PEN_FACTORED_H

#include "linalg/eig.h"

typedef struct pen_factored {
    int64_t d;
    pen_sym matrix; /* if `rows` is NULL */
    /* [count x d], count < d: the scatter is their sum of products D'D, and is never formed; or
     * NULL */
    double *rows;
    int64_t count;
} pen_factored;

/* All eigenvalues that are above rounding noise, largest first, and others that are 0: d of them
 * for a matrix, whose vectors are then a whole basis; `count` for rows, through their singular
 * values, so that an eigenvalue is seen down to 1e-30 of the largest. Cost: order d^3, or count^2
 * d. */
pen_status pen_factored_eig(pen_run *run, const pen_factored *form, pen_eig *out);

/* S = V (scatter) V' [k x k] for V [k x d], in scratch memory. */
pen_status pen_factored_project(pen_run *run, const pen_factored *form, const double *V, int64_t k,
                                pen_sym *S);

/* v' (scatter) v below this is rounding. */
double pen_factored_noise(const pen_factored *form, const double *v);

/* More rows behind the r orthonormal rows of `basis`, room for r + form->count: orthonormal, and
 * spanning with them what the rows of the form span. Nothing for a matrix. Returns how many rows
 * there are then in *k. */
pen_status pen_factored_complete(pen_run *run, const pen_factored *form, double *basis, int64_t r,
                                 int64_t *k);

#endif
