/* input.h - flags that control how a file is read. */
#ifndef INPUT_H
#define INPUT_H

#include "flags/args.h"

extern const cli_flag input_flags[];
/* --labels; flags of commands that hold out labels. */
extern const cli_flag input_labels_flag[], input_held_flags[];

/* Convert the flags to options of pen_read. Returns CLI_OK, or the exit status after an error. */
int input_options(pen_read_options *out);

/* The words of --missing, indexed by pen_missing. */
extern const char *const input_missings[];

/* Read the rows of `path`, owned, and report missing values on standard error. */
int input_rows(const char *path, const pen_read_options *options, pen_table **out);

/* The first bytes of a file, to detect its format; *size is 0 if they cannot be read. A pipe is
 * read to its end and kept for the functions below. */
const unsigned char *input_head(const char *path, size_t *size);

/* Join several text files (NULL after the last): input_rows of the first reads all. If it has
 * column names, the other files must begin with the same line. */
int input_join(const char *const *paths, const pen_read_options *options);

/* Read a model or statistics, owned. Returns CLI_OK, or the exit status after printing an error. */
int input_model(const char *path, pen_model **out);
int input_stats(const char *path, pen_stats **out);

/* Print the number of dropped rows, if any, and the first of rows [count] (descending, or NULL). */
void input_note_dropped(const char *path, int64_t count, const int64_t *rows);

/* The file of --groups; NULL if it names a column or is not given. */
const char *input_group_file(void);

/* Check that at most one operand or file of labels or pairs is standard input, and that no output
 * would overwrite one of them. */
int input_sources(const char *data_path);

/* Read a file of labels, owned, for the rows of `data_path`: one label for each row, or lines that
 * name rows. *out has the labels of `data`, which may have dropped rows; its row names and numbers
 * identify them. known: labels that must agree with the file; or NULL. model: a model that stores
 * which texts mean unlabelled; or NULL. */
int input_labels(const char *path, const char *data_path, const pen_table *data,
                 const pen_table *known, const pen_model *model, pen_table **out);

/* Read the labels of all files of --labels, which must agree with each other and with `known` (may
 * be NULL). *out is NULL if no file is given. */
int input_known_labels(const char *data_path, const pen_table *data, const pen_table *known,
                       const pen_model *model, pen_table **out);

/* Replace *labels [n] by the sample that --keep-labels and --seed draw, if the flag is given. */
int input_keep_labels(int64_t n, const int32_t **labels);

/* *read: the rows of a file, owned. *out: the same rows with the labels of --labels, sampled by
 * --keep-labels. */
int input_labelled(const char *path, pen_table **read, pen_table *out);

/* Check that no row of `data`, read from `data_path`, was dropped. Otherwise the `what` of `path`
 * do not match the rows. */
int input_all_rows(const char *what, const char *path, const char *data_path,
                   const pen_table *data);

/* Print the error of the library with flags that may help. */
int input_failed(void);

#endif
