/* arguments.h - what callers hand in: arguments that must be there, and data whose parts go
 * together. */
#ifndef PEN_ARGUMENTS_H
#define PEN_ARGUMENTS_H

#include "core/run.h"

/* PEN_BAD_ARGUMENT "NAME must not be NULL" unless the argument is there. */
pen_status pen_check_given(pen_run *run, const void *argument, const char *name);

/* A list of names that is there has none that is NULL. `what` is what the list is called. */
pen_status pen_check_names(pen_run *run, const char *const *names, int64_t count, const char *what);

/* Names of classes: count >= 0, and a name for each; none without a list. */
pen_status pen_check_class_names(pen_run *run, const char *const *names, int64_t count);

/* The data: rows the library can read, and lists that are there where something is said of how long
 * they are. What the lists hold is checked where it is read, but for names. PEN_BAD_ARGUMENT,
 * PEN_BAD_DATA. */
pen_status pen_check_data(pen_run *run, const pen_data *data);

#endif
