/* alike.h - names of classes that people would read as one. */
#ifndef PEN_ALIKE_H
#define PEN_ALIKE_H

#include "core/run.h"

/* Names [count] that people would read as one: equal but for case, blanks, encoding of accents or
 * notation of a number: the first of them, quoted, in text [size]; empty if there are none. */
pen_status pen_find_alike(pen_run *run, const char *const *names, int64_t count, char *text,
                          size_t size);

#endif
