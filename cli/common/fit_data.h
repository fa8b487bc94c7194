/* fit_data.h - shared by commands that learn: reads rows, labels and pairs; fits and reports. */
#ifndef FIT_DATA_H
#define FIT_DATA_H

#include "common/class_output.h"
#include "flags/pair_flags.h"
#include "flags/param_flags.h"

typedef struct fit_data {
    pen_read_options options;
    pen_table *rows;
    const int32_t *labels; /* all labels, or NULL; --keep-labels may leave fewer in `data` */
    pen_data data;
    const char *graph; /* its file, or NULL */
    /* for rows in blocks or statistics, which are not in `data` */
    const char *where; /* such as ", read in blocks"; NULL: the rows are in `data` */
    int64_t row_count, column_count, labelled;
} fit_data;

/* Read the flags for reading `path` and check outputs. If pairs are given, `method` (NULL: any)
 * must learn from pairs. */
int fit_options(const pen_method *method, const char *path, fit_data *out);

/* Read rows, labels and pairs into in->data. */
int fit_read_data(const char *path, fit_data *in);

/* Fit with a progress bar; a signal ends the process. The model is owned. */
int fit_model(const pen_spec *spec, const fit_data *in, pen_model **out);

/* Write classes to --classes, if given, and the model to --output. Report what was read, tried,
 * learned, checked and written, in lines "word text" or, with --json, as one object. model NULL:
 * statistics were written. all NULL: no classes. */
int fit_finish(const fit_data *in, const pen_model *model, const row_classes *all);

/* The same for the model only. */
int fit_finish_model(const pen_model *model);

/* ---- files read in blocks ---- */

/* *wanted: whether the files (NULL-terminated) exceed PENUMBRA_MEMORY; or whether there are
 * several, or they exceed half the memory, and the fit can use blocks. */
int block_fit_wanted(const pen_spec *spec, const char *const *paths, const fit_data *in,
                     int *wanted);

/* Fit in blocks, save and report. `in` holds the flags. */
int block_fit(const pen_spec *spec, const char *const *paths, fit_data *in);

/* ---- statistics of blocks ---- */

/* Whether the file holds statistics; 0 if it cannot be read. */
int stats_are_in(const char *path);

/* `penumbra fit METHOD DATA [FILE.pens...] --block ID -o PART.pens`, or
 * `penumbra fit METHOD FILE.pens... -o MODEL`. operands: after METHOD, NULL-terminated. */
int stats_fit(const char *method, const char *const *operands);

/* `penumbra info FILE.pens`. */
int stats_info(const char *path);

/* ---- columns and rows that give labels away ---- */

/* Warn of each column of `data`, read from `rows`, that determines the labels or numbers the rows,
 * and of classes that look alike. Returns CLI_OK, or the exit status after printing an error. */
int leaks_warn(const pen_table *rows, const pen_data *data);

/* Warn of near copies of labelled rows: trials may hold out one and learn from another. */
void copies_warn(const pen_data *data);

/* ---- the file of --cache, which keeps prepared rows for the next command ---- */

extern const cli_flag rows_cache_flag[];

/* With --cache, open prepares the rows from the file, and save writes them back. A file of other
 * rows is replaced; any other file is an error. */
int rows_cache_open(pen_data *data);
int rows_cache_save(const pen_data *data);

#endif
