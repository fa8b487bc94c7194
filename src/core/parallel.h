/* parallel.h - the parallel loop of the library.
 *
 * Work is cut into tasks by its shape alone, never by the number of threads, and whatever tasks
 * produce is added up in the order of the tasks: so the bits of a result do not depend on the
 * number of threads. */
#ifndef PEN_PARALLEL_H
#define PEN_PARALLEL_H

#include "core/pool.h"
#include "core/run.h"

/* One task. `worker` is in 0 .. pen_workers() - 1 and no two tasks run on one worker at a time: it
 * names a slice of scratch memory. */
typedef void (*pen_task_fn)(void *context, int64_t task, int worker);

/* How many workers pen_parallel uses for so many tasks, >= 1. */
int pen_workers(pen_run *run, int64_t tasks);

/* What the tasks are to the caller's progress: the part from `first` to `last` of a phase of
 * `total`. NULL name: nothing. */
typedef struct pen_phase {
    const char *name;
    int64_t first, last, total;
} pen_phase;

#define PEN_SILENT                         ((pen_phase){ NULL, 0, 0, 0 })
#define PEN_WHOLE(name)                    ((pen_phase){ (name), 0, 1000, 1000 })
#define PEN_PART(name, first, last, total) ((pen_phase){ (name), (first), (last), (total) })

/* Run tasks 0 .. tasks - 1 in any order, on as many threads as the run has; returns when all have
 * ended. The phase is reported between tasks; PEN_CANCELLED if the caller said stop, and some tasks
 * were not run. */
pen_status pen_parallel(pen_run *run, pen_phase phase, int64_t tasks, pen_task_fn fn,
                        void *context);

/* Scratch memory of workers, a slice for each: `count` elements of `size` bytes. Every slice begins
 * on a 64-byte boundary, for what a vector loop rounds may depend on where its data begin. The only
 * way to hand memory to workers. */
typedef struct pen_slices {
    char *memory;
    size_t each; /* bytes, a multiple of 64 */
} pen_slices;
pen_status pen_slices_new(pen_run *run, int workers, int64_t count, size_t size, pen_slices *out);

static inline void *pen_slice(const pen_slices *slices, int worker)
{
    return slices->memory + slices->each * (size_t)worker;
}

/* Call fn(context, worker) on worker 0, the calling thread, and on up to `workers` - 1 others
 * (core/pool.h: perhaps fewer). */
void pen_on_workers(pen_run *run, int workers, pen_worker_fn fn, void *context);

#endif
