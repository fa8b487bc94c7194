/* block.h - some rows of a file, read by themselves: what readers of blocks share. */
#ifndef PEN_BLOCK_H
#define PEN_BLOCK_H

#include "io/io.h"

/* The head of a text: what decides how it is read (text_block.c). Other formats need less. */
enum { PEN_BLOCK_HEAD = 1 << 17 };

#define PEN_NO_TRANSPOSE "a text that is transposed is not read in blocks"

typedef struct pen_block {
    const char *path;     /* of a regular file */
    int64_t size;         /* of the file in bytes */
    int64_t first, count; /* the rows wanted; the reader lowers count to those there are */
    int64_t rows;         /* of the file, which the reader sets where it says so; or -1 */
    int64_t offset, line; /* text: where row `first` begins, which the reader moves on */
    int64_t room;         /* text: bytes of the largest block so far, and a little more */
} pen_block;

/* The reader of text. The input is the head of the file. */
pen_status pen_text_block(pen_run *run, const pen_input *input, const pen_read_options *options,
                          pen_block *block, pen_table *table);

/* As many of the first bytes of a text as decide how it is read; *size is their number. Free with
 * free(). */
pen_status pen_text_head(pen_run *run, const char *path, int64_t file_size,
                         const pen_read_options *options, unsigned char **head, int64_t *size);

#endif
