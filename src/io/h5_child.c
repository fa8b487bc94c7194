/* h5_child.c - starting, talking to and ending the process in which libhdf5 runs.
 *
 * A host may ignore SIGCHLD or wait for all children itself: then nobody knows how the child
 * ended, only that it did. It may fork other processes, which have copies of the sockets: so the
 * end of a file on a socket is not the only way to learn that the other side is gone. */
#if defined __linux__
#define _GNU_SOURCE /* prctl.h, MAP_ANONYMOUS */
#else
#define _POSIX_C_SOURCE 200809L
#endif

#include "io/h5_child.h"

#ifdef PENUMBRA_HDF5

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

enum { LAST_SIGNAL = 64, LOOK_MICROSECONDS = 50000 };

/* ---- the child ---- */

/* Handlers of the host are not for this process. */
static void reset_signals(void)
{
    const struct sigaction usual = { .sa_handler = SIG_DFL }, ignored = { .sa_handler = SIG_IGN };

    for (int s = 1; s <= LAST_SIGNAL; s++)
        sigaction(s, &usual, NULL);
    sigaction(SIGINT, &ignored, NULL);
    sigaction(SIGQUIT, &ignored, NULL);
    sigaction(SIGPIPE, &ignored, NULL);
}

static void live(int socket, void *room, pid_t parent, pen_h5_body body, void *context)
{
    const struct rlimit none = { 0, 0 };
    sigset_t all;

    reset_signals();
    setrlimit(RLIMIT_CORE, &none);
    sigfillset(&all);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() == parent)
        body(socket, room, context);
    _exit(0);
}

int pen_h5_put(int socket, const void *bytes, size_t size)
{
    const char *from = bytes;

    while (size > 0) {
        const ssize_t done = send(socket, from, size, MSG_NOSIGNAL);
        if (done < 0 && errno != EINTR)
            return 0;
        from += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return 1;
}

int pen_h5_get(int socket, void *bytes, size_t size)
{
    char *to = bytes;

    while (size > 0) {
        const ssize_t done = recv(socket, to, size, 0);
        if (done == 0 || (done < 0 && errno != EINTR))
            return 0;
        to += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return 1;
}

/* ---- its start ---- */

/* Sockets that a program which another thread starts does not inherit, and on which a parent that
 * waits looks around from time to time. */
static int open_sockets(int ends[2])
{
    const struct timeval pause = { .tv_usec = LOOK_MICROSECONDS };

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
        return 0;
    for (int i = 0; i < 2; i++)
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &pause, sizeof pause);
    return 1;
}

static pen_status no_process(pen_run *run, const char *name)
{
    return pen_fail(run, PEN_NO_MEMORY,
                    "%s: HDF5 files are read in a process of their own, and the system gives none: "
                    "%s",
                    name, strerror(errno));
}

pen_status pen_h5_child_start(pen_run *run, const char *name, pen_h5_body body, void *context,
                              pen_h5_child *out)
{
    const pid_t parent = getpid();
    sigset_t all, before;
    int ends[2];

    *out = (pen_h5_child){ .run = run, .name = name };
    out->room = mmap(NULL, PEN_H5_ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (out->room == MAP_FAILED)
        return no_process(run, name);
    if (!open_sockets(ends)) {
        munmap(out->room, PEN_H5_ROOM);
        return no_process(run, name);
    }
    /* no handler of the host may run in the child */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        live(ends[1], out->room, parent, body, context);
    }
    const int why = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (process > 0) {
        out->socket = ends[0];
        out->process = process;
        return PEN_OK;
    }
    close(ends[0]);
    munmap(out->room, PEN_H5_ROOM);
    errno = why;
    return no_process(run, name);
}

/* ---- its end ---- */

/* Is it the fault of the code that ran, or of whoever sent the signal? */
static int is_crash(int s)
{
    return s == SIGSEGV || s == SIGBUS || s == SIGABRT || s == SIGFPE || s == SIGILL || s == SIGSYS
           || s == SIGTRAP;
}

/* state: as waitpid says; -1: nobody knows. */
static pen_status explain(pen_h5_child *child, int state)
{
    const int ended_by = state >= 0 && WIFSIGNALED(state) ? WTERMSIG(state) : 0;

    if (ended_by == SIGXCPU)
        return pen_fail(child->run, PEN_BAD_FORMAT,
                        "%s: the HDF5 library does not come to an end with this file: it is "
                        "damaged",
                        child->name);
    if (ended_by && !is_crash(ended_by))
        return pen_fail(child->run, PEN_FILE_ERROR,
                        "%s: the process that read it was ended from outside (signal %d%s)",
                        child->name, ended_by, ended_by == SIGKILL ? ", no memory?" : "");
    if (ended_by)
        return pen_fail(child->run, PEN_BAD_FORMAT,
                        "%s: the HDF5 library failed on this file (signal %d): it is damaged",
                        child->name, ended_by);
    return pen_fail(child->run, PEN_BAD_FORMAT,
                    "%s: the HDF5 library failed on this file: it is damaged", child->name);
}

/* The process is gone, or of no use. */
static pen_status lost(pen_h5_child *child)
{
    int state = -1;

    if (child->process > 0) {
        pid_t got;
        kill(child->process, SIGKILL); /* no effect on one that is ending */
        while ((got = waitpid(child->process, &state, 0)) < 0 && errno == EINTR)
            ;
        state = got == child->process ? state : -1;
        child->process = 0;
    }
    if (child->failed == PEN_OK)
        child->failed = explain(child, state);
    return child->failed;
}

pen_status pen_h5_child_end(pen_h5_child *child)
{
    if (child->failed != PEN_OK)
        lost(child);
    close(child->socket);
    while (child->process > 0 && waitpid(child->process, NULL, 0) < 0 && errno == EINTR)
        ;
    munmap(child->room, PEN_H5_ROOM);
    return child->failed;
}

/* Nothing came for a while: is it still there, and wanted? */
static pen_status look_around(pen_h5_child *child)
{
    siginfo_t info = { .si_pid = 0 };

    child->failed = pen_poll(child->run);
    if (child->failed != PEN_OK)
        return lost(child);
    /* it is left to be waited for, by its state */
    if (waitid(P_PID, (id_t)child->process, &info, WEXITED | WNOHANG | WNOWAIT) < 0) {
        if (errno == EINTR)
            return PEN_OK;
        info.si_pid = child->process;
    }
    if (info.si_pid != child->process)
        return PEN_OK;
    if (child->ended)
        return lost(child);
    child->ended = 1; /* what it sent last is read first */
    return PEN_OK;
}

/* ---- talking to it ---- */

pen_status pen_h5_child_send(pen_h5_child *child, const void *bytes, size_t size)
{
    if (child->failed != PEN_OK)
        return child->failed;
    return pen_h5_put(child->socket, bytes, size) ? PEN_OK : lost(child);
}

pen_status pen_h5_child_receive(pen_h5_child *child, void *bytes, size_t size)
{
    char *to = bytes;

    if (child->failed != PEN_OK)
        return child->failed;
    while (size > 0) {
        const ssize_t done = recv(child->socket, to, size, 0);
        if (done > 0) {
            to += done;
            size -= (size_t)done;
        } else if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
            PEN_TRY(look_around(child));
        } else {
            return lost(child);
        }
    }
    return PEN_OK;
}

#endif
