/* input.h - the flags that say how a file is read, shared by fit, transform and plot. */
#ifndef INPUT_H
#define INPUT_H

#include "args.h"

extern const cli_flag input_flags[];

/* The flags as options for pen_read. Returns CLI_OK or the exit status, the error said. */
int input_options(const cli_args *args, pen_read_options *out);

/* Read the rows of `path`; says on standard error what became of missing values. */
int input_rows(const cli_args *args, const char *path, const pen_read_options *options, pen_table **out);

/* Read a file of labels for the rows of `data`, read from `data_path`: there must be as many. */
int input_labels(const cli_args *args, const char *path, const char *data_path, const pen_table *data, pen_table **out);

/* What a file is called in messages. */
const char *input_name(const char *path);

/* Say an error of the library, with a remark on labels where they are what is likely to be missing. */
int input_failed(const cli_args *args, const pen_error *err);

/* Check that writing `out` would not overwrite what is read. */
int input_safe(const cli_args *args, const char *out, const char *in);

#endif
