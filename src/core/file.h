/* file.h - bytes in, bytes out: whole files mapped or read, files that appear whole or not at all. */
#ifndef PEN_FILE_H
#define PEN_FILE_H

#include "core/run.h"

/* The bytes of a file; the memory stays until pen_bytes_free. A regular file is mapped, anything else read to its end. */
typedef struct pen_bytes {
    const unsigned char *data;
    size_t size;
    int mapped;
} pen_bytes;

/* path "-": standard input. PEN_FILE_ERROR: "PATH: cannot be opened: REASON". On failure nothing needs freeing. */
pen_status pen_bytes_read(pen_run *run, const char *path, pen_bytes *out);
void pen_bytes_free(pen_bytes *bytes);

/* A file being written. Every byte goes to a temporary file beside `path`, which pen_output_commit renames; a path that exists and is no
 * regular file (a terminal, a pipe, /dev/full) and "-" (standard output) are written directly. */
typedef struct pen_output pen_output;
pen_status pen_output_open(pen_run *run, const char *path, pen_output **out);
pen_status pen_output_write(pen_output *output, const void *bytes, size_t size);

/* Flush, close, rename: the file is there. `output` is freed, also on failure; then nothing is left behind. */
pen_status pen_output_commit(pen_output *output);

/* Give up: nothing is left behind. NULL is fine. */
void pen_output_discard(pen_output *output);

#endif
