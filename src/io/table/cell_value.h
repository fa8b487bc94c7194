/* cell_value.h - the meaning of a cell's text. */
#ifndef PEN_CELL_VALUE_H
#define PEN_CELL_VALUE_H

#include "io/table/strings.h"

/* Empty, ?, ., NA, NaN, N/A, #N/A, #NA, <NA> or NULL, ignoring case. */
int pen_is_missing(pen_text text);

/* Is the text a number with this decimal sign, '.' or ','? With ',' it must not contain a point. */
int pen_is_number(pen_text text, char decimal, double *value);

/* Is it a number with a decimal comma, as in spreadsheets of some languages? */
int pen_has_decimal_comma(pen_text cell);

/* Has a number separators between groups of three digits: 1.234,5? PERHAPS: 1,234 may also have
 * three decimals. */
enum pen_digit_groups { PEN_DIGIT_GROUPS_NONE, PEN_DIGIT_GROUPS_PERHAPS, PEN_DIGIT_GROUPS_SURE };
enum pen_digit_groups pen_digit_groups_of(pen_text text);

/* Is it a number, even one refused for its decimal comma or thousands separators? */
int pen_is_meant_as_number(pen_text text);

/* Is it TRUE or yes (1), or FALSE or no (0), in upper or lower case? */
int pen_is_logical(pen_text text, double *value);

/* Rules for reading cells as values. */
typedef struct pen_value_rules {
    char decimal; /* '.' or ',' */
    pen_missing missing;
    const char *const *na; /* [na_count] pen_read_options.na */
    int64_t na_count;
    const double *na_numbers; /* [na_number_count] the numbers in na */
    int64_t na_number_count;
    int mixed; /* some numbers have the other decimal sign */
} pen_value_rules;

/* Uses scratch memory. */
pen_status pen_value_rules_open(pen_run *run, const pen_read_options *options, char decimal,
                                pen_value_rules *out);

/* pen_is_missing, or None, or a text of the caller. */
int pen_is_missing_value(const pen_value_rules *rules, pen_text text);

/* NUMBER includes TRUE and yes (1), FALSE and no (0). REFUSED: a number that is not finite or has
 * another notation. */
enum pen_meaning { PEN_MEANS_NUMBER, PEN_MEANS_MISSING, PEN_MEANS_REFUSED, PEN_MEANS_WORD };

/* The meaning of a cell; *value is the number, NaN if it is missing, otherwise undefined. */
enum pen_meaning pen_meaning_of(const pen_value_rules *rules, pen_text cell, double *value);

/* The value of a cell: a finite number, or NaN for a missing value unless that is an error. The
 * message begins with file:line:column, both counted from 1. */
pen_status pen_value(pen_run *run, const char *name, int64_t line, int64_t column, pen_text cell,
                     const pen_value_rules *rules, double *value);

/* Fails like pen_value, with `more` at the end of the message. PEN_HINT_MISSING is kept only for a
 * missing value. */
pen_status pen_value_refuse(pen_run *run, const char *name, int64_t line, int64_t column,
                            pen_text cell, const pen_value_rules *rules, const char *more,
                            int hints);

/* Is the text a whole number below 2^53 in magnitude? If so, *index is its value. */
int pen_is_index(pen_text text, int64_t *index);

/* The result of reading a whole number: not a whole number; *value; or too large to be exact, that
 * is, more than 64 bits, or 53 bits for a float. */
enum pen_whole { PEN_NOT_WHOLE, PEN_WHOLE, PEN_TOO_LARGE };

/* Reads a double, or a text. Digits with an optional sign are exact; other numbers in text are
 * doubles. */
enum pen_whole pen_whole_of(double number, int64_t *value);
enum pen_whole pen_whole_of_text(pen_text text, int64_t *value);

#endif
