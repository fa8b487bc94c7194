/* model_rows.h - reads a model, and the rows of a file in its columns. */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include "flags/args.h"

/* A model and the rows read for it. */
typedef struct model_rows {
    pen_model *model;
    pen_table *rows, *known; /* known: has the labels of --labels or of the rows; or NULL */
} model_rows;

/* Read the operands MODEL and DATA, owned. Check that outputs can be written and overwrite no
 * input, and that at most one input is standard input. predicts 1: the model must predict classes;
 * 2: it must do so if it was fitted with labels of at least two classes. */
int model_rows_open(int predicts, int drops, model_rows *out);

/* Load the model of the first operand, owned. */
int model_rows_load(int predicts, pen_model **out);

/* Read rows, owned, in the columns of the model, or by position with --ignore-names. Columns that
 * the model does not have are left out with a remark. Missing values are NaN if the model accepts
 * them; drops: rows that get no result because of them are dropped. Returns CLI_OK, or the exit
 * status after printing an error. */
int model_rows_read(const pen_model *model, const char *path, const pen_read_options *options,
                    int drops, pen_table **out);

/* *out: the table with the labels of --labels, or the rows if they have labels, or NULL. */
int model_rows_labels(const pen_model *model, const char *data, pen_table *rows, pen_table **out);

#endif
