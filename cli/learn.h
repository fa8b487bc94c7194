/* learn.h - what the commands that learn share: rows with labels and pairs, and a fit with its
 * progress. */
#ifndef LEARN_H
#define LEARN_H

#include "class_output.h"
#include "flags/pair_flags.h"
#include "flags/param_flags.h"

typedef struct learning {
    pen_read_options options;
    pen_table *rows;
    const int32_t *labels; /* all of the rows, or NULL; --keep-labels may leave fewer to `data` */
    pen_data data;
    const char *graph; /* its file, or NULL */
} learning;

/* The flags that say how `path` is read, and those of threads and pairs; `method` (NULL: any) must
 * learn from pairs if any are given. */
int learn_options(const pen_method *method, const char *path, learning *out);

/* Read rows, labels and pairs into in->data. */
int learn_read(const char *path, learning *in);

/* Fit with a bar on the terminal; a signal ends the process. The model is owned. */
int learn_fit(const pen_spec *spec, const learning *in, pen_model **out);

/* Write the model to --output, and its classes to --classes if that is given: both or neither. */
int learn_save(const pen_model *model, const row_classes *all);

/* The same without classes, with a report. */
int learn_save_alone(const pen_model *model);

/* Fit, save and report the model. */
int learn_fit_and_save(const pen_spec *spec, const learning *in);

/* What is printed of a fit, each a line "word     text" or more, unless --quiet is given: the rows;
 * what was tried, and what to expect, where no method was named; the model, and with --verbose its
 * numbers; what was checked and written. */
void learn_report_rows(const learning *in);
void learn_report_trials(const learning *in, const pen_model *model);
void learn_report_model(const pen_model *model);
void learn_report_saved(const row_classes *all);

/* The same as one JSON object on standard output. */
void learn_print_json(const learning *in, const pen_model *model, const row_classes *all);

#endif
