/* parallel.h - the parallel loop of the library.
 *
 * Sizes alone decide the partition into tasks, never the number of threads, and partial results are
 * reduced in task order. So the bits of a result do not depend on the number of threads. */
#ifndef PEN_PARALLEL_H
#define PEN_PARALLEL_H

#include "core/pool.h"
#include "core/run.h"

/* One task. `worker` is in 0 .. pen_workers() - 1, and a worker runs one task at a time, so it may
 * index a slice of scratch memory. */
typedef void (*pen_task_fn)(void *context, int64_t task, int worker);

/* The number of workers, >= 1, that pen_parallel uses for this number of tasks. */
int pen_workers(pen_run *run, int64_t tasks);

/* The part of a progress phase that a loop covers: from `first` to `last` of `total`. NULL name:
 * only repeat the last report (pen_poll). */
typedef struct pen_phase {
    const char *name;
    int64_t first, last, total;
} pen_phase;

#define PEN_SILENT                         ((pen_phase){ NULL, 0, 0, 0 })
#define PEN_WHOLE(name)                    ((pen_phase){ (name), 0, 1000, 1000 })
#define PEN_PART(name, first, last, total) ((pen_phase){ (name), (first), (last), (total) })

/* Runs tasks 0 .. tasks - 1 in any order on the threads of the run; returns when all have ended.
 * Reports progress between tasks. PEN_CANCELLED: the caller stopped the call, and some tasks have
 * not run. */
pen_status pen_parallel(pen_run *run, pen_phase phase, int64_t tasks, pen_task_fn fn,
                        void *context);

/* For tasks that may take longer than some hundredths of a second: 1 if the caller has stopped the
 * call. Then the task must return at once. On worker 0 it polls the caller (pen_poll). */
int pen_stopped(pen_run *run, int worker);

/* Scratch memory for workers: one slice of `count` elements of `size` bytes for each. Every slice
 * starts on a 64-byte boundary, because the rounding of a vectorized loop may depend on the
 * alignment of its data. There is no other way to give memory to workers. */
typedef struct pen_slices {
    char *memory;
    size_t each; /* bytes, a multiple of 64 */
} pen_slices;
pen_status pen_slices_new(pen_run *run, int workers, int64_t count, size_t size, pen_slices *out);

static inline void *pen_slice(const pen_slices *slices, int worker)
{
    return slices->memory + slices->each * (size_t)worker;
}

/* Calls fn(context, worker) on worker 0, the calling thread, and on up to `workers` - 1 others
 * (possibly fewer, see core/pool.h). */
void pen_on_workers(pen_run *run, int workers, pen_worker_fn fn, void *context);

#endif
