/* arguments.h - checks of the arguments of public calls: required pointers, and data whose parts
 * agree. */
#ifndef PEN_ARGUMENTS_H
#define PEN_ARGUMENTS_H

#include "core/run.h"

/* PEN_BAD_ARGUMENT "NAME must not be NULL" if `argument` is NULL. */
pen_status pen_check_given(pen_run *run, const void *argument, const char *name);

/* `names` may be NULL, but none of its `count` entries. `what` is the name of the list in
 * messages. */
pen_status pen_check_names(pen_run *run, const char *const *names, int64_t count, const char *what);

/* Checks that the library can read the rows, and that every positive count has its list. Entries of
 * lists other than names are checked where they are read. PEN_BAD_ARGUMENT, PEN_BAD_DATA. */
pen_status pen_check_data(pen_run *run, const pen_data *data);

/* The same for trials and searches, which refuse a neighbor graph: PEN_BAD_ARGUMENT. */
pen_status pen_check_trial_data(pen_run *run, const pen_data *data);

#endif
