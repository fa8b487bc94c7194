/* alternate.h - two half steps in turn, each of which lowers one objective, until it stays. */
#ifndef PEN_ALTERNATE_H
#define PEN_ALTERNATE_H

#include "core/run.h"

typedef struct pen_alternation {
    const char *method; /* what progress names, with the iteration and the objective */
    double tol;
    int relative; /* tol is in units of the objective */
    int64_t max_iter;
} pen_alternation;

/* A half step: does its part, *objective is what it comes to. Scratch memory that it takes goes
 * back behind it. */
typedef pen_status (*pen_step_fn)(pen_run *run, void *context, double *objective);

/* Iterations, each a projection and then, unless it is NULL, a graph step; max_iter >= 1 at most.
 * Ends behind the first, from the second on, whose objective after its last half step is no more
 * than tol (relative: tol times its absolute value) away from the one before; max_iter reached is
 * no error. Traces "objective" and, if there are two half steps, "objective_projection", both begun
 * anew; notes "iterations" and "converged" (0 or 1). Errors of the steps; PEN_BAD_DATA: an
 * objective is not finite; PEN_CANCELLED. */
pen_status pen_alternate(pen_run *run, const pen_alternation *rules, pen_step_fn project,
                         pen_step_fn graph, void *context);

#endif
