/* output.h - checks and writes the output files of a command. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "flags/args.h"

/* Check that no output of the command would overwrite the file `in` (may be NULL). */
int output_safe(const char *in);

/* Check that all outputs can be written and that no two are the same file. */
int output_ready(void);

/* The name of an output in messages. */
const char *output_name(const char *path);

/* Whether a path has one of the extensions in `list`, such as ".csv or .tsv". No extension and .txt
 * count as .csv. */
int output_is(const char *path, const char *list);

/* Check the extension; the error calls the output `what`. */
int output_ending(const char *path, const char *what, const char *list);

/* Whether `path` is standard output, a pipe or a terminal, whose output cannot be undone. */
int output_streamed(const char *path);

/* Write a file completely or not at all. Returns CLI_OK, or the exit status after printing an
 * error. */
int output_bytes(const char *path, const void *bytes, size_t size);

#endif
