/* task_pool.c - workers take one piece after the other. When no piece is left, the calling thread
 * keeps polling its progress function until the other workers have finished. */
#define _POSIX_C_SOURCE 200809L

#include "eval/trials/task_pool.h"

#include "core/parallel.h"

#include <stdatomic.h>
#include <time.h>

enum { PAUSE = 5000000 }; /* ns */

static const pen_error interrupted = { .code = PEN_CANCELLED, .message = "interrupted" };

struct tasks {
    const pen_task_pool *tasks;
    pen_run *run;          /* of the caller */
    pen_error *why;        /* [pieces] */
    atomic_int stop;       /* the caller requested a stop */
    atomic_llong taken;    /* the number of pieces taken */
    atomic_llong finished; /* the number of pieces finished */
    atomic_int at_work;    /* the number of workers with pieces */
};

struct member {
    struct tasks *tasks;
    int worker;
};

double pen_task_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The progress function of the calls within a piece. Only the calling thread calls the caller's
 * function; other workers see the result in `stop`. */
static int is_stopped(void *context, const char *phase, int64_t done, int64_t total)
{
    const struct member *const m = context;
    struct tasks *const t = m->tasks;

    (void)phase;
    (void)done;
    (void)total;
    if (m->worker == 0 && !atomic_load(&t->stop)
        && pen_progress(t->run, t->tasks->phase, (int64_t)atomic_load(&t->finished),
                        t->tasks->pieces)
               != PEN_OK)
        atomic_store(&t->stop, 1);
    return atomic_load(&t->stop);
}

static void run_piece(struct member *m, int64_t piece)
{
    struct tasks *const t = m->tasks;
    const pen_control control = { .threads = 1, .progress = is_stopped, .user = m };
    pen_error *const why = &t->why[piece];
    pen_run *run;

    if (is_stopped(m, NULL, 0, 0))
        return;
    pen_status status = pen_run_open(&control, why, &run);
    if (status == PEN_OK) {
        pen_run_share(run, pen_run_cache(t->run), NULL);
        status = t->tasks->fn(t->tasks->context, run, &control, piece);
        pen_run_close(run);
    }
    why->code = status;
    if (status == PEN_CANCELLED)
        *why = interrupted;
    atomic_fetch_add(&t->finished, 1);
}

/* The loop of a worker. */
static void take_pieces(void *context, int worker)
{
    struct tasks *const t = context;
    struct member member = { t, worker };
    int64_t piece;

    atomic_fetch_add(&t->at_work, 1);
    while ((piece = (int64_t)atomic_fetch_add(&t->taken, 1)) < t->tasks->pieces)
        run_piece(&member, piece);
    atomic_fetch_sub(&t->at_work, 1);
    while (worker == 0 && atomic_load(&t->at_work) > 0 && !is_stopped(&member, NULL, 0, 0))
        nanosleep(&(struct timespec){ .tv_nsec = PAUSE }, NULL);
}

pen_status pen_tasks_run(pen_run *run, const pen_task_pool *tasks, pen_error *why)
{
    struct tasks t = { .tasks = tasks, .run = run, .why = why };

    const pen_mark_t mark = pen_mark(run);
    if (!why)
        PEN_TRY(PEN_NEW(run, t.why, tasks->pieces));
    for (int64_t i = 0; i < tasks->pieces; i++)
        t.why[i] = interrupted;
    atomic_init(&t.stop, 0);
    atomic_init(&t.taken, 0);
    atomic_init(&t.finished, 0);
    atomic_init(&t.at_work, 0);
    PEN_TRY(pen_progress(run, tasks->phase, 0, tasks->pieces));
    pen_on_workers(run, pen_workers(run, tasks->pieces), take_pieces, &t);
    for (int64_t i = 0; i < tasks->pieces; i++) {
        const pen_status code = t.why[i].code;
        if (code != PEN_OK && code != PEN_CANCELLED && (!why || pen_ends_call(code)))
            return pen_fail_as(run, &t.why[i]);
    }
    PEN_REQUIRE(run, !atomic_load(&t.stop), PEN_CANCELLED, "cancelled");
    pen_release(run, mark);
    return PEN_OK;
}
