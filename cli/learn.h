/* learn.h - what the commands that learn share: rows with labels and pairs, and a fit with its
 * progress. */
#ifndef LEARN_H
#define LEARN_H

#include "pair_flags.h"
#include "param_flags.h"

typedef struct learning {
    pen_read_options options;
    int threads;
    pen_table *rows;
    pen_table *label_file;     /* NULL: the labels are those of the rows */
    pen_table *group_file;     /* NULL: so are the groups, if any */
    pen_fold_table *fold_file; /* NULL: folds are dealt */
    pairs pairs;
    pen_data data;
    pen_sparse *neighbors; /* the neighbor graph that was given, or NULL */
} learning;

/* The flags that say how `path` is read, and those of threads and pairs; `method` (NULL: any) must
 * learn from pairs if any are given. */
int learn_options(const cli_args *args, const pen_method *method, const char *path, learning *out);

/* Read rows, labels and pairs into in->data. Free with learn_free in any case. */
int learn_read(const cli_args *args, const char *path, learning *in);
void learn_free(learning *in);

/* Write "self, 178 rows of 13 columns, 17 labelled (a: 5, b: 12)" on standard error; NULL method:
 * without it. */
void learn_print_data(const char *method, const pen_data *data);

/* The same as a line of its own, unless --quiet is given. */
void learn_report_data(const cli_args *args, const pen_data *data);

/* The exit status of trials, with the error printed. */
int learn_tried(const cli_args *args, pen_status status, const pen_error *err);

/* Fit with a bar on the terminal. If a signal stops it there is no model and no message: ask
 * progress_signal. */
int learn_fit(const cli_args *args, const pen_spec *spec, const learning *in, pen_model **out);

/* Fit, write the model to --output, and report it. A signal ends the process; other results were
 * printed before. */
int learn_fit_and_save(const cli_args *args, const pen_spec *spec, const learning *in);

/* Write the model to --output and report it. */
int learn_save(const cli_args *args, const pen_model *model);

/* Report a fit: the pairs used; dimensions, eigenvalues and iterations of the model at `path`. */
void learn_report_model(const cli_args *args, const pen_model *model, const char *path);

#endif
