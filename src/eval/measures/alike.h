/* alike.h - finds names of classes that look alike. */
#ifndef PEN_ALIKE_H
#define PEN_ALIKE_H

#include "core/run.h"

/* Finds names [count] that differ only in case, blanks, encoding of accents or notation of a
 * number, and writes the first of them, quoted, to text [size]; "": none. */
pen_status pen_find_alike(pen_run *run, const char *const *names, int64_t count, char *text,
                          size_t size);

#endif
