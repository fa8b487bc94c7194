/* output.h - the flags that say where results are written. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "args.h"

/* Check that no output of the command would overwrite the file `in` (NULL is fine). */
int output_safe(const cli_args *args, const char *in);

/* Check that the outputs of the command can be written, and that no two are the same file. */
int output_ready(const cli_args *args);

/* Check that the name of an output ends in one of `endings` (NULL at the end), which `list` names;
 * `what` is written there. */
int output_ending(const cli_args *args, const char *path, const char *what,
                  const char *const *endings, const char *list);

/* Whether `path` is standard output, a pipe or a terminal: output that cannot be undone. */
int output_streamed(const char *path);

/* Whether `path` would be a new file. */
int output_new(const char *path);

/* A file that is written completely or not at all: it is written next to its place and renamed. A
 * pipe or a device is written directly. */
typedef struct output_file {
    const cli_args *args;
    const char *path; /* as the user names it */
    char *target;     /* its final place */
    char *draft;      /* where it is until it is finished; NULL: it is written directly */
    FILE *stream;
    int reason; /* the errno of the first write that failed, or 0 */
} output_file;

/* Returns CLI_OK or the exit status, with the error printed; then there is nothing to close. */
int output_open(output_file *file, const cli_args *args, const char *path);

/* Write bytes; a failure is reported when the file is closed. */
void output_write(output_file *file, const void *bytes, size_t size);

/* Put it in its place, or with keep 0 remove it. A file that is not open is left alone. */
int output_close(output_file *file, int keep);

/* Begin a report of what was written: "penumbra COMMAND: PATH: " on standard error. */
void output_report(const cli_args *args, const char *path);

#endif
