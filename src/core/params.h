/* params.h - tables of parameters, and functions that read and write their values.
 *
 * Each method has a struct of parameters: double for a real, int64_t for an integer,
 * an enum (of int size) for a choice, int for a flag. A row of its table binds a name to a member
 * of that struct. */
#ifndef PEN_PARAMS_H
#define PEN_PARAMS_H

#include "core/run.h"

#include <math.h>

/* A row for the member `field`, followed by the nonzero members of pen_param. */
#define PEN_ROW(record, field, name_, type_, ...)                                                  \
    {                                                                                              \
        .name = name_, .type = type_, .offset = offsetof(record, field), __VA_ARGS__               \
    }
#define PEN_REAL(record, field, initial_, min_, max_, help_)                                       \
    PEN_TUNED_REAL(record, field, initial_, min_, max_, NULL, help_)
#define PEN_TUNED_REAL(record, field, initial_, min_, max_, grid_, help_)                          \
    PEN_ROW(record, field, #field, PEN_PARAM_REAL, .initial = (initial_), .min = (min_),           \
            .max = (max_), .grid = (grid_), .help = (help_))
#define PEN_INT(record, field, initial_, min_, max_, help_)                                        \
    PEN_TUNED_INT(record, field, initial_, min_, max_, NULL, help_)
#define PEN_TUNED_INT(record, field, initial_, min_, max_, grid_, help_)                           \
    PEN_ROW(record, field, #field, PEN_PARAM_INT, .initial = (initial_), .min = (min_),            \
            .max = (max_), .grid = (grid_), .help = (help_))
#define PEN_POSITIVE(record, field, initial_, max_, words_, help_)                                 \
    PEN_TUNED_POSITIVE(record, field, initial_, max_, words_, NULL, help_)
#define PEN_TUNED_POSITIVE(record, field, initial_, max_, words_, grid_, help_)                    \
    PEN_ROW(record, field, #field, PEN_PARAM_REAL, .initial = (initial_), .open = PEN_OPEN_MIN,    \
            .max = (max_), .words = (words_), .grid = (grid_), .help = (help_))
#define PEN_BELOW(record, field, initial_, max_, help_)                                            \
    PEN_ROW(record, field, #field, PEN_PARAM_REAL, .initial = (initial_), .open = PEN_OPEN_MAX,    \
            .max = (max_), .help = (help_))
#define PEN_CHOICE(record, field, names_, initial_, help_)                                         \
    PEN_TUNED_CHOICE(record, field, names_, initial_, NULL, help_)
#define PEN_TUNED_CHOICE(record, field, names_, initial_, grid_, help_)                            \
    PEN_ROW(record, field, #field, PEN_PARAM_CHOICE, .initial = (initial_), .choices = (names_),   \
            .grid = (grid_), .help = (help_))
#define PEN_FLAG(record, field, help_)    PEN_FLAG_AT(record, field, 0, help_)
#define PEN_FLAG_ON(record, field, help_) PEN_FLAG_AT(record, field, 1, help_)
#define PEN_FLAG_AT(record, field, initial_, help_)                                                \
    PEN_ROW(record, field, #field, PEN_PARAM_FLAG, .initial = (initial_), .max = 1, .help = (help_))
#define PEN_PARAMS_END                                                                             \
    {                                                                                              \
        .name = NULL                                                                               \
    }

#define PEN_NO_LIMIT ((double)INFINITY)

/* Room for the text of any value. */
enum { PEN_PARAM_SIZE = 128 };

/* A PEN_PARAM_TEXT is made of other parameters, bound to the struct at its offset. A list joins the
 * parameters that differ from their defaults, in this order, by commas: NAME for a flag and
 * NAME:VALUE for others. Without a list, the text is HEAD:TAIL, the values of the first two
 * parameters; HEAD if the tail is the default; or TAIL if the head is "". Without parts, `read`
 * takes the text (returns 0 for invalid texts) and `write` gives it. */
typedef struct pen_text_form {
    const pen_param *parts;
    int list;
    int (*takes)(double head); /* may a tail follow this head? NULL: always */
    int (*read)(const char *text, void *record);
    void (*write)(const void *record, char text[PEN_PARAM_SIZE]);
} pen_text_form;

/* 1 if the names are equal; '-' and '_' are equal. */
int pen_name_equal(const char *a, const char *b);

/* The row with this name, or NULL. */
const pen_param *pen_param_find(const pen_param *table, const char *name);

/* Sets all parameters to their defaults: the common ones in `common`, the method's own in `own`. */
void pen_params_reset(const pen_param *table, void *own, void *common);

/* The value of a number, a choice or a flag; for a text its number, or NaN. */
double pen_param_get(const pen_param *param, const void *record);

/* The value of any parameter as text [PEN_PARAM_SIZE]. */
void pen_param_write(const pen_param *param, const void *record, char *text);

/* The same for the struct that a text is bound to. */
void pen_text_write(const pen_text_form *form, const void *record, char *text);

/* Reads a text into the struct that it is bound to. PEN_BAD_ARGUMENT, PEN_UNKNOWN_NAME: the message
 * lists the valid forms, and the struct keeps its value. */
pen_status pen_text_read(const pen_param *param, void *record, const char *text, pen_error *err);

/* Is it the default value? */
int pen_param_is_usual(const pen_param *param, const void *record);

/* Sets a member to a number in its range; values of words must also be in the range.
 * PEN_BAD_ARGUMENT names the parameter, its range and the value received; the member then keeps its
 * value. */
pen_status pen_param_set(const pen_param *param, void *record, double value, pen_error *err);

/* The same from text, which may be a word. PEN_UNKNOWN_NAME: no such choice; the message lists the
 * choices. */
pen_status pen_param_read(const pen_param *param, void *record, const char *text, pen_error *err);

/* Format a value as pen_param_read reads it, into `text` of `size` bytes (32 are enough). */
void pen_param_text(const pen_param *param, double value, char *text, size_t size);

#endif
