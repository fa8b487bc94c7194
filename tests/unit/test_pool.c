/* test_pool.c - the threads of a call start with shared work and end with the call, a forked child
 * works without them, and signals go to the threads of the program. */
#define _GNU_SOURCE

#include "core/parallel.h"
#include "linalg/blas_turn.h"
#include "kit/check_fit.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The number of threads of this process, from the system. */
static int threads_alive(void)
{
    DIR *const folder = opendir("/proc/self/task");
    int count = 0;

    if (!folder)
        return 1;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count - 2;
}

/* A joined thread may be listed for a moment longer. */
static int threads_left(int wanted)
{
    for (int i = 0; i < 200 && threads_alive() != wanted; i++)
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    return threads_alive();
}

struct meeting {
    atomic_int here;
    atomic_int most;
    int expected;
    atomic_int blocked; /* workers that could receive SIGINT; must be 0 */
};

/* Waits until the expected number of tasks run at once. */
static void meet(void *context, int64_t task, int worker)
{
    struct meeting *const m = context;
    sigset_t mask;

    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    if (worker > 0
        && (!sigismember(&mask, SIGINT) || !sigismember(&mask, SIGTERM)
            || sigismember(&mask, SIGBUS)))
        atomic_fetch_add(&m->blocked, 1);
    atomic_fetch_add(&m->here, 1);
    for (int i = 0; i < 2000 && atomic_load(&m->here) < m->expected; i++)
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    if (atomic_load(&m->here) > atomic_load(&m->most))
        atomic_store(&m->most, atomic_load(&m->here));
}

TEST(threads_begin_late_and_end_with_the_call)
{
    struct meeting first = { .expected = 2 };
    pen_run *run = check_run(2, NULL);
    /* a sanitizer may start its own thread along with the first one */
    assert_int_equal(pen_parallel(run, PEN_SILENT, 2, meet, &first), PEN_OK);
    pen_run_close(run);
    const int before = threads_left(1);
    run = check_run(5, NULL);
    assert_int_equal(threads_alive(), before);
    struct meeting three = { .expected = 3 }, five = { .expected = 5 };
    assert_int_equal(pen_parallel(run, PEN_SILENT, 3, meet, &three), PEN_OK);
    assert_int_equal(atomic_load(&three.most), 3);
    assert_int_equal(threads_alive(), before + 2);
    assert_int_equal(pen_parallel(run, PEN_SILENT, 5, meet, &five), PEN_OK);
    assert_int_equal(atomic_load(&five.most), 5);
    assert_int_equal(atomic_load(&five.blocked), 0);
    pen_run_close(run);
    assert_int_equal(threads_left(before), before);
}

/* Many short loops: would fail if a thread woke up late. */
static void add_one(void *context, int64_t task, int worker)
{
    atomic_fetch_add(&((atomic_int *)context)[task], 1);
}

TEST(short_loops_run_each_task_once)
{
    static atomic_int times[37];
    pen_run *const run = check_run(4, NULL);
    for (int loop = 1; loop <= 3000; loop++) {
        assert_int_equal(pen_parallel(run, PEN_SILENT, 1 + loop % 37, add_one, times), PEN_OK);
        for (int i = 0; i < 1 + loop % 37; i++)
            CHECK(atomic_load(&times[i]) == 1, "loop %d: task %d ran %d times", loop, i,
                  atomic_load(&times[i]));
        for (int i = 0; i < 37; i++)
            atomic_store(&times[i], 0);
    }
    pen_run_close(run);
}

static pen_model *fit_on(const char *text, const sample *s, int threads)
{
    const pen_data data = sample_data(s);
    pen_spec *const spec = spec_of(text);
    pen_model *model = NULL;
    pen_error err;

    CHECK_OK(pen_fit(spec, &data, &(pen_control){ .threads = threads }, &model, &err), &err);
    return model;
}

static int same_projection(const pen_model *a, const pen_model *b)
{
    const int64_t d = pen_model_columns(a), k = pen_model_dim(a);

    return k == pen_model_dim(b)
           && memcmp(pen_model_tensor(a, "projection").values,
                     pen_model_tensor(b, "projection").values, (size_t)(d * k) * sizeof(double))
                  == 0;
}

/* A process may fork after a fit, and the child fits with the same result; also if the system
 * refuses more threads, in which case the existing one works alone. */
static void check_child(const char *text, int alone)
{
    pen_rng rng = check_rng(77);
    sample s = sample_random(&rng, 3000, 30, 4, 200);
    pen_model *const mine = fit_on(text, &s, 3);
    int status = -1;

    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit none = { 0, 0 };
        alarm(60);
        /* the limit does not apply to root */
        if (alone
            && ((geteuid() == 0 && setuid(65534) != 0) || setrlimit(RLIMIT_NPROC, &none) != 0))
            _exit(4);
        pen_model *const theirs = fit_on(text, &s, alone ? 4 : 3);
        _exit(same_projection(mine, theirs) ? 0 : 3);
    }
    assert_true(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with wait status %d",
          status);
    pen_model_free(mine);
}

TEST(a_child_fits_like_its_parent)
{
    check_child("self dim=3", 0);
}

/* (A BLAS that starts threads fails in its own way.) */
TEST(without_threads_the_caller_works_alone)
{
    if (strcmp(pen_blas_ask().threads, "pthreads") == 0)
        skip();
    check_child("lfda dim=2", 1);
}

/* Concurrent calls from several threads, each with its own workers. */
struct caller {
    const sample *s;
    pen_model *model;
};

static void *call(void *argument)
{
    struct caller *const c = argument;
    c->model = fit_on("lfda dim=2", c->s, 2);
    return NULL;
}

TEST(concurrent_calls)
{
    enum { CALLERS = 4 };
    pen_rng rng = check_rng(78);
    sample s = sample_random(&rng, 2000, 20, 3, 400);
    struct caller callers[CALLERS];
    pthread_t threads[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){ &s, NULL };
        assert_int_equal(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < CALLERS; i++)
        assert_true(same_projection(callers[0].model, callers[i].model));
    for (int i = 0; i < CALLERS; i++)
        pen_model_free(callers[i].model);
}
