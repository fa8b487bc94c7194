/* input.h - the flags that say how a file is read. */
#ifndef INPUT_H
#define INPUT_H

#include "flags/args.h"

extern const cli_flag input_flags[];
/* --labels; and of commands that hold labels out. */
extern const cli_flag input_labels_flag[], input_held_flags[];

/* The flags as options for pen_read. Returns CLI_OK or the exit status, with the error printed. */
int input_options(pen_read_options *out);

/* The words of --missing, by pen_missing. */
extern const char *const input_missings[];

/* Read the rows of `path`, owned; reports missing values on standard error. */
int input_rows(const char *path, const pen_read_options *options, pen_table **out);

/* The first bytes of a file, to tell what reads it; *size is 0 if they cannot be read. A pipe is
 * read to its end, and the functions below find its bytes. */
const unsigned char *input_head(const char *path, size_t *size);

/* Have input_rows of the first of several text files [NULL after the last] read all of them, as
 * one: where it has names of columns, the others begin with the same line. */
int input_join(const char *const *paths, const pen_read_options *options);

/* Read a model or statistics, owned. Returns CLI_OK or the exit status, with the error printed. */
int input_model(const char *path, pen_model **out);
int input_stats(const char *path, pen_stats **out);

/* Say how many rows were left out, if any, and the first of rows [count], descending; or NULL. */
void input_note_dropped(const char *path, int64_t count, const int64_t *rows);

/* The file of --groups; NULL: it names a column, or is not given. */
const char *input_group_file(void);

/* Check that of the operands and the files of labels and pairs at most one is standard input, and
 * that no output would overwrite one of them. */
int input_sources(const char *data_path);

/* Read a file of labels, owned, for the rows of `data_path`, one for each or lines that name rows;
 * *out has those of `data`, which may have dropped some: its names and numbers of rows count.
 * known: labels that are known already, from which none may differ; or NULL. model: whose rows
 * they are, and which remembers what means unlabelled; or NULL. */
int input_labels(const char *path, const char *data_path, const pen_table *data,
                 const pen_table *known, const pen_model *model, pen_table **out);

/* The labels of all files of --labels, with those of `known` (may be NULL), none of which may
 * differ; NULL: no file is given. */
int input_known_labels(const char *data_path, const pen_table *data, const pen_table *known,
                       const pen_model *model, pen_table **out);

/* *labels [n] become those that --keep-labels says, if it is given, drawn by --seed. */
int input_keep_labels(int64_t n, const int32_t **labels);

/* *read: the rows of a file, owned; *out: the same, with the labels of --labels and those that
 * --keep-labels says. */
int input_labelled(const char *path, pen_table **read, pen_table *out);

/* Check that no row of `data`, read from `data_path`, was dropped, so that the `what` of `path`
 * still match. */
int input_all_rows(const char *what, const char *path, const char *data_path,
                   const pen_table *data);

/* Print an error of the library, with a remark where labels are likely to be missing. */
int input_failed(void);

#endif
