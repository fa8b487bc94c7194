/* alternate.h - alternates two half steps, each of which lowers one objective, until it settles. */
#ifndef PEN_ALTERNATE_H
#define PEN_ALTERNATE_H

#include "core/run.h"

typedef struct pen_alternation {
    const char *method; /* the name in progress lines, before the iteration and the objective */
    double tol;
    int relative; /* tol is in units of the objective */
    int64_t max_iter;
} pen_alternation;

/* A half step: does its part and sets *objective to the new value. Its scratch memory is released
 * afterwards. */
typedef pen_status (*pen_step_fn)(pen_run *run, void *context, double *objective);

/* The course of the objective. */
typedef struct pen_descent {
    int64_t iterations, room;
    int converged;
    double *objective;  /* [iterations] after the last half step */
    double *projection; /* [iterations] after the first of two; NULL: there is only one */
} pen_descent;

/* Runs iterations, each a projection step and then, unless it is NULL, a graph step; at most
 * max_iter >= 1. Stops after the first iteration, from the second on, whose final objective is
 * within tol (relative: tol times its absolute value) of the previous one; reaching max_iter is
 * not an error. `out` is in scratch memory. Errors of the steps; PEN_BAD_DATA: an objective is not
 * finite; PEN_CANCELLED. */
pen_status pen_descend(pen_run *run, const pen_alternation *rules, pen_step_fn project,
                       pen_step_fn graph, void *context, pen_descent *out);

/* Records a descent with the model: traces "objective" and, with two half steps,
 * "objective_projection", both from the start; notes "iterations" and "converged" (0 or 1). */
pen_status pen_descent_note(pen_run *run, const pen_descent *descent);

/* Does both. */
pen_status pen_alternate(pen_run *run, const pen_alternation *rules, pen_step_fn project,
                         pen_step_fn graph, void *context);

#endif
