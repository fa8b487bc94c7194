/* number.h - numbers as text, independent of the locale. */
#ifndef PEN_NUMBER_H
#define PEN_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum { PEN_NUMBER_SIZE = 32 }; /* bytes that any number written here fits in, with the final NUL */

/* The number at the start of text[0 .. length), correctly rounded: an optional sign, digits with an
 * optional '.', an optional exponent; or inf, infinity, nan in any case. Returns how many bytes it
 * takes, 0 if there is no number; text need not be terminated. */
size_t pen_number_read(const char *text, size_t length, double *value);

/* The same, but the number must be all of the text. Returns 0 or 1. */
int pen_number_is(const char *text, size_t length, double *value);

/* The shortest decimal text that reads back as the same double (or the same float), with '.', as
 * JSON and CSV have it. */
void pen_number_write(double value, char text[PEN_NUMBER_SIZE]);
void pen_number_write_float(float value, char text[PEN_NUMBER_SIZE]);

#endif
