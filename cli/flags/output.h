/* output.h - the flags that say where results are written. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "flags/args.h"

/* Check that no output of the command would overwrite the file `in` (NULL is fine). */
int output_safe(const char *in);

/* Check that the outputs of the command can be written, and that no two are the same file. */
int output_ready(void);

/* The name of an output in messages. */
const char *output_name(const char *path);

/* Whether a path ends in one of the endings in `list`, such as ".csv or .tsv". Without an ending,
 * or in .txt, it is a .csv. */
int output_is(const char *path, const char *list);

/* Check that; `what` is written there. */
int output_ending(const char *path, const char *what, const char *list);

/* Whether `path` is standard output, a pipe or a terminal: output that cannot be undone. */
int output_streamed(const char *path);

/* Write a file completely or not at all. Returns CLI_OK or the exit status, with the error
 * printed. */
int output_bytes(const char *path, const void *bytes, size_t size);

#endif
