/* parallel.c - tasks on OpenMP threads, handed out one at a time. The calling thread is worker 0 and the only one that reports. */
#include "core/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum { SLICE_ALIGNMENT = 64 };

int pen_workers(const pen_run *run, int64_t tasks)
{
#ifdef _OPENMP
    return (int)pen_max(1, pen_min(pen_threads(run), tasks));
#else
    (void)run;
    (void)tasks;
    return 1;
#endif
}

static pen_status report(pen_run *run, pen_phase phase, int64_t done, int64_t tasks)
{
    if (!phase.name)
        return PEN_OK;
    const double part = (double)(phase.last - phase.first) * (double)done / (double)tasks;
    return pen_progress(run, phase.name, phase.first + (int64_t)part, phase.total);
}

static pen_status in_turn(pen_run *run, pen_phase phase, int64_t tasks, pen_task_fn fn, void *context)
{
    for (int64_t task = 0; task < tasks; task++) {
        PEN_TRY(report(run, phase, task, tasks));
        fn(context, task, 0);
    }
    return PEN_OK;
}

pen_status pen_parallel(pen_run *run, pen_phase phase, int64_t tasks, pen_task_fn fn, void *context)
{
    const int workers = pen_workers(run, tasks);

    if (workers == 1)
        return in_turn(run, phase, tasks, fn, context);
#ifdef _OPENMP
    int64_t done = 0;
    int stop = PEN_OK;
    PEN_TRY(report(run, phase, 0, tasks));
#pragma omp parallel for schedule(dynamic, 1) num_threads(workers)
    for (int64_t task = 0; task < tasks; task++) {
        const int worker = omp_get_thread_num();
        int64_t so_far;
        int stopped;
#pragma omp atomic capture
        so_far = done++;
#pragma omp atomic read
        stopped = stop;
        if (worker == 0 && stopped == PEN_OK) {
            const int answer = (int)report(run, phase, so_far, tasks);
            if (answer != PEN_OK) {
#pragma omp atomic write
                stop = answer;
            }
        }
#pragma omp atomic read
        stopped = stop;
        if (stopped == PEN_OK)
            fn(context, task, worker);
    }
    return (pen_status)stop;
#else
    return PEN_OK;
#endif
}

pen_status pen_slices_new(pen_run *run, int workers, int64_t count, size_t size, pen_slices *out)
{
    const int64_t bytes = pen_times(count, (int64_t)size), each = pen_plus(bytes, SLICE_ALIGNMENT - 1) / SLICE_ALIGNMENT * SLICE_ALIGNMENT;

    *out = (pen_slices){ .each = (size_t)each };
    return PEN_NEW(run, out->memory, pen_times(workers, each));
}

void pen_on_workers(int workers, void (*fn)(void *context, int worker), void *context)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(workers)
    fn(context, omp_get_thread_num());
#else
    (void)workers;
    fn(context, 0);
#endif
}
