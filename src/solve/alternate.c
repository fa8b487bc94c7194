/* alternate.c - half steps, the objective after each, and the test whether it has settled. */
#include "solve/alternate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PHASE_SIZE = 96, FIRST_ROOM = 64 };

/* Makes room for one more iteration. Scratch memory cannot grow, so it doubles each time. */
static pen_status grow(pen_run *run, int two, pen_descent *d)
{
    double *objective, *projection = NULL;

    if (d->iterations < d->room)
        return PEN_OK;
    d->room = d->room > 0 ? pen_times(2, d->room) : FIRST_ROOM;
    PEN_TRY(PEN_NEW(run, objective, d->room));
    if (two)
        PEN_TRY(PEN_NEW(run, projection, d->room));
    if (d->iterations > 0)
        memcpy(objective, d->objective, (size_t)d->iterations * sizeof *objective);
    if (d->iterations > 0 && two)
        memcpy(projection, d->projection, (size_t)d->iterations * sizeof *projection);
    d->objective = objective;
    d->projection = projection;
    return PEN_OK;
}

static pen_status step(pen_run *run, pen_step_fn fn, void *context, double *objective)
{
    const pen_mark_t mark = pen_mark(run);

    PEN_TRY(fn(run, context, objective));
    pen_release(run, mark);
    PEN_REQUIRE(run, isfinite(*objective), PEN_BAD_DATA,
                "values are too large: the objective overflows");
    return PEN_OK;
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

/* Applies from the second iteration on. */
static int settled(const pen_alternation *rules, const pen_descent *d)
{
    if (d->iterations < 2)
        return 0;
    const double now = d->objective[d->iterations - 1], before = d->objective[d->iterations - 2];
    return fabs(now - before) <= rules->tol * (rules->relative ? fabs(now) : 1);
}

pen_status pen_descend(pen_run *run, const pen_alternation *rules, pen_step_fn project,
                       pen_step_fn graph, void *context, pen_descent *out)
{
    double objective;

    *out = (pen_descent){ .room = 0 };
    PEN_TRY(report(run, rules, 0, 0));
    while (!out->converged && out->iterations < rules->max_iter) {
        PEN_TRY(grow(run, graph != NULL, out));
        PEN_TRY(step(run, project, context, &objective));
        if (graph) {
            out->projection[out->iterations] = objective;
            PEN_TRY(step(run, graph, context, &objective));
        }
        out->objective[out->iterations++] = objective;
        out->converged = settled(rules, out);
        PEN_TRY(report(run, rules, out->iterations, objective));
    }
    return PEN_OK;
}

static pen_status trace(pen_run *run, const char *name, const double *values, int64_t count)
{
    pen_trace_restart(run, name);
    for (int64_t i = 0; i < count; i++)
        PEN_TRY(pen_trace(run, name, values[i]));
    return PEN_OK;
}

pen_status pen_descent_note(pen_run *run, const pen_descent *d)
{
    PEN_TRY(trace(run, "objective", d->objective, d->iterations));
    if (d->projection)
        PEN_TRY(trace(run, "objective_projection", d->projection, d->iterations));
    pen_note(run, "iterations", (double)d->iterations);
    pen_note(run, "converged", d->converged);
    return PEN_OK;
}

pen_status pen_alternate(pen_run *run, const pen_alternation *rules, pen_step_fn project,
                         pen_step_fn graph, void *context)
{
    pen_descent descent;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_descend(run, rules, project, graph, context, &descent));
    PEN_TRY(pen_descent_note(run, &descent));
    pen_release(run, mark);
    return PEN_OK;
}
