/* cell_value.h - what the text of a cell means. */
#ifndef PEN_CELL_VALUE_H
#define PEN_CELL_VALUE_H

#include "core/rows.h"
#include "io/table/strings.h"

/* Empty, ?, ., NA, NaN, N/A, #N/A, #NA, <NA> or NULL, ignoring case. */
int pen_is_missing(pen_text text);

/* Is the text a number with this decimal sign, '.' or ','? With ',' a point is no part of it. */
int pen_is_number(pen_text text, char decimal, double *value);

/* Is it a number with a decimal comma, as spreadsheets write in some languages? */
int pen_has_decimal_comma(pen_text cell);

/* Has a number separators between groups of three digits: 1.234,5? PERHAPS: 1,234 may also have
 * three decimals. */
enum pen_digit_groups { PEN_DIGIT_GROUPS_NONE, PEN_DIGIT_GROUPS_PERHAPS, PEN_DIGIT_GROUPS_SURE };
enum pen_digit_groups pen_digit_groups_of(pen_text text);

/* Also a number that is refused for its decimal comma or thousands separators. */
int pen_is_meant_as_number(pen_text text);

/* TRUE and yes, which are 1, or FALSE and no, which are 0, in any case. */
int pen_is_logical(pen_text text, double *value);

/* How cells are read as values. */
typedef struct pen_value_rules {
    char decimal; /* '.' or ',' */
    pen_missing missing;
    const char *const *na; /* [na_count] pen_read_options.na */
    int64_t na_count;
    const double *na_numbers; /* [na_number_count] those that are numbers */
    int64_t na_number_count;
    int mixed; /* there are numbers of the other decimal sign, too */
} pen_value_rules;

/* Scratch memory. */
pen_status pen_value_rules_open(pen_run *run, const pen_read_options *options, char decimal,
                                pen_value_rules *out);

/* pen_is_missing, or None, or one of those the caller names. */
int pen_is_missing_value(const pen_value_rules *rules, pen_text text);

/* NUMBER: also TRUE and yes, FALSE and no, which are 1 and 0. REFUSED: a number that is not finite,
 * or written in another way. */
enum pen_meaning { PEN_MEANS_NUMBER, PEN_MEANS_MISSING, PEN_MEANS_REFUSED, PEN_MEANS_WORD };

/* What a cell means; *value is the number, NaN if it is missing, or undefined. */
enum pen_meaning pen_meaning_of(const pen_value_rules *rules, pen_text cell, double *value);

/* The value of a cell: a finite number, or NaN for a missing value unless that is an error. The
 * message begins with file:line:column, both counted from 1. */
pen_status pen_value(pen_run *run, const char *name, int64_t line, int64_t column, pen_text cell,
                     const pen_value_rules *rules, double *value);

/* The error of pen_value, whose message ends with `more`; PEN_HINT_MISSING is one of the hints of a
 * missing value only. */
pen_status pen_value_refuse(pen_run *run, const char *name, int64_t line, int64_t column,
                            pen_text cell, const pen_value_rules *rules, const char *more,
                            int hints);

/* Is the text a whole number below 2^53 in magnitude? If so, *index is its value. */
int pen_is_index(pen_text text, int64_t *index);

/* The result of reading a whole number: not a number or not whole; *value; or too large to be
 * exact, which is more than 64 bits, or 53 bits for a float. */
enum pen_whole { PEN_NOT_WHOLE, PEN_WHOLE, PEN_TOO_LARGE };

/* Of a double; of a text, in which digits with an optional sign are exact, and any other number is
 * one of these. */
enum pen_whole pen_whole_of(double number, int64_t *value);
enum pen_whole pen_whole_of_text(pen_text text, int64_t *value);

#endif
