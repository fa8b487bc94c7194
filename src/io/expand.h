/* expand.h - compressed files: gzip, and zstd where the build has it. */
#ifndef PEN_EXPAND_H
#define PEN_EXPAND_H

#include "io/io.h"

/* Is it a gzip or a zstd file? */
int pen_is_compressed(const pen_input *input);

/* Expands a compressed file into new memory: all its members or frames, one after another, with
 * their checksums. Free with pen_bytes_free.
 * PEN_BAD_FORMAT: truncated or damaged, or zstd in a build without it.
 * PEN_NO_MEMORY: the contents are larger than the available memory. */
pen_status pen_expand(pen_run *run, const pen_input *input, pen_bytes *out);

/* The length of a path without .gz or .zst at its end. */
size_t pen_length_expanded(const char *path);

#endif
