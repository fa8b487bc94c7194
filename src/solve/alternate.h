/* alternate.h - two half steps in turn, each of which lowers one objective, until it settles. */
#ifndef PEN_ALTERNATE_H
#define PEN_ALTERNATE_H

#include "core/run.h"

typedef struct pen_alternation {
    const char *method; /* what progress names, with the iteration and the objective */
    double tol;
    int relative; /* tol is in units of the objective */
    int64_t max_iter;
} pen_alternation;

/* A half step: does its part, *objective is its value then. Scratch memory that it takes is
 * released after it. */
typedef pen_status (*pen_step_fn)(pen_run *run, void *context, double *objective);

/* How the objective fell. */
typedef struct pen_descent {
    int64_t iterations, room;
    int converged;
    double *objective;  /* [iterations] after the last half step */
    double *projection; /* [iterations] after the first of two; NULL: there is one */
} pen_descent;

/* Iterations, each a projection and then, unless it is NULL, a graph step; max_iter >= 1 at most.
 * Ends after the first iteration, from the second on, whose objective after its last half step is
 * within tol (relative: tol times its absolute value) of the one before; reaching max_iter is no
 * error. `out` is in scratch memory. Errors of the steps; PEN_BAD_DATA: an objective is not finite;
 * PEN_CANCELLED. */
pen_status pen_descend(pen_run *run, const pen_alternation *rules, pen_step_fn project,
                       pen_step_fn graph, void *context, pen_descent *out);

/* Keep a descent with the model: traces "objective" and, if there are two half steps,
 * "objective_projection", both begun anew; notes "iterations" and "converged" (0 or 1). */
pen_status pen_descent_note(pen_run *run, const pen_descent *descent);

/* Both. */
pen_status pen_alternate(pen_run *run, const pen_alternation *rules, pen_step_fn project,
                         pen_step_fn graph, void *context);

#endif
