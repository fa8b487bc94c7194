/* progress.c - shows a progress bar and stops the work on a signal. */
#define _POSIX_C_SOURCE 200809L

#include "common/progress.h"

#include "flags/pair_flags.h"
#include "common/blas_memory.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double SILENT_SECONDS = 1; /* shorter work needs no bar */
static const double REDRAW_SECONDS = 0.1;
static const double ESTIMATE_SECONDS = 2;     /* of a phase, before the first estimate */
enum { BAR_WIDTH = 20, PROGRESS_PHASE = 38 }; /* a line fits into 80 columns */
enum { ONE_SIGNAL = 250 };                    /* milliseconds */

/* Written by the signal handler: signal and time; finishing: it no longer stops the work. */
static volatile sig_atomic_t caught, caught_at, finishing;
static int reported; /* progress_finish was called */

static const int watched[] = { SIGINT, SIGTERM, SIGHUP };
enum { WATCHED = sizeof watched / sizeof *watched };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* timeout(1) signals the process and its group, so the same signal may arrive twice; only a later
 * one ends the process. */
static void note_signal(int signal_number)
{
    const sig_atomic_t at = (sig_atomic_t)((int64_t)(1000 * now()) & 0x3FFFFFFF); /* modulo 2^30 */

    if (caught && ((at - caught_at) & 0x3FFFFFFF) > ONE_SIGNAL) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    } else if (!caught) {
        caught_at = at;
        caught = signal_number;
    }
}

/* Ignored signals (nohup, background jobs) stay ignored. */
void progress_watch(void)
{
    struct sigaction action;

    for (int i = 0; i < WATCHED; i++)
        if (sigaction(watched[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            action = (struct sigaction){ .sa_handler = note_signal };
            sigaction(watched[i], &action, NULL);
        }
}

/* ---- the bar ---- */

typedef struct progress {
    double started; /* seconds */
    int is_wanted;  /* standard error is a terminal, without --quiet */
    int shown;      /* a bar is on the screen */
    char phase[PROGRESS_PHASE + 1];
    double drawn;                     /* time of the last drawing */
    double phase_started, phase_part; /* time and done part at the start */
} progress;

/* Prints the remaining time of the phase, extrapolated from its pace; nothing if it is too early to
 * estimate. */
static void print_time_left(progress *bar, const char *phase, double part)
{
    if (strncmp(bar->phase, phase, PROGRESS_PHASE) != 0) {
        snprintf(bar->phase, sizeof bar->phase, "%.*s", PROGRESS_PHASE, phase);
        bar->phase_started = now();
        bar->phase_part = part;
    }
    const double gone = now() - bar->phase_started, done = part - bar->phase_part;
    if (gone < ESTIMATE_SECONDS || !(done > 0)) {
        fputs("\033[K", stderr);
        return;
    }
    const double left = gone / done * (1 - part);
    fprintf(stderr, ", %.0f %s left\033[K", left < 100 ? left : left / 60,
            left < 100 ? "s" : "min");
}

/* A pen_progress_fn. The bar appears after a second of work. */
static int show(void *user, const char *phase, int64_t done, int64_t total)
{
    progress *const bar = user;

    if (bar->is_wanted && now() - bar->started > SILENT_SECONDS
        && now() - bar->drawn > REDRAW_SECONDS) {
        const double part = total > 0 ? (double)done / (double)total : 0;
        const int filled = (int)(part * BAR_WIDTH);
        fprintf(stderr, "\r%-*.*s [", PROGRESS_PHASE, PROGRESS_PHASE, phase);
        for (int i = 0; i < BAR_WIDTH; i++)
            fputc(i < filled ? '#' : ' ', stderr);
        fprintf(stderr, "] %3d%%", (int)(100 * part));
        print_time_left(bar, phase, part);
        fflush(stderr);
        bar->shown = 1;
        bar->drawn = now();
    }
    return progress_signal() != 0;
}

/* ---- the end ---- */

int progress_signal(void)
{
    return finishing ? 0 : caught;
}

int progress_finish(void)
{
    reported = 1;
    finishing = caught != 0;
    return caught;
}

void progress_release(void)
{
    struct sigaction action;

    for (int i = 0; i < WATCHED; i++)
        if (sigaction(watched[i], NULL, &action) == 0 && action.sa_handler == note_signal)
            signal(watched[i], SIG_DFL);
}

int progress_die(void)
{
    const int signal_number = caught;

    fflush(stdout);
    cli_fail("interrupted; %s",
             reported ? "this is what was finished by then" : "nothing was written");
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    return 128 + signal_number;
}

/* ---- work ---- */

static double last_work;

double cli_work_seconds(void)
{
    return last_work;
}

static int run_work(const char *path, cli_work_fn *fn, void *context, int partly)
{
    const char *const terminal = getenv("TERM");
    progress bar = { .started = now() };

    blas_memory_take();
    bar.is_wanted =
        !cli_quiet && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    progress_watch();
    cli_error = (pen_error){ .code = PEN_OK };
    const pen_control control = { .threads = (int)args_threads, .progress = show, .user = &bar };
    const pen_status status = fn(context, &control);
    last_work = now() - bar.started;
    if (bar.shown)
        fputs("\r\033[K", stderr);
    mapped_check(); /* the mapped rows must have stayed complete */
    if (progress_signal() && (status != PEN_OK || !partly))
        return progress_die();
    if (status == PEN_OK)
        return CLI_OK;
    return path ? cli_fail("%s: %s", cli_input_name(path), cli_error.message) : pairs_failed();
}

int cli_work(const char *path, cli_work_fn *fn, void *context)
{
    return run_work(path, fn, context, 0);
}

int cli_work_partly(const char *path, cli_work_fn *fn, void *context)
{
    return run_work(path, fn, context, 1);
}
