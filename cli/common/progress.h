/* progress.h - a bar on the terminal, and a Ctrl-C that leaves nothing incomplete. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "flags/args.h"

/* A call of the library, with what it needs in `context`. */
typedef pen_status cli_work_fn(void *context, const pen_control *control);

/* Call it: with threads by --threads, a bar on a terminal, and signals that stop it, after which
 * the process ends and nothing is written. An error is printed after the name of the file `path`,
 * or alone where that is NULL. Returns CLI_OK or the exit status. */
int cli_work(const char *path, cli_work_fn *fn, void *context);

/* The same where the call ends with what is finished: if it was PEN_OK, a signal does not end the
 * process; ask progress_finish. */
int cli_work_partly(const char *path, cli_work_fn *fn, void *context);

/* How long the last one took, in seconds. */
double cli_work_seconds(void);

/* ---- signals ---- */

/* From here a SIGINT, SIGTERM or SIGHUP asks the work to stop; a second one ends the process at
 * once. */
void progress_watch(void);

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
