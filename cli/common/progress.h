/* progress.h - shows a progress bar and stops the work on a signal. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "flags/args.h"

/* A library call; `context` holds its arguments. */
typedef pen_status cli_work_fn(void *context, const pen_control *control);

/* Call fn with --threads, a progress bar on a terminal, and signals that stop it. After a signal
 * the process ends and nothing is written. An error is printed after the file name `path`, if that
 * is not NULL. Returns CLI_OK or the exit status. */
int cli_work(const char *path, cli_work_fn *fn, void *context);

/* The same for a call that returns partial results after a signal: if it returns PEN_OK, the
 * process continues; call progress_finish. */
int cli_work_partly(const char *path, cli_work_fn *fn, void *context);

/* Seconds that the last call took. */
double cli_work_seconds(void);

/* ---- signals ---- */

/* From here on, SIGINT, SIGTERM and SIGHUP ask the work to stop; a second signal ends the process
 * at once. */
void progress_watch(void);

/* The signal received, or 0. */
int progress_signal(void);

/* Call this after printing results: the received signal no longer stops the work, and
 * progress_signal returns 0; another signal ends the process. Returns the received signal, or 0. */
int progress_finish(void);

/* From here on, signals end the process at once, because no file can be left incomplete. */
void progress_release(void);

/* Print what was written and end the process by the signal (status 128 + signal), so that a shell
 * loop also ends. */
int progress_die(void);

#endif
