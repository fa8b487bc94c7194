/* number.h - numbers to and from text, independent of the locale. */
#ifndef PEN_NUMBER_H
#define PEN_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum { PEN_NUMBER_SIZE = 32 }; /* bytes for any number written here, with the final NUL */

/* Reads the number at the start of text[0 .. length), correctly rounded: an optional sign, digits
 * with an optional '.', an optional exponent; or inf, infinity, nan in any case. Returns its length
 * in bytes, 0 if there is no number. The text need not be NUL-terminated. */
size_t pen_number_read(const char *text, size_t length, double *value);

/* The same, but the number must be the whole text. Returns 0 or 1. */
int pen_number_is(const char *text, size_t length, double *value);

/* Least and greatest number of columns of spectra. */
enum { PEN_LEAST_SPECTRUM = 30, PEN_MOST_SPECTRUM = 20000 };

/* 1 if the names [count] (may be NULL) are numbers that only rise or only fall: `at` gets these
 * numbers, otherwise 0, 1, .. */
int pen_number_columns(const char *const *names, int64_t count, float *at);

/* Writes the shortest decimal text that reads back as the same double (or float), with '.', as in
 * JSON and CSV. Returns its length. */
size_t pen_number_write(double value, char text[PEN_NUMBER_SIZE]);
size_t pen_number_write_float(float value, char text[PEN_NUMBER_SIZE]);

#endif
