/* expand.h - files of gzip. */
#ifndef PEN_EXPAND_H
#define PEN_EXPAND_H

#include "io/io.h"

int pen_is_gzip(const pen_input *input);

/* Expands a gzip file into new memory: all its members, one after another, with their checksums.
 * Free with pen_bytes_free.
 * PEN_BAD_FORMAT: truncated or damaged.
 * PEN_NO_MEMORY: the contents are larger than the available memory. */
pen_status pen_expand(pen_run *run, const pen_input *input, pen_bytes *out);

#endif
