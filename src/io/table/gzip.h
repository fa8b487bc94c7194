/* gzip.h - decompression by zlib: gzip files, and deflate streams (RFC 1951) as in zip. */
#ifndef PEN_GZIP_H
#define PEN_GZIP_H

#include "core/file.h"

int pen_is_gzip(const unsigned char *data, size_t size);

/* Expands all members of a gzip file into new memory and checks their checksums. `name` is for
 * messages. Free with pen_bytes_free.
 * PEN_BAD_FORMAT: truncated or damaged.
 * PEN_NO_MEMORY: the contents are larger than the available memory. */
pen_status pen_expand(pen_run *run, const char *name, const unsigned char *data, size_t size,
                      pen_bytes *out);

/* Expands bytes [size] into `to`. Returns 1 if they begin with a complete deflate stream of exactly
 * `room` bytes, else 0. */
int pen_inflate(const unsigned char *from, size_t size, unsigned char *to, size_t room);

#endif
