/* task_pool.h - independent pieces of work side by side, each with a run of its own, on one thread:
 * what fits many models.
 *
 * Results are the same for any number of threads, as those of every single piece are. The first
 * failure in the order of the pieces counts. A caller who says stop, or a time that is over, stops
 * the pieces at work and keeps the others from beginning. */
#ifndef PEN_TASK_POOL_H
#define PEN_TASK_POOL_H

#include "core/run.h"

/* One piece. `run` is its own; `control` is for calls of public functions within. */
typedef pen_status (*pen_piece_fn)(void *context, pen_run *run, const pen_control *control,
                                   int64_t piece);

typedef struct pen_task_pool {
    const char *phase;
    int64_t pieces;
    pen_piece_fn fn;
    void *context;
    double until; /* pieces end at this reading of pen_task_clock; 0: no limit */
} pen_task_pool;

/* Seconds since some moment. */
double pen_task_clock(void);

enum { TASK_DONE = 1, TASK_FAILED = 2 }; /* 0: was not begun, or was stopped */

/* Run the pieces; state [pieces]. `why` [pieces], or NULL, takes the errors of those that failed;
 * with NULL the first failure is the answer, and so is in any case the lack of memory.
 * PEN_CANCELLED if the caller said stop. */
pen_status pen_tasks_run(pen_run *run, const pen_task_pool *tasks, char *state, pen_error *why);

#endif
