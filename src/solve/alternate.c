/* alternate.c - half steps, what they come to, and when that is enough. */
#include "solve/alternate.h"

#include <math.h>
#include <stdio.h>

enum { PHASE_SIZE = 96 };

static pen_status step(pen_run *run, pen_step_fn fn, void *context, const char *trace,
                       double *objective)
{
    const pen_mark_t mark = pen_mark(run);

    PEN_TRY(fn(run, context, objective));
    pen_release(run, mark);
    PEN_REQUIRE(run, isfinite(*objective), PEN_BAD_DATA,
                "values are too large: the objective overflows; set scale");
    return pen_trace(run, trace, *objective);
}

static pen_status report(pen_run *run, const pen_alternation *rules, int64_t iteration,
                         double objective)
{
    char phase[PHASE_SIZE];

    if (iteration == 0)
        snprintf(phase, sizeof phase, "%s", rules->method);
    else
        snprintf(phase, sizeof phase, "%s: iteration %lld, objective %.6g", rules->method,
                 (long long)iteration, objective);
    return pen_progress(run, phase, iteration, rules->max_iter);
}

pen_status pen_alternate(pen_run *run, const pen_alternation *rules, pen_step_fn project,
                         pen_step_fn graph, void *context)
{
    double before = 0, objective = 0;
    int64_t iteration = 0;
    int converged = 0;

    pen_trace_restart(run, "objective");
    if (graph)
        pen_trace_restart(run, "objective_projection");
    PEN_TRY(report(run, rules, 0, 0));
    while (!converged && iteration < rules->max_iter) {
        before = objective;
        PEN_TRY(
            step(run, project, context, graph ? "objective_projection" : "objective", &objective));
        if (graph)
            PEN_TRY(step(run, graph, context, "objective", &objective));
        iteration++;
        converged =
            iteration > 1
            && fabs(objective - before) <= rules->tol * (rules->relative ? fabs(objective) : 1);
        PEN_TRY(report(run, rules, iteration, objective));
    }
    pen_note(run, "iterations", (double)iteration);
    pen_note(run, "converged", converged);
    return PEN_OK;
}
