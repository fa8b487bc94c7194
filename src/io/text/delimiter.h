/* delimiter.h - the delimiter and the decimal sign of a text, from its first lines. */
#ifndef PEN_DELIMITER_H
#define PEN_DELIMITER_H

#include "io/text/cells.h"

/* The delimiter that fits the first lines best, and the decimal sign, '.' or ','. */
char pen_find_delimiter(pen_cursor at);
char pen_find_decimal(pen_cursor at);

#endif
