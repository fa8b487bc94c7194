/* stiefel.h - orthonormal columns that lower a quadratic form minus a linear one. */
#ifndef PEN_STIEFEL_H
#define PEN_STIEFEL_H

#include "solve/alternate.h"
#include "linalg/sym.h"

/* Lowers tr(W'QW) - 2 tr(W'C) + constant over W [d x k], W'W = I, k <= d. Each step W <- the
 * orthonormal columns nearest to (s I - Q) W + C, s the largest eigenvalue of Q, lowers it. The
 * limit depends on the start; there (s I - Q) W + C = W S with S symmetric and positive
 * semidefinite. The start is the orthonormal columns nearest to C; if C is balanced, its direction
 * 1 gets the part of the smallest eigenvector of Q that is orthogonal to C. rules: as in
 * alternate.h; `quiet`: trace and note nothing. Errors of pen_eig_indefinite. Cost: order d^3, then
 * 2 d^2 k per step. Nie, Zhang, Li 2017. */
typedef struct pen_stiefel {
    const pen_sym *Q;
    const double *C; /* [d x k] */
    int64_t k;
    double constant;
    int quiet;
} pen_stiefel;

/* C 1 = 0 up to rounding: then W and W (I - 2/k 1 1') have the same objective. */
int pen_stiefel_balanced(int64_t d, int64_t k, const double *C);

pen_status pen_stiefel_descend(pen_run *run, const pen_stiefel *problem,
                               const pen_alternation *rules, double *W);

#endif
