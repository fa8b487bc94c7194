/* test_h5_child.c - a child process that crashes, ends, says nothing or is ended is an error of the
 * call, and leaves no process, descriptor or handler behind. */
#define _GNU_SOURCE

#include "check.h"

#ifdef PENUMBRA_HDF5

#include "io/h5_child.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void crash(int socket, void *room, void *context)
{
    (void)socket;
    (void)room;
    raise(*(const int *)context);
}

static void leave(int socket, void *room, void *context)
{
    (void)socket;
    (void)room;
    (void)context;
}

/* Sends what it gets, and puts its negative into the room, until there is no more. */
static void echo(int socket, void *room, void *context)
{
    int number;

    (void)context;
    while (pen_h5_get(socket, &number, sizeof number)) {
        *(int *)room = -number;
        if (!pen_h5_put(socket, &number, sizeof number))
            return;
    }
}

static void stay(int socket, void *room, void *context)
{
    (void)socket;
    (void)room;
    (void)context;
    for (;;)
        pause();
}

static int descriptors(void)
{
    DIR *const folder = opendir("/proc/self/fd");
    int count = 0;

    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

/* One call whose child does that; the status of its end. */
static pen_status call(pen_h5_body body, void *context, pen_error *err)
{
    pen_h5_child child;
    pen_run *run;
    char byte;

    CHECK_OK(pen_run_open(NULL, err, &run), err);
    CHECK_OK(pen_h5_child_start(run, "some.h5", body, context, &child), err);
    const pen_status status = pen_h5_child_receive(&child, &byte, 1);
    assert_int_equal(pen_h5_child_send(&child, "", 1), status);
    assert_int_equal(pen_h5_child_end(&child), status);
    pen_run_close(run);
    return status;
}

static void crashes(void **state)
{
    static int signals[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL };
    const int open = descriptors();
    pen_error err;
    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        char wanted[100];
        assert_int_equal(call(crash, &signals[i], &err), PEN_BAD_FORMAT);
        snprintf(wanted, sizeof wanted,
                 "some.h5: the HDF5 library failed on this file (signal %d): it is damaged",
                 signals[i]);
        assert_string_equal(err.message, wanted);
    }
    assert_int_equal(call(leave, NULL, &err), PEN_BAD_FORMAT);
    assert_string_equal(err.message,
                        "some.h5: the HDF5 library failed on this file: it is damaged");
    assert_int_equal(call(crash, &(int){ SIGKILL }, &err), PEN_FILE_ERROR);
    assert_non_null(strstr(err.message, "ended from outside (signal 9, no memory?)"));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(descriptors(), open);
}

/* A host that ignores SIGCHLD, or has a handler for crashes, sees none of it. */
static void hosts(void **state)
{
    struct sigaction before, crashed;
    pen_error err;
    (void)state;
    sigaction(SIGCHLD, NULL, &before);
    sigaction(SIGSEGV, NULL, &crashed);
    signal(SIGCHLD, SIG_IGN);
    signal(SIGSEGV, SIG_IGN);
    assert_int_equal(call(crash, &(int){ SIGSEGV }, &err), PEN_BAD_FORMAT);
    assert_string_equal(err.message,
                        "some.h5: the HDF5 library failed on this file: it is damaged");
    sigaction(SIGCHLD, &before, NULL);
    sigaction(SIGSEGV, &crashed, NULL);
}

static void talk(pen_h5_child *child, int times)
{
    for (int i = 1; i <= times; i++) {
        int back = 0;
        assert_int_equal(pen_h5_child_send(child, &i, sizeof i), PEN_OK);
        assert_int_equal(pen_h5_child_receive(child, &back, sizeof back), PEN_OK);
        assert_int_equal(back, i);
        assert_int_equal(*(int *)child->room, -i);
    }
}

/* Ctrl-C is for the caller: the child works on. */
static void interrupted(void **state)
{
    pen_h5_child child;
    pen_run *run;
    pen_error err;
    (void)state;
    CHECK_OK(pen_run_open(NULL, &err, &run), &err);
    CHECK_OK(pen_h5_child_start(run, "some.h5", echo, NULL, &child), &err);
    talk(&child, 3);
    kill(child.process, SIGINT);
    talk(&child, 3);
    close(child.socket); /* which it takes for the end */
    assert_true(waitpid(child.process, NULL, 0) == child.process);
    child.process = 0;
    child.socket = -1;
    assert_int_equal(pen_h5_child_end(&child), PEN_OK);
    pen_run_close(run);
}

static int stop_later(void *user, const char *phase, int64_t done, int64_t total)
{
    (void)phase;
    (void)done;
    (void)total;
    return ++*(int *)user > 2;
}

/* The caller may stop a call whose child does not answer. */
static void cancelled(void **state)
{
    int reports = 0;
    const pen_control control = { .progress = stop_later, .user = &reports };
    pen_h5_child child;
    pen_run *run;
    pen_error err;
    char byte;
    (void)state;
    CHECK_OK(pen_run_open(&control, &err, &run), &err);
    CHECK_OK(pen_progress(run, "reading", 0, 1), &err);
    CHECK_OK(pen_h5_child_start(run, "some.h5", stay, NULL, &child), &err);
    assert_int_equal(pen_h5_child_receive(&child, &byte, 1), PEN_CANCELLED);
    assert_int_equal(pen_h5_child_end(&child), PEN_CANCELLED);
    assert_int_equal(err.code, PEN_CANCELLED);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    pen_run_close(run);
}

static void *crash_often(void *context)
{
    int *const failed = context;
    pen_error err;

    for (int i = 0; i < 10; i++)
        *failed |= call(crash, &(int){ SIGSEGV }, &err) != PEN_BAD_FORMAT;
    return NULL;
}

static void threads(void **state)
{
    pthread_t all[4];
    int failed[4] = { 0 };
    (void)state;
    for (int t = 0; t < 4; t++)
        assert_int_equal(pthread_create(&all[t], NULL, crash_often, &failed[t]), 0);
    for (int t = 0; t < 4; t++) {
        pthread_join(all[t], NULL);
        assert_int_equal(failed[t], 0);
    }
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

#ifdef __linux__
/* A child whose parent is killed ends: here that of a process in between, which says who it is. */
static void orphan(void **state)
{
    int ends[2], status;
    pid_t child = 0;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    const pid_t between = fork();
    if (between == 0) {
        pen_h5_child grandchild;
        pen_run *run;
        if (pen_run_open(NULL, NULL, &run) == PEN_OK
            && pen_h5_child_start(run, "", stay, NULL, &grandchild) == PEN_OK
            && write(ends[1], &grandchild.process, sizeof(pid_t)) == (ssize_t)sizeof(pid_t))
            pause();
        _exit(1);
    }
    assert_true(read(ends[0], &child, sizeof child) == (ssize_t)sizeof child);
    close(ends[1]); /* the child has the only other copy */
    kill(between, SIGKILL);
    assert_true(waitpid(between, &status, 0) == between);
    assert_int_equal(read(ends[0], &status, 1), 0);
    close(ends[0]);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crashes),   cmocka_unit_test(hosts),   cmocka_unit_test(interrupted),
        cmocka_unit_test(cancelled), cmocka_unit_test(threads),
#ifdef __linux__
        cmocka_unit_test(orphan),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
