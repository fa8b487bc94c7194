/* progress.h - a bar on the terminal, and a Ctrl-C that leaves nothing incomplete. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "flags/args.h"

enum { PROGRESS_PHASE = 38 }; /* characters shown of a phase */

/* ---- work of the library ---- */

/* A call of the library, with what it needs in `context`. */
typedef pen_status cli_work_fn(void *context, const pen_control *control);

/* Call it: with threads by --threads, a bar, and signals that stop it, after which the process ends
 * and nothing is written. An error is printed after the name of the file `path`, or alone where
 * that is NULL. Returns CLI_OK or the exit status. */
int cli_work(const char *path, cli_work_fn *fn, void *context);

/* The same where the call ends with what is finished: if it was PEN_OK, a signal does not end the
 * process; ask progress_signal. */
int cli_work_partly(const char *path, cli_work_fn *fn, void *context);

/* How long the last one took, in seconds. */
double cli_work_seconds(void);

/* ---- the bar ---- */

typedef struct progress {
    double started; /* seconds */
    int wanted;     /* standard error is a terminal, and --quiet is not given */
    int shown;      /* a bar is on the screen */
    char phase[PROGRESS_PHASE + 1];
    double drawn;                     /* when it last was */
    double phase_started, phase_part; /* when the phase began, and how much of it was done then */
} progress;

/* Begin: from here a SIGINT, SIGTERM or SIGHUP asks the work to stop; a second one ends the process
 * at once. */
void progress_begin(progress *bar, int quiet);

/* A pen_progress_fn; `user` is the bar. It appears when the work has lasted a second, and
 * estimates the time left. */
int progress_show(void *user, const char *phase, int64_t done, int64_t total);

/* Remove the bar. The rows have been read to the end: mapped_check verifies that they were
 * complete. */
void progress_end(progress *bar);

/* Since it began. */
double progress_seconds(const progress *bar);

/* The signal received, or 0. */
int progress_signal(void);

/* Results were printed; finish with them: the signal received no longer stops anything, and
 * progress_signal is 0 again; another one ends the process. Returns the signal received, or 0. */
int progress_finish(void);

/* From here signals end the process at once: nothing can be left incomplete. */
void progress_release(void);

/* Say what was written, and end as the signal would have ended the process, so that a shell's loop
 * ends too (status 128 + signal). */
int progress_die(void);

#endif
