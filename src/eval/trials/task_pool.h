/* task_pool.h - runs independent pieces of work in parallel, such as fits of many models; each
 * piece has its own pen_run, on one thread.
 *
 * The number of threads does not change the result of a piece, nor the results together. The first
 * failure in the order of the pieces is reported. A stop requested by the caller stops the
 * running pieces and prevents others from starting. */
#ifndef PEN_TASK_POOL_H
#define PEN_TASK_POOL_H

#include "core/run.h"

/* One piece, with a private `run`; `control` is for public functions that it calls. */
typedef pen_status (*pen_piece_fn)(void *context, pen_run *run, const pen_control *control,
                                   int64_t piece);

typedef struct pen_task_pool {
    const char *phase;
    int64_t pieces;
    pen_piece_fn fn;
    void *context;
} pen_task_pool;

/* Seconds of a monotonic clock. */
double pen_task_clock(void);

/* Runs the pieces. why [pieces] receives the outcome of each: PEN_OK; its error; PEN_CANCELLED: it
 * did not start, or was stopped. If `why` is NULL, returns the first failure; one that ends the
 * call (pen_ends_call) in any case. PEN_CANCELLED: the caller requested a stop. */
pen_status pen_tasks_run(pen_run *run, const pen_task_pool *tasks, pen_error *why);

#endif
