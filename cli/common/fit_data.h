/* fit_data.h - what the commands that learn share: rows with labels and pairs, and a fit with its
 * progress. */
#ifndef FIT_DATA_H
#define FIT_DATA_H

#include "common/class_output.h"
#include "flags/pair_flags.h"
#include "flags/param_flags.h"

typedef struct fit_data {
    pen_read_options options;
    pen_table *rows;
    const int32_t *labels; /* all of the rows, or NULL; --keep-labels may leave fewer to `data` */
    pen_data data;
    const char *graph; /* its file, or NULL */
    /* of rows that are not in `data`, but in blocks or in statistics */
    const char *where; /* ", read in blocks" or such; NULL: they are in `data` */
    int64_t row_count, column_count, labelled;
} fit_data;

/* The flags that say how `path` is read, and those of threads and pairs; `method` (NULL: any) must
 * learn from pairs if any are given. */
int fit_options(const pen_method *method, const char *path, fit_data *out);

/* Read rows, labels and pairs into in->data. */
int fit_read_data(const char *path, fit_data *in);

/* Fit with a bar on the terminal; a signal ends the process. The model is owned. */
int fit_model(const pen_spec *spec, const fit_data *in, pen_model **out);

/* Write the classes to --classes if that is given, and the model to --output; and
 * say what was read, tried, learned, checked and written, in lines "word     text" or with --json
 * as one object. model NULL: statistics were written; all NULL: no classes. */
int fit_finish(const fit_data *in, const pen_model *model, const row_classes *all);

/* The same of the model alone. */
int fit_finish_model(const pen_model *model);

/* ---- files that are read in blocks ---- */

/* Whether the files [NULL-terminated] are larger than PENUMBRA_MEMORY; or several, or larger than
 * half of the memory there is, and the fit can be made so. */
int block_fit_wanted(const pen_spec *spec, const char *const *paths, const fit_data *in,
                     int *wanted);

/* Fit, save and report. `in` has the flags. */
int block_fit(const pen_spec *spec, const char *const *paths, fit_data *in);

/* ---- statistics of blocks ---- */

/* Whether the file says that it holds statistics. 0 if it cannot be read. */
int stats_are_in(const char *path);

/* `penumbra fit METHOD DATA [FILE.pens...] --block ID -o PART.pens`, or
 * `penumbra fit METHOD FILE.pens... -o MODEL`. operands: those after METHOD, NULL-terminated. */
int stats_fit(const char *method, const char *const *operands);

/* `penumbra info FILE.pens`. */
int stats_info(const char *path);

#endif
