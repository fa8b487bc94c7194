/* trial_flags.h - the flags that define the trials of compare. */
#ifndef TRIAL_FLAGS_H
#define TRIAL_FLAGS_H

#include "flags/args.h"

enum { TRIAL_MOST_DIMS = 1000 };

extern const cli_flag trials_flags[];

/* What `how` points to stays in place with it. */
typedef struct trial_flags {
    pen_trials how;
    int64_t dims[TRIAL_MOST_DIMS];
    const char *grid[TRIAL_MOST_DIMS];
} trial_flags;

/* The flags as trials. Returns CLI_OK or the exit status, with the error printed. */
int trials_options(const cli_args *args, trial_flags *out);

/* --folds as a file; NULL: it is a number, or not given. */
const char *trials_fold_file(const cli_args *args);

/* Use the folds of a file (NULL: there is none), which must outlive the trials. */
void trials_use_folds(const pen_folds *given, pen_trials *out);

#endif
