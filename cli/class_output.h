/* class_output.h - the classes of rows with their scores, written by transform, predict and
 * fit. */
#ifndef CLASS_OUTPUT_H
#define CLASS_OUTPUT_H

#include "args.h"

typedef struct classes {
    int64_t n, count;
    int32_t *of_row; /* [n] */
    int32_t *given;  /* [n] 1: the row was labelled; NULL: not wanted */
    double *scores;  /* [n x count] */
} classes;

/* Check the name of the file that `flag` gives, if it was given. */
int classes_check(const cli_args *args, const char *flag);

/* Room for n rows. Returns CLI_OK or the exit status, with the error printed. Free with
 * classes_free in any case. */
int classes_new(const cli_args *args, int64_t n, int64_t count, int with_given, classes *out);
void classes_free(classes *all);

/* Write them with the names that the model has for its classes. */
pen_status classes_write(const char *path, const classes *all, const pen_model *model,
                         const char *const *row_names, pen_error *err);

/* The same for predictions, the class with its probability, and with all of them if wanted. */
pen_status classes_write_predictions(const char *path, const classes *all, int with_all,
                                     const pen_model *model, const char *const *row_names,
                                     pen_error *err);

/* The names of the classes of a model, or NULL: out of memory. free() the list. */
const char **classes_names(const pen_model *model);

#endif
