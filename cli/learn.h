/* learn.h - what the commands share that learn: parameters as flags, rows with labels and pairs, a
 * fit with its progress. */
#ifndef LEARN_H
#define LEARN_H

#include "pair_flags.h"

/* ---- parameters as flags ---- */

/* The method that the command line names, wherever it stands; NULL: none yet. */
const pen_method *learn_method_in(int argc, char **argv);

int learn_has_param(const pen_method *method, const char *name);

/* As args_run, for a command with METHOD as its first operand: the parameters of all methods are
 * flags too (`params`, so that they may come before METHOD), but for those that are called like a
 * flag of the form. The help has the parameters of METHOD, if one is named. */
int learn_run(const args_form *form, int argc, char **argv,
              int (*command)(const cli_args *args, const cli_flag *params));

/* The first of the parameters that the command line gives, or NULL. */
const char *learn_any_param(const cli_args *args, const cli_flag *params);

/* The method with the values of the command line. Returns CLI_OK or the exit status, the error
 * said. Free with pen_spec_free. */
int learn_spec(const cli_args *args, const char *method, const cli_flag *params, pen_spec **spec);

/* The parameters that differ from their defaults, but for `dim`, as flags; "" if there is none. */
void learn_describe(const pen_method *method, const pen_spec *spec, char *text, size_t size);

/* A JSON object of all parameters on standard output. */
void learn_json_params(const pen_method *method, const pen_spec *spec);

/* The number of dimensions in `text`, or the word for it. Returns `text`. */
const char *learn_dims(const pen_method *method, const pen_spec *spec, char *text, size_t size);

/* ---- names of methods ---- */

typedef struct learn_names {
    char *text;
    const char **list; /* [count] */
    int64_t count;
} learn_names;

/* Names with commas between: known ones, none twice. NULL text: no name. Free with learn_names_free
 * in any case. */
int learn_read_names(const cli_args *args, const char *text, learn_names *out);
void learn_names_free(learn_names *names);

/* ---- data ---- */

typedef struct learning {
    pen_read_options options;
    int threads;
    pen_table *rows;
    pen_table *label_file; /* NULL: the labels are those of the rows */
    pairs pairs;
    pen_data data;
} learning;

/* The flags that say how `path` is read, and those of threads and pairs; `method` (NULL: any) must
 * have a use for pairs. */
int learn_options(const cli_args *args, const pen_method *method, const char *path, learning *out);

/* Read rows, labels and pairs into in->data. Free with learn_free in any case. */
int learn_read(const cli_args *args, const char *path, learning *in);
void learn_free(learning *in);

/* Write "self, 178 rows of 13 columns, 17 labelled (a: 5, b: 12)" on standard error; NULL method:
 * without it. */
void learn_print_data(const char *method, const pen_data *data);

/* The same as a line of its own, unless --quiet is given. */
void learn_report_data(const cli_args *args, const pen_data *data);

/* The exit status of trials that had so many seconds for `what`, the error said. */
int learn_tried(const cli_args *args, pen_status status, const pen_error *err, double seconds,
                const char *what);

/* The data as `method` takes them: without pairs, if it does not learn from pairs. */
pen_data learn_data_for(const pen_method *method, const pen_data *data);

/* Fit with a bar on the terminal. If a signal stops it there is no model, and nothing is said:
 * progress_signal tells. */
int learn_fit(const cli_args *args, const pen_method *method, const pen_spec *spec,
              const learning *in, pen_model **out);

/* Fit, write the model to --output, and say so. A signal ends the process; something else was told
 * before. */
int learn_fit_and_save(const cli_args *args, const pen_method *method, const pen_spec *spec,
                       const learning *in);

/* Say what a fit made: pairs that counted; dimensions, eigenvalues and iterations of the model at
 * `path`. */
void learn_report_model(const cli_args *args, const pen_model *model, const char *path);

#endif
