/* progress.h - a bar on the terminal, and Ctrl-C that leaves nothing half done. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <penumbra.h>

enum { PROGRESS_PHASE = 38 }; /* characters of a phase that are shown */

typedef struct progress {
    double started; /* seconds */
    int wanted;     /* standard error is a terminal and nobody said --quiet */
    int shown;      /* a bar is on the screen */
    char phase[PROGRESS_PHASE + 1];
    double drawn;                     /* when it last was */
    double phase_started, phase_part; /* when the phase came, and how much of it was done then */
} progress;

/* Begin: from here a SIGINT, SIGTERM or SIGHUP asks the work to stop; a second one ends the process
 * at once. */
void progress_begin(progress *bar, int quiet);

/* A pen_progress_fn; `user` is the bar. It appears when the work has lasted a second, and says how
 * much time is left when that can be told. */
int progress_show(void *user, const char *phase, int64_t done, int64_t total);

/* Take the bar off the screen. The rows were used to the end: mapped_check looks whether they were
 * whole. */
void progress_end(progress *bar);

/* The signal that came, or 0. */
int progress_signal(void);

/* Finish with what there is: the signal that came no longer stops anything, and progress_signal is
 * 0 again; another one ends the process. Returns the signal that came, or 0. */
int progress_finish(void);

/* From here signals end the process at once again: nothing can be left half done. */
void progress_release(void);

/* End as the signal would have ended the process, so that a shell's loop ends too (status 128 +
 * signal). */
int progress_die(const char *command);

/* The same after something was told. */
int progress_die_told(const char *command);

#endif
