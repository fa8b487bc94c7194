/* zip.h - reading the files of a zip archive, stored or deflated. */
#ifndef PEN_ZIP_H
#define PEN_ZIP_H

#include "io/table/file_input.h"

/* A file of an archive; its name points into the archive. */
typedef struct pen_packed {
    pen_text name;
    uint64_t flags, method, crc, packed, size, local;
} pen_packed;

typedef struct pen_archive {
    const pen_input *input;
    pen_packed *files; /* [count] in scratch memory */
    int64_t count;
} pen_archive;

/* Reads the directory. PEN_BAD_FORMAT: not a zip archive, or damaged. */
pen_status pen_unzip_open(pen_run *run, const pen_input *input, pen_archive *out);

/* The file with this name; NULL: none. */
const pen_packed *pen_unzip_find(const pen_archive *archive, const char *name);

/* The contents of a file as an input named "ARCHIVE: NAME". Stored files are not copied. Compressed
 * files are expanded into scratch memory or, if it is not NULL, into *expanded, which must be empty
 * and becomes out->owner; free it with pen_bytes_free, even after a failure. PEN_BAD_FORMAT:
 * damaged, encrypted or compressed in another way. */
pen_status pen_unzip(pen_run *run, const pen_archive *archive, const pen_packed *file,
                     pen_bytes *expanded, pen_input *out);

#endif
