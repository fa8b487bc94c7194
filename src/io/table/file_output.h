/* file_output.h - the destination of a file's bytes. */
#ifndef PEN_FILE_OUTPUT_H
#define PEN_FILE_OUTPUT_H

#include "core/file.h"

/* Receives the bytes written. */
typedef pen_status (*pen_put)(void *context, const void *bytes, size_t size);

/* A pen_put whose context is a pen_output. */
static inline pen_status pen_put_output(void *context, const void *bytes, size_t size)
{
    return pen_output_write(context, bytes, size);
}

#endif
