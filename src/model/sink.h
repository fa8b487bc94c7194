/* sink.h - writing a safetensors file: to a path, as a whole or not at all, or to memory. The
 * length of its header and the header come first, then the tensors by a function of the caller. */
#ifndef PEN_SINK_H
#define PEN_SINK_H

#include "core/file.h"
#include "core/textbuf.h"

typedef struct pen_sink pen_sink;

pen_status pen_sink_put(pen_sink *sink, const void *bytes, size_t size);

/* Puts all tensors, in the order of the header. */
typedef pen_status (*pen_put_tensors_fn)(pen_sink *sink, const void *context);

/* What is written. */
typedef struct pen_written {
    const char *header;   /* from pen_sink_header */
    int64_t tensor_bytes; /* of all tensors */
    pen_put_tensors_fn put_tensors;
    const void *context; /* of put_tensors */
} pen_written;

/* The text of a header, padded with blanks to a multiple of 8. Free with free(). */
pen_status pen_sink_header(pen_run *run, pen_string *text, char **out);

/* CRC-32 of all tensors. */
uint32_t pen_sink_checksum(pen_put_tensors_fn put_tensors, const void *context);

/* PEN_FILE_ERROR: with the reason reported by the system. */
pen_status pen_sink_save(pen_run *run, const pen_written *what, const char *path);

/* *bytes [*size], free with free(). */
pen_status pen_sink_bytes(pen_run *run, const pen_written *what, void **bytes, size_t *size);

#endif
