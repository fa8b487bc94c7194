/* cg.h - conjugate gradients: A x = b for symmetric positive definite A that is known by its
 * products only, several b at once. */
#ifndef PEN_CG_H
#define PEN_CG_H

#include "core/run.h"

/* y = A v, v and y [n x k]. k is at most the number of right-hand sides, and falls as they are
 * solved. */
typedef pen_status (*pen_apply_fn)(pen_run *run, const void *context, int64_t k, const double *v,
                                   double *y);

typedef struct pen_cg {
    const char *phase; /* for progress and messages */
    int64_t n;
    pen_apply_fn apply;
    const void *context;
    /* [n] > 0: of A, or near it; what is divided by (Jacobi's preconditioner) */
    const double *diagonal;
    double tol;         /* below epsilon it counts as epsilon */
    int64_t most;       /* iterations in all */
    const char *remedy; /* for the message where A is not positive definite: set ... */
} pen_cg;

/* A x_c = rhs_c for the k columns of rhs and x [n x k], from the x given. A column has scalars of
 * its own, so its answer does not depend on the others (if that of `apply` does not), and costs
 * nothing more once it is solved. A column of zeros has the answer 0.
 *
 * A column is solved when the residual of its recursion is at most tol |rhs_c|. Then the residual
 * is computed again from x; what is not solved by that goes on from there, and so on. It is taken
 * as solved, too, when such a stage, solved by its recursion, has not brought the true residual to
 * half of what it was: what is left is the rounding of A x, and no iteration makes it less.
 *
 * PEN_SINGULAR_SCATTER: p'Ap <= 0 for a direction p of the first stage, A is not positive definite,
 * or `diagonal` is not positive. PEN_BAD_DATA: sums overflow.
 * PEN_NOT_CONVERGED: after `most` iterations, with the residual reached. Note "cg_iterations":
 * those of the slowest column, of all calls of the run so far.
 * Cost: an `apply` and 10 n k flops an iteration, two more applies; memory 3 n k doubles. */
pen_status pen_cg_solve(pen_run *run, const pen_cg *how, int64_t k, const double *rhs, double *x);

#endif
