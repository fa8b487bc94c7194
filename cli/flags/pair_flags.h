/* pair_flags.h - the flags that give pairs: files of them, and a sample of those that labels
 * imply. */
#ifndef PAIR_FLAGS_H
#define PAIR_FLAGS_H

#include "flags/args.h"

extern const cli_flag pairs_flags[];

enum { PAIRS_FILES = 3 };

typedef struct pairs {
    /* those of --must-link, --cannot-link and --pairs; NULL: not given */
    pen_pairs *files[PAIRS_FILES];
    int64_t *joined[2]; /* lists made from two files; NULL: there was one */
    double *weights[2]; /* of the lists; NULL: all 1 */
    int sampled;
    pen_pair_sample sample;
    int on_contradiction, closure, pair_weights;
} pairs;

/* The flags except the files. A flag given for a method (NULL: any) that does not learn from pairs
 * is an error. Returns CLI_OK or the exit status, with the error printed. Free with pairs_free in
 * any case. */
int pairs_options(const cli_args *args, const pen_method *method, pairs *out);

/* Read the files, which name rows of `data`, read from `data_path`. */
int pairs_read(const cli_args *args, const char *data_path, const pen_table *data, pairs *out);

/* Set the members of `data`, which borrows them. */
int pairs_set(const cli_args *args, pairs *given, pen_data *data);
void pairs_free(pairs *given);

/* Print an error of the library, with a remark on the flags that help. */
int pairs_failed(const cli_args *args, const pen_error *err);

#endif
