/* file_input.h - the bytes of a file. */
#ifndef PEN_FILE_INPUT_H
#define PEN_FILE_INPUT_H

#include "core/file.h"
#include "io/table/strings.h"

/* A file in memory. */
typedef struct pen_input {
    const char *name; /* for messages */
    const unsigned char *data;
    size_t size;
    pen_bytes *owner;       /* owner of data, if a table may take it over; NULL: the caller */
    const char *member;     /* MEMBER of FILE::MEMBER; NULL: none */
    int64_t first_row;      /* the number of the first row of the data, for messages */
    const pen_text *header; /* [header_count] column names of an array; NULL: none */
    int64_t header_count;
} pen_input;

/* Reads rows or labels in one format. */
typedef pen_status (*pen_reader)(pen_run *run, const pen_input *input,
                                 const pen_read_options *options, pen_table *table);

/* A block of rows of a file, for readers of blocks. */
typedef struct pen_block {
    const char *path;     /* of a regular file */
    int64_t size;         /* of the file in bytes */
    int64_t first, count; /* the rows wanted; the reader lowers count if the file ends */
    int64_t rows;         /* all rows of the file, set by the reader; -1: unknown */
    int64_t offset, line; /* text: start of row `first`, which the reader advances */
} pen_block;

/* Gets the bytes of a file, or of standard input for "-", and its name for messages. The bytes are
 * read or, with `map`, mapped if large (core/file.h). If `given` is not NULL, its bytes are
 * borrowed instead. gzip is decompressed. Free with pen_bytes_free. */
pen_status pen_input_read(pen_run *run, const char *path, const pen_input *given, int map,
                          pen_bytes *bytes, pen_input *out);

/* Splits FILE::MEMBER into its parts, in scratch memory. member NULL: `path` has no ::, or a file
 * has that name. */
pen_status pen_path_split(pen_run *run, const char *path, const char **file, const char **member);

/* ---- numbers in bytes ---- */

/* The integer in bytes [size], the first of which is the highest or the lowest. */
static inline uint64_t pen_number_at(const unsigned char *bytes, size_t size, int high_first)
{
    uint64_t number = 0;

    for (size_t i = 0; i < size; i++)
        number = number << 8 | bytes[high_first ? i : size - 1 - i];
    return number;
}

/* Is this machine little-endian? */
static inline int pen_low_byte_first(void)
{
    const uint16_t one = 1;

    return *(const unsigned char *)&one == 1;
}

#endif
