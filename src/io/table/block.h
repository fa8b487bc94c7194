/* block.h - some rows of a file, read by themselves: what the readers of blocks share. */
#ifndef PEN_BLOCK_H
#define PEN_BLOCK_H

#include <stdint.h>

typedef struct pen_block {
    const char *path;     /* of a regular file */
    int64_t size;         /* of the file in bytes */
    int64_t first, count; /* the rows wanted; the reader lowers count to those there are */
    int64_t rows;         /* of the file, which the reader sets where it says so; or -1 */
    int64_t offset, line; /* text: where row `first` begins, which the reader moves on */
} pen_block;

#endif
