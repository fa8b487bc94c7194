/* model_rows.h - a model, and the rows of a file in the columns that it was fitted on. */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include "flags/args.h"

/* A model that was given, and what is read for it. */
typedef struct model_rows {
    pen_model *model;
    pen_table *rows, *known; /* known: with the known labels, of --labels or of the rows; or NULL */
} model_rows;

/* Check the files of a command whose operands are a model and DATA: outputs can be written, none
 * overwrites an input, and at most one input is standard input; and read both, owned. predicts 1:
 * the model must predict classes; 2: only if it was fitted with labels of at least two classes. */
int model_rows_open(int predicts, int drops, model_rows *out);

/* Load the model named by the first operand, owned. */
int model_rows_load(int predicts, pen_model **out);

/* Read rows, owned; with --ignore-names the columns are taken in their order. Columns that the
 * model does not have are left out, with a remark. Missing values are NaN if the model takes such;
 * drops: rows that have one and get no result are dropped. Returns CLI_OK or the exit status, with
 * the error printed. */
int model_rows_read(const pen_model *model, const char *path, const pen_read_options *options,
                    int drops, pen_table **out);

/* The table with the known labels: of --labels; or the rows if they have labels, else NULL. */
int model_rows_labels(const pen_model *model, const char *data, pen_table *rows, pen_table **out);

#endif
