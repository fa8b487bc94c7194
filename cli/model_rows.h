/* model_rows.h - the rows of a file as a model wants them: its columns, found by name. */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include "args.h"

/* Read the rows of `path` by `options`; the columns are those of the model, found by their names
 * unless --ignore-names is given. Says which columns were left out, and refuses another number of
 * columns. Returns CLI_OK or the exit status, with the error printed. */
int model_rows_read(const cli_args *args, const pen_model *model, const char *path,
                    const pen_read_options *options, pen_table **out);

#endif
