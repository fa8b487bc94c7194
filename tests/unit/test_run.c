/* test_run.c - the context of a call: scratch memory, the first error, parallel loops, progress. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include "core/parallel.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

TEST(scratch_is_an_aligned_stack)
{
    pen_run *run;
    pen_error err;
    double *a, *b;
    assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
    assert_int_equal(PEN_NEW(run, a, 3), PEN_OK);
    const pen_mark_t mark = pen_mark(run);
    for (int64_t size = 0; size < 300; size += 37) {
        assert_int_equal(PEN_NEW(run, b, size), PEN_OK);
        assert_true((uintptr_t)b % 64 == 0);
        memset(b, 0xA5, (size_t)size * sizeof *b);
    }
    a[0] = a[2] = 7;
    pen_release(run, mark);
    assert_true(a[0] == 7 && a[2] == 7);
    assert_null(pen_scratch(run, INT64_MAX / 2, 8));
    CHECK_STATUS(PEN_NO_MEMORY, PEN_NO_MEMORY, "out of memory", &err);
    assert_null(pen_scratch(run, -1, 8));
    pen_run_close(run);
    pen_run_close(NULL);
}

TEST(the_first_cause_wins)
{
    pen_error err = { .code = PEN_INTERNAL };
    pen_run *run;
    assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
    assert_int_equal(err.code, PEN_OK);
    assert_int_equal(pen_fail(run, PEN_BAD_DATA, "first %d\n", 1), PEN_BAD_DATA);
    assert_int_equal(pen_fail(run, PEN_INTERNAL, "second"), PEN_INTERNAL);
    assert_int_equal(err.code, PEN_BAD_DATA);
    CHECK_MESSAGE(&err, "first 1?");
    pen_run_close(run);
    CHECK_STATUS(pen_run_open(&(pen_control){ .threads = -1 }, &err, &run), PEN_BAD_ARGUMENT,
                 "threads must be in [0, 1024], got -1", &err);
    assert_null(run);
    assert_int_equal(pen_run_open(&(pen_control){ .threads = 1025 }, NULL, &run), PEN_BAD_ARGUMENT);
}

TEST(wrong_results_of_the_blas_win)
{
    pen_error err;
    pen_run *run;
    assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
    assert_int_equal(pen_fail(run, PEN_BAD_DATA, "a consequence"), PEN_BAD_DATA);
    pen_run_wrong_blas("cause");
    assert_int_equal(pen_progress(run, "fit", 0, 1), PEN_WRONG_BLAS);
    assert_int_equal(pen_poll(run), PEN_WRONG_BLAS);
    CHECK_STATUS(pen_run_end(run, PEN_OK), PEN_WRONG_BLAS, "cause", &err);
    pen_run_wrong_blas(NULL);
}

TEST(sizes_do_not_wrap_around)
{
    pen_error err;
    pen_run *run;
    pen_slices slices;
    assert_true(pen_times(3, 5) == 15 && pen_times(0, INT64_MAX) == 0
                && pen_times(INT64_MAX, 1) == INT64_MAX);
    assert_true(pen_times(3037000500, 3037000500) == INT64_MAX && pen_times(-1, 5) == INT64_MAX
                && pen_times(5, -1) == INT64_MAX);
    assert_true(pen_times(INT64_MAX / 3, 3) == INT64_MAX / 3 * 3
                && pen_times(INT64_MAX / 3 + 1, 3) == INT64_MAX);
    assert_true(pen_plus(3, 5) == 8 && pen_plus(INT64_MAX, 1) == INT64_MAX
                && pen_plus(-1, 5) == INT64_MAX);
    assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
    CHECK_STATUS(pen_slices_new(run, 2, INT64_MAX / 8, 8, &slices), PEN_NO_MEMORY, "out of memory",
                 &err);
    pen_run_close(run);
    assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
    CHECK_STATUS(pen_slices_new(run, 1 << 20, INT64_MAX / 64, 8, &slices), PEN_NO_MEMORY,
                 "out of memory", &err);
    pen_run_close(run);
}

TEST(slices_are_aligned_and_apart)
{
    pen_run *run;
    pen_slices slices;
    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    for (int64_t count = 0; count < 40; count += 13) {
        assert_int_equal(pen_slices_new(run, 7, count, sizeof(double), &slices), PEN_OK);
        for (int worker = 0; worker < 7; worker++) {
            double *const slice = pen_slice(&slices, worker);
            assert_true((uintptr_t)slice % 64 == 0);
            for (int64_t i = 0; i < count; i++)
                slice[i] = worker;
        }
        for (int worker = 0; worker < 7; worker++)
            for (int64_t i = 0; i < count; i++)
                assert_true(((double *)pen_slice(&slices, worker))[i] == worker);
    }
    pen_run_close(run);
}

TEST(a_cause_is_explained_if_there_is_room)
{
    char text[sizeof((pen_error *)0)->message];
    pen_error err;
    pen_run *run;
    assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
    pen_explain(run, "nothing went wrong");
    assert_int_equal(err.code, PEN_OK);
    assert_string_equal(err.message, "");
    pen_fail(run, PEN_RANK_TOO_SMALL, "too few");
    pen_explain(run, "rank 1\n");
    CHECK_MESSAGE(&err, "too few; rank 1?");
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    text[sizeof text - 1 - strlen("too few; rank 1?; ")] = '\0';
    pen_explain(run, text + 1); /* one shorter: fits exactly */
    assert_int_equal(strlen(err.message), sizeof err.message - 2);
    pen_explain(run, "");
    assert_int_equal(strlen(err.message), sizeof err.message - 2);
    pen_run_close(run);

    assert_int_equal(pen_run_open(NULL, &err, &run), PEN_OK);
    pen_fail(run, PEN_RANK_TOO_SMALL, "too few; rank 1?");
    text[strlen(text)] = 'x';
    pen_explain(run, text); /* does not fit */
    CHECK_MESSAGE(&err, "too few; rank 1?");
    pen_run_close(run);

    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    pen_fail(run, PEN_RANK_TOO_SMALL, "nobody listens");
    pen_explain(run, "nor to this");
    pen_run_close(run);
}

TEST(the_lowest_rank_is_noted)
{
    pen_run *run;
    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    assert_true(pen_cut_noted(run).tolerance == 0);
    pen_note_cut(run, 3, 1e-15);
    pen_note_cut(run, 5, 1e-10);
    assert_true(pen_cut_noted(run).rank == 3 && pen_cut_noted(run).tolerance == 1e-15);
    pen_note_cut(run, 2, 1e-10);
    assert_true(pen_cut_noted(run).rank == 2 && pen_cut_noted(run).tolerance == 1e-10);
    pen_run_close(run);
}

struct tally {
    atomic_int times[500];
    int64_t calls, last, stop_at;
};

static void count_task(void *context, int64_t task, int worker)
{
    struct tally *t = context;
    volatile double busy = 0;
    for (int i = 0; i < 20000; i++)
        busy = busy + i;
    atomic_fetch_add(&t->times[task], 1);
}

static int count_progress(void *user, const char *phase, int64_t done, int64_t total)
{
    struct tally *t = user;
    CHECK(strcmp(phase, "counting") == 0 && done >= 0 && done <= total, "%s %lld of %lld", phase,
          (long long)done, (long long)total);
    t->calls++;
    t->last = done;
    return done >= t->stop_at;
}

TEST(tasks_run_once_and_stop_on_request)
{
    for (int threads = 1; threads <= 4; threads++) {
        struct tally t = { .stop_at = 1000000 };
        const pen_control control = { .threads = threads, .progress = count_progress, .user = &t };
        pen_error err;
        pen_run *run;
        int64_t ran = 0;

        assert_int_equal(pen_run_open(&control, &err, &run), PEN_OK);
        assert_int_equal(pen_workers(run, 2), threads < 2 ? threads : 2);
        assert_int_equal(pen_parallel(run, PEN_WHOLE("counting"), 500, count_task, &t), PEN_OK);
        for (int i = 0; i < 500; i++)
            assert_int_equal(atomic_load(&t.times[i]), 1);
        assert_true(t.calls > 0);
        for (int i = 0; i < 500; i++)
            atomic_store(&t.times[i], 0);
        t.stop_at = threads == 1 ? 300 : 250; /* the calling thread may run no task itself */
        CHECK_STATUS(pen_parallel(run, PEN_PART("counting", 250, 1000, 1000), 500, count_task, &t),
                     PEN_CANCELLED, "cancelled", &err);
        for (int i = 0; i < 500; i++)
            ran += atomic_load(&t.times[i]);
        CHECK(ran < 500, "%lld tasks ran after the stop", (long long)ran);
        pen_run_close(run);
    }
}

/* Tasks of 100 steps of 2 ms, which check for a stop after each. */
struct slow {
    pen_run *run;
    int reports, most, wrong;
    atomic_int steps;
};

static int count_repeated(void *user, const char *phase, int64_t done, int64_t total)
{
    struct slow *const s = user;
    s->wrong += strcmp(phase, "waiting") != 0 || done != 3 || total != 7;
    return ++s->reports > s->most;
}

static void slow_task(void *context, int64_t task, int worker)
{
    struct slow *const s = context;
    for (int step = 0; step < 100 && !pen_stopped(s->run, worker); step++) {
        nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
        atomic_fetch_add(&s->steps, 1);
    }
}

/* A loop without new progress repeats its last report, and stops within a task. */
TEST(silent_loops_can_be_stopped)
{
    for (int threads = 1; threads <= 2; threads++) {
        struct slow s = { .most = 2 };
        const pen_control control = { .threads = threads, .progress = count_repeated, .user = &s };
        pen_error err;
        assert_int_equal(pen_run_open(&control, &err, &s.run), PEN_OK);
        assert_int_equal(pen_poll(s.run), PEN_OK); /* no report to repeat */
        assert_int_equal(s.reports, 0);
        assert_int_equal(pen_progress(s.run, "waiting", 3, 7), PEN_OK);
        assert_int_equal(pen_poll(s.run), PEN_OK); /* too soon to repeat */
        assert_int_equal(s.reports, 1);
        CHECK_STATUS(pen_parallel(s.run, PEN_SILENT, 4, slow_task, &s), PEN_CANCELLED, "cancelled",
                     &err);
        CHECK(s.reports == 3 && s.wrong == 0, "%d reports, %d of them wrong", s.reports, s.wrong);
        CHECK(atomic_load(&s.steps) < 400, "%d steps", atomic_load(&s.steps));
        pen_run_close(s.run);
    }
}
