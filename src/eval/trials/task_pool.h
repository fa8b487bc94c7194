/* task_pool.h - runs independent pieces of work in parallel, such as fits of many models; each
 * piece has its own pen_run, on one thread.
 *
 * Results are the same for any number of threads because those of each piece are. The first failure
 * in the order of the pieces is reported. A stop requested by the caller stops the
 * pieces at work and prevents others from starting. */
#ifndef PEN_TASK_POOL_H
#define PEN_TASK_POOL_H

#include "core/run.h"

/* One piece, with its own `run`; `control` is for public functions called within. */
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

/* Run the pieces. why [pieces] receives how each ended: PEN_OK; its error; PEN_CANCELLED: it did
 * not start, or was stopped. If it is NULL, the first failure is returned; PEN_NO_MEMORY and
 * PEN_INTERNAL always are. PEN_CANCELLED: the caller requested a stop. */
pen_status pen_tasks_run(pen_run *run, const pen_task_pool *tasks, pen_error *why);

#endif
