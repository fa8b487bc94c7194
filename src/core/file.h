/* file.h - bytes in, bytes out: whole files read or mapped, files that appear whole or not at
 * all. */
#ifndef PEN_FILE_H
#define PEN_FILE_H

#include "core/run.h"

/* The bytes of a file; the memory stays until pen_bytes_free. */
typedef struct pen_bytes {
    const unsigned char *data;
    size_t size;
    int mapped;
} pen_bytes;

/* What messages call it. */
#define PEN_STANDARD_INPUT "standard input"

/* Read the bytes of `path`, "-": standard input. PEN_FILE_ERROR: "PATH: cannot be opened: REASON",
 * or a regular file became shorter meanwhile. PEN_NO_MEMORY: the file is larger than the memory
 * there is. On failure nothing needs freeing. */
pen_status pen_bytes_read(pen_run *run, const char *path, pen_bytes *out);

/* The same, but a regular file of PEN_MAPPED_FROM bytes or more is mapped: it takes no memory of
 * its own and may be larger than all memory. If such a file becomes shorter, reading the bytes
 * raises SIGBUS, and the rest of the page it then ends in reads as 0: for callers who look out for
 * both. */
enum { PEN_MAPPED_FROM = 1 << 24 };
pen_status pen_bytes_map(pen_run *run, const char *path, pen_bytes *out);
void pen_bytes_free(pen_bytes *bytes);

/* A file being written. Every byte goes to a temporary file beside `path`, which pen_output_commit
 * renames; a path that exists and is no regular file (a terminal, a pipe, /dev/full) and "-"
 * (standard output) are written directly. */
typedef struct pen_output pen_output;
pen_status pen_output_open(pen_run *run, const char *path, pen_output **out);
pen_status pen_output_write(pen_output *output, const void *bytes, size_t size);

/* Flush, close, rename: the file is there. `output` is freed, also on failure; then nothing is left
 * behind. */
pen_status pen_output_commit(pen_output *output);

/* Give up: nothing is left behind. NULL is fine. */
void pen_output_discard(pen_output *output);

#endif
