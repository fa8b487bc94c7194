/* block_rows.h - the rows of a file in blocks, with their labels. */
#ifndef BLOCK_ROWS_H
#define BLOCK_ROWS_H

#include "class_list.h"
#include "flags/args.h"

enum { BLOCK_ROWS = 4096 };

typedef struct block_rows {
    const cli_args *args;
    const char *path;
    pen_blocks *blocks;
    pen_blocks *label_blocks; /* of --labels, or NULL */
    pen_table *all_labels;    /* the same where they are not read in blocks */
    pen_table *labels;        /* of label_blocks: those of the block */
    pen_table *table;         /* the block */
    pen_data data;            /* of it */
    int64_t first;            /* the number of its first row, of those that are not dropped */
    int64_t number;           /* of the block; -1 before the first one */
} block_rows;

/* Returns CLI_OK or the exit status, with the error printed. Free with block_rows_free in any
 * case. */
int block_rows_open(const cli_args *args, const char *path, const pen_read_options *options,
                    block_rows *out);

/* The number of columns, from the first row; 0: there are no rows. The next block is the first. */
int block_rows_columns(block_rows *rows, int64_t *columns);

/* The next block in rows->data; *there 0: there is none. */
int block_rows_next(block_rows *rows, int *there);
void block_rows_rewind(block_rows *rows);
void block_rows_free(block_rows *rows);

/* How many labels there are in blocks, and of how many classes. Zeroed: none. */
enum { LABEL_MARKS = 32 };
typedef struct label_count {
    int64_t rows, labelled;
    class_list classes, marks;
    int64_t mark_rows[LABEL_MARKS];
} label_count;

/* Returns CLI_OK or the exit status, with the error printed. */
int label_count_add(const cli_args *args, const pen_table *table, label_count *all);
void label_count_note(const cli_args *args, const char *path, label_count *all);
void label_count_free(label_count *all);

/* Open --labels, if it is given, and count the labels, which must be as many as `rows`, of which
 * `dropped` more were dropped, or in a text name them. They are read in blocks, or at once, which
 * may take `most` bytes. */
int block_rows_labels(block_rows *rows, int64_t count, int64_t dropped, double most,
                      label_count *out);

/* The bytes of the regular file that `path` names, without ::MEMBER; 0: there is none. */
double block_rows_file_size(const char *path);

#endif
