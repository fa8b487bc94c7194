/* read.h - file formats, and reading from bytes in memory. */
#ifndef PEN_READ_H
#define PEN_READ_H

#include "io/table/file_input.h"

typedef pen_status (*pen_block_reader)(pen_run *run, const pen_input *input,
                                       const pen_read_options *options, pen_block *block,
                                       pen_table *table);

enum { PEN_MOST_EXTENSIONS = 8 };

typedef struct pen_format {
    const char *name;
    const char *extensions[PEN_MOST_EXTENSIONS]; /* with the dot */
    int (*recognizes)(const pen_input *input);   /* by content */
    pen_reader read;
    pen_reader read_labels;      /* NULL: the format has no label lists */
    pen_block_reader read_block; /* NULL: no reading in blocks */
    int is_text;                 /* 1: options such as skip and column names apply */
    int is_binary;               /* 1: not text */
    int has_members;             /* 1: FILE::MEMBER names an array in it */
    int is_sure;                 /* 1: recognition is certain, whatever the extension */
} pen_format;

/* pen_read and pen_read_labels from bytes in memory, borrowed for the duration of the call. `name`
 * serves messages, and its extension the choice of format. */
pen_status pen_read_bytes(const char *name, const void *data, size_t size,
                          const pen_read_options *options, pen_table **out, pen_error *err);
pen_status pen_read_labels_bytes(const char *name, const void *data, size_t size,
                                 const pen_read_options *options, pen_table **out, pen_error *err);

/* pen_read_graph from bytes. */
pen_status pen_read_graph_bytes(const char *name, const void *data, size_t size, pen_sparse **out,
                                pen_error *err);

/* pen_read_pairs from bytes. */
pen_status pen_read_pairs_bytes(const char *name, const void *data, size_t size, pen_link link,
                                int64_t rows, pen_pairs **out, pen_error *err);

/* Finds the format of the rows in `input`, after the checks of pen_read. */
pen_status pen_read_find_format(pen_run *run, const pen_input *input,
                                const pen_read_options *options, const pen_format **out);

/* The reader of labels as text (labels_file.c). */
pen_status pen_read_text_labels(pen_run *run, const pen_input *input,
                                const pen_read_options *options, pen_table *table);

#endif
