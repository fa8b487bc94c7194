/* parallel.c - tasks distributed over the threads of the call, one at a time. The calling thread is
 * worker 0 and the only one that reports progress. */
#include "core/parallel.h"

#include <stdatomic.h>

enum { SLICE_ALIGNMENT = 64 };

struct pen_loop {
    pen_run *run;
    pen_phase phase;
    int64_t tasks;
    pen_task_fn fn;
    void *context;
    atomic_llong next; /* the next task */
    atomic_int stop;   /* status of the progress report; not PEN_OK: stop */
};

int pen_workers(pen_run *run, int64_t tasks)
{
    return tasks > 1 ? (int)pen_min(pen_threads(run), tasks) : 1;
}

static pen_status report(const struct pen_loop *loop, int64_t done)
{
    const pen_phase *const phase = &loop->phase;

    if (!phase->name)
        return pen_poll(loop->run);
    const double fraction =
        (double)(phase->last - phase->first) * (double)done / (double)loop->tasks;
    return pen_progress(loop->run, phase->name, phase->first + (int64_t)fraction, phase->total);
}

static void take_tasks(void *context, int worker)
{
    struct pen_loop *const loop = context;
    int64_t task;

    while ((task = (int64_t)atomic_fetch_add(&loop->next, 1)) < loop->tasks) {
        if (worker == 0 && task > 0 && atomic_load(&loop->stop) == PEN_OK)
            atomic_store(&loop->stop, (int)report(loop, task));
        if (atomic_load(&loop->stop) != PEN_OK)
            return;
        loop->fn(loop->context, task, worker);
    }
}

pen_status pen_parallel(pen_run *run, pen_phase phase, int64_t tasks, pen_task_fn fn, void *context)
{
    struct pen_loop loop = {
        .run = run, .phase = phase, .tasks = tasks, .fn = fn, .context = context
    };

    if (tasks <= 0)
        return PEN_OK;
    atomic_init(&loop.next, 0);
    atomic_init(&loop.stop, (int)report(&loop, 0));
    if (atomic_load(&loop.stop) == PEN_OK) {
        *pen_run_loop(run) = &loop;
        pen_on_workers(run, pen_workers(run, tasks), take_tasks, &loop);
        *pen_run_loop(run) = NULL;
    }
    return (pen_status)atomic_load(&loop.stop);
}

int pen_stopped(pen_run *run, int worker)
{
    struct pen_loop *const loop = *pen_run_loop(run);

    if (worker == 0 && atomic_load(&loop->stop) == PEN_OK)
        atomic_store(&loop->stop, (int)pen_poll(run));
    return atomic_load(&loop->stop) != PEN_OK;
}

pen_status pen_slices_new(pen_run *run, int workers, int64_t count, size_t size, pen_slices *out)
{
    const int64_t bytes = pen_times(count, (int64_t)size),
                  each = pen_plus(bytes, SLICE_ALIGNMENT - 1) / SLICE_ALIGNMENT * SLICE_ALIGNMENT;

    *out = (pen_slices){ .each = (size_t)each };
    return PEN_NEW(run, out->memory, pen_times(workers, each));
}

void pen_on_workers(pen_run *run, int workers, pen_worker_fn fn, void *context)
{
    pen_pool *const pool = workers > 1 ? pen_run_pool(run) : NULL;

    if (pool)
        pen_pool_run(pool, workers, fn, context);
    else
        fn(context, 0);
}
