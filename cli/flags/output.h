/* output.h - the flags that say where results are written. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "flags/args.h"

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

/* Write a file completely or not at all. Returns CLI_OK or the exit status, with the error
 * printed. */
int output_bytes(const cli_args *args, const char *path, const void *bytes, size_t size);

/* Begin a report of what was written: "penumbra COMMAND: PATH: " on standard error. */
void output_report(const cli_args *args, const char *path);

#endif
