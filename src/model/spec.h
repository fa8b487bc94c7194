/* spec.h - a method and the values of its parameters. */
#ifndef PEN_SPEC_H
#define PEN_SPEC_H

#include "methods/method.h"

struct pen_spec {
    const pen_method *method;
    pen_common common;
    void *own;    /* the method's struct */
    uint64_t set; /* bit i: parameter i of the method was set */
    /* [parameters] the values given to pen_spec_set_grid, separated by blanks, as pen_param_text
     * writes them, or NULL; NULL: none at all */
    char **grids;
};

/* Finds the parameter of that name, its index and the struct that stores it. PEN_UNKNOWN_NAME: the
 * message lists the parameters of the method. */
pen_status pen_spec_find(const pen_spec *spec, const char *name, const pen_param **param,
                         int64_t *index, void **record, pen_error *err);

/* The value of a parameter as a number: the index of a choice, or the number that a special word
 * stands for. PEN_UNKNOWN_NAME: the method has no such parameter. */
pen_status pen_spec_number(const pen_spec *spec, const char *name, double *value, pen_error *err);

/* 1 if the parameter was set; 0: it has its default, or does not exist. */
int pen_spec_is_set(const pen_spec *spec, const char *name);

enum { PEN_MOST_GRID_VALUES = 100 };

/* Gives a parameter values for tuning, which replace its grid (pen_param.grid) if it has one. See
 * pen_trials.grid. The current value of the spec is tried only if it is among them. The last call
 * counts; setting the parameter removes its values.
 * PEN_UNKNOWN_NAME: as for pen_spec_set. PEN_BAD_ARGUMENT: a value, as for pen_spec_set; a value
 * that occurs twice; no value; more than PEN_MOST_GRID_VALUES; `dim`. The old values stay. */
pen_status pen_spec_set_grid(pen_spec *spec, const char *name, const char *values, pen_error *err);

/* The values given by pen_spec_set_grid, separated by blanks; NULL: none. */
const char *pen_spec_given_grid(const pen_spec *spec, const char *name);

/* Is the value among those of a text, separated by blanks? */
int pen_grid_has(const char *text, const char *value);

/* Replaces the values of parameter `index` by a copy of `text`. PEN_NO_MEMORY. */
pen_status pen_spec_keep_grid(pen_spec *spec, int64_t index, const char *text, pen_error *err);

/* The struct that stores the value of a parameter: the method's own or the common one. */
const void *pen_spec_record(const pen_spec *spec, const pen_param *param);

/* Gives the spec this classifier. Its parameters get their defaults, except for the prior of class
 * scores. */
void pen_spec_read_by(pen_spec *spec, enum pen_classifier_kind kind);

#endif
