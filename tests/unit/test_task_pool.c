/* test_task_pool.c - the task pool: each task runs once, and a caller can stop while only other
 * threads work. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include "eval/trials/task_pool.h"

#include <pthread.h>
#include <stdatomic.h>

enum { PIECES = 57 };

struct work {
    pthread_t caller;
    atomic_int times[PIECES];
    atomic_int long_begun, short_ended;
};

static pen_status short_piece(void *context, pen_run *run, const pen_control *control,
                              int64_t piece)
{
    struct work *w = context;
    atomic_fetch_add(&w->times[piece], 1);
    return PEN_OK;
}

TEST(each_piece_once)
{
    for (int threads = 1; threads <= 5; threads++) {
        struct work w = { .long_begun = 0 };
        const pen_task_pool tasks = { "pieces", PIECES, short_piece, &w };
        pen_error why[PIECES];
        pen_run *const run = check_run(threads, NULL);
        assert_int_equal(pen_tasks_run(run, &tasks, why), PEN_OK);
        for (int i = 0; i < PIECES; i++)
            assert_true(why[i].code == PEN_OK && atomic_load(&w.times[i]) == 1);
        pen_run_close(run);
    }
}

/* A task on another thread runs until it is stopped; the one on the calling thread waits for its
 * start, and ends. */
static pen_status endless_elsewhere(void *context, pen_run *run, const pen_control *control,
                                    int64_t piece)
{
    struct work *w = context;
    if (pthread_equal(pthread_self(), w->caller)) {
        while (!atomic_load(&w->long_begun)) {
        }
        atomic_store(&w->short_ended, 1);
        return PEN_OK;
    }
    atomic_store(&w->long_begun, 1);
    while (!control->progress(control->user, "at work", 0, 1)) {
    }
    return PEN_CANCELLED;
}

/* Requests a stop once only the other thread works. */
static int stop_late(void *user, const char *phase, int64_t done, int64_t total)
{
    struct work *const w = user;
    assert_string_equal(phase, "pieces");
    assert_true(done <= total);
    return atomic_load(&w->short_ended) && done == 1;
}

TEST(a_stop_works_until_the_end)
{
    struct work w = { .caller = pthread_self() };
    const pen_task_pool tasks = { "pieces", 2, endless_elsewhere, &w };
    const pen_control control = { .threads = 2, .progress = stop_late, .user = &w };
    pen_error err, why[2];
    pen_run *run;

    CHECK_OK(pen_run_open(&control, &err, &run), &err);
    CHECK_STATUS(pen_tasks_run(run, &tasks, why), PEN_CANCELLED, "cancelled", &err);
    assert_true((why[0].code == PEN_OK) + (why[1].code == PEN_OK) == 1);
    pen_run_close(run);
}

static pen_status second_fails(void *context, pen_run *run, const pen_control *control,
                               int64_t piece)
{
    return piece == 1 ? pen_fail(run, *(const pen_status *)context, "piece 1") : PEN_OK;
}

/* The failures of a piece that end the call: all if requested, otherwise only those of the
 * machine. */
TEST(failures)
{
    static const struct {
        pen_status piece, told, untold;
    } cases[] = { { PEN_BAD_DATA, PEN_OK, PEN_BAD_DATA },
                  { PEN_NO_MEMORY, PEN_NO_MEMORY, PEN_NO_MEMORY },
                  { PEN_INTERNAL, PEN_INTERNAL, PEN_INTERNAL },
                  { PEN_CANCELLED, PEN_OK, PEN_OK } };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pen_status piece = cases[i].piece;
        const pen_task_pool tasks = { "pieces", 3, second_fails, &piece };
        pen_error why[3];
        pen_run *const run = check_run(0, NULL);
        assert_int_equal(pen_tasks_run(run, &tasks, why), cases[i].told);
        assert_true(why[0].code == PEN_OK && why[1].code == piece && why[2].code == PEN_OK);
        assert_int_equal(pen_tasks_run(run, &tasks, NULL), cases[i].untold);
        pen_run_close(run);
    }
}
