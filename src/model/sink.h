/* sink.h - writing a safetensors file: to a path, as a whole or not at all, or to memory. */
#ifndef PEN_SINK_H
#define PEN_SINK_H

#include "model/model_tensors.h"

/* A file that is written: those of its parts [count] that have a name. */
typedef struct pen_written {
    const pen_part *parts;
    int count;
    pen_string header; /* up to its metadata, of which the caller adds the members */
} pen_written;

pen_written pen_written_open(const pen_part *parts, int count);

/* Adds a list of strings, or of the numbers that they are if they are not quoted. */
void pen_written_names(pen_written *file, const char *key, char *const *names, int64_t count,
                       int quoted);

/* Writes the file to `path` or, if that is NULL, to *bytes [*size], which free() frees; and frees
 * the header. PEN_FILE_ERROR: with the reason reported by the system. */
pen_status pen_written_finish(pen_run *run, pen_written *file, const char *path, void **bytes,
                              size_t *size);

#endif
