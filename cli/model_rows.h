/* model_rows.h - the model and the rows that transform and predict apply it to. */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include "args.h"

/* Load the model named by the first operand; predicts: it must predict classes. */
int model_rows_load(const cli_args *args, int predicts, pen_model **out);

/* Read the rows of the second operand that the model maps: where both have names of columns, the
 * model finds its own by name, unless --ignore-names is given. Reports columns left out. */
int model_rows_read(const cli_args *args, const pen_model *model, pen_read_options *options,
                    pen_table **out);

#endif
