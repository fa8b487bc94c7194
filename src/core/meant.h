/* meant.h - the names that a mistyped one may have meant. */
#ifndef PEN_MEANT_H
#define PEN_MEANT_H

#include <stddef.h>
#include <stdint.h>

/* Distances from here on are no typing errors. */
enum { PEN_FAR = 6, PEN_MEANT_SIZE = 120 };

/* How far `name` is from a known name: two for each letter that is missing, added or another, and
 * for two that are swapped; little if one of them begins the other, or a last part of the known
 * name is meant. Case does not matter, and '-' is '_'. */
int pen_name_distance(const char *name, const char *known, size_t known_length);

/* The nearest of the known names [count], or NULL: all are far. */
const char *pen_nearest(const char *name, const char *const *known, int64_t count);

/* "; did you mean NEAREST?", or "" if all are far. */
const char *pen_meant(const char *name, const char *const *known, int64_t count,
                      char text[PEN_MEANT_SIZE]);

#endif
