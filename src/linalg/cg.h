/* cg.h - conjugate gradients: solves A x = b for a symmetric positive definite A, given only by its
 * products, for several right-hand sides at once. */
#ifndef PEN_CG_H
#define PEN_CG_H

#include "core/run.h"

/* y = A v, v and y [n x k]. k is the number of unsolved right-hand sides. */
typedef pen_status (*pen_apply_fn)(pen_run *run, const void *context, int64_t k, const double *v,
                                   double *y);

typedef struct pen_cg {
    const char *phase; /* for progress and messages */
    int64_t n;
    pen_apply_fn apply;
    const void *context;
    /* [n] > 0: the diagonal of A or an approximation of it (the Jacobi preconditioner) */
    const double *diagonal;
    /* y = M v, M symmetric positive definite and near the inverse of A; NULL: division by the
     * diagonal */
    pen_apply_fn precondition;
    const void *preconditioner;
    double tol;   /* values below epsilon mean epsilon */
    int64_t most; /* maximum total number of iterations */
    /* NULL, or a maximum over calls, updated with the iterations of the slowest column */
    int64_t *iterations;
} pen_cg;

/* Solves A x_c = rhs_c for the k columns of rhs and x [n x k], starting from the given x. Each
 * column has separate scalars, so its solution does not depend on other columns (if `apply` and
 * `precondition` treat columns independently), and it costs nothing once it is solved. The solution
 * of a zero column is zero.
 *
 * A column is solved when its recursive residual is at most tol |rhs_c|. Then the true residual is
 * computed from x, and a column that fails the same test continues with a new stage. It also counts
 * as solved if a stage that the recursion solved has not halved the true residual: the rest is the
 * rounding of A x, which no iteration reduces.
 *
 * PEN_SINGULAR_SCATTER: p'Ap <= 0 for a direction p of the first stage (A is not positive
 * definite), or `diagonal` is not positive. PEN_BAD_DATA: sums overflow. PEN_NOT_CONVERGED: after
 * `most` iterations; the message has the residual.
 * Cost: one `apply`, one `precondition` and 10 n k flops per iteration, and two `apply` more;
 * memory: 3 n k doubles. */
pen_status pen_cg_solve(pen_run *run, const pen_cg *system, int64_t k, const double *rhs,
                        double *x);

#endif
