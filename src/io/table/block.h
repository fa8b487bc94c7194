/* block.h - a block of rows of a file, for readers of blocks. */
#ifndef PEN_BLOCK_H
#define PEN_BLOCK_H

#include <stdint.h>

typedef struct pen_block {
    const char *path;     /* of a regular file */
    int64_t size;         /* of the file in bytes */
    int64_t first, count; /* the rows wanted; the reader lowers count if the file ends */
    int64_t rows;         /* all rows of the file, set by the reader; -1: unknown */
    int64_t offset, line; /* text: start of row `first`, which the reader advances */
} pen_block;

#endif
