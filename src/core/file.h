/* file.h - whole files read or mapped, and files written completely or not at all. */
#ifndef PEN_FILE_H
#define PEN_FILE_H

#include "core/run.h"

/* The bytes of a file. Valid until pen_bytes_free. */
typedef struct pen_bytes {
    const unsigned char *data;
    size_t size;
    int mapped;
} pen_bytes;

/* The name of standard input in messages. */
#define PEN_STANDARD_INPUT "standard input"

/* The name of an input in messages: `path`, or PEN_STANDARD_INPUT for "-". */
const char *pen_path_name(const char *path);

/* Reads the bytes of `path`, "-" for standard input. PEN_FILE_ERROR: "PATH: cannot be opened:
 * REASON", or a regular file shrank meanwhile. PEN_NO_MEMORY: the file is larger than the available
 * memory. On failure nothing needs freeing. */
pen_status pen_bytes_read(pen_run *run, const char *path, pen_bytes *out);

/* The same, but a regular file of PEN_MAPPED_FROM bytes or more is mapped: it takes no extra memory
 * and may be larger than physical memory. If the file shrinks, access to lost pages raises SIGBUS,
 * and the rest of its last page reads as 0. Callers must handle both. */
enum { PEN_MAPPED_FROM = 1 << 24 };
pen_status pen_bytes_map(pen_run *run, const char *path, pen_bytes *out);
void pen_bytes_free(pen_bytes *bytes);

/* Does the path name nothing, a folder, or something else such as "-"? */
enum pen_file_kind { PEN_NO_FILE, PEN_FOLDER, PEN_OTHER_FILE };
enum pen_file_kind pen_file_kind_of(const char *path);

/* Bytes offset .. offset + count - 1 of a regular file. PEN_FILE_ERROR: it cannot be opened or
 * read, or has shrunk. */
pen_status pen_bytes_part(pen_run *run, const char *path, int64_t offset, int64_t count,
                          unsigned char *to);

/* The size of a regular file in bytes; -1: not a regular file. */
int64_t pen_file_size(const char *path);

/* A file being written. All bytes go to a temporary file next to `path`, which pen_output_commit
 * renames. "-" (standard output) and an existing path that is not a regular file (a terminal, a
 * pipe, /dev/full) are written directly. */
typedef struct pen_output pen_output;
pen_status pen_output_open(pen_run *run, const char *path, pen_output **out);
pen_status pen_output_write(pen_output *output, const void *bytes, size_t size);

/* Flushes, closes and renames the file. Frees `output`, also on failure; a failure leaves no
 * file. */
pen_status pen_output_commit(pen_output *output);

/* Abandons the file: nothing is left on disk. NULL is fine. */
void pen_output_discard(pen_output *output);

/* Commits the file if the status is PEN_OK, otherwise discards it. */
pen_status pen_output_close(pen_output *output, pen_status status);

/* Writes a file of these bytes. */
pen_status pen_file_write(pen_run *run, const char *path, const void *bytes, size_t size);

#endif
