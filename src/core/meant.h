/* meant.h - suggestions for mistyped names. */
#ifndef PEN_MEANT_H
#define PEN_MEANT_H

#include <stddef.h>
#include <stdint.h>

/* Distances of PEN_FAR or more are not typing errors. */
enum { PEN_FAR = 6, PEN_MEANT_SIZE = 120 };

/* The distance from `name` to a known name: two for each letter that is missing, extra or wrong,
 * and for each two swapped letters; small if one name begins with the other, or `name` is close to
 * the last part of the known name. Case does not matter, and '-' is '_'. */
int pen_name_distance(const char *name, const char *known, size_t known_length);

/* The nearest known name [count]; NULL: all are far. */
const char *pen_nearest(const char *name, const char *const *known, int64_t count);

/* "; did you mean NEAREST?", or "" if all are far. */
const char *pen_meant(const char *name, const char *const *known, int64_t count,
                      char text[PEN_MEANT_SIZE]);

#endif
