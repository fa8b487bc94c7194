/* model_rows.h - a model, and the rows of a file in the columns that it was fitted on. */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include "flags/args.h"

/* Whether the file is a model: its content tells. */
int model_rows_is_model(const char *path);

/* Load the model named by the first operand; predicts: it must predict classes. */
int model_rows_load(const cli_args *args, int predicts, pen_model **out);

/* Read rows; with --ignore-names the columns are taken in their order. Columns that the model does
 * not have are left out, with a remark. Missing values are NaN if the model takes such; drops: rows
 * that have one and get no answer are dropped. Returns CLI_OK or the exit status, with the error
 * printed. */
int model_rows_read(const cli_args *args, const pen_model *model, const char *path,
                    const pen_read_options *options, int drops, pen_table **out);

#endif
