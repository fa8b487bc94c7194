/* reading.h - how rows are read: a table tells it, a model remembers it, later files follow it. */
#ifndef PEN_READING_H
#define PEN_READING_H

#include "io/roles.h"

/* The options with what options->model remembers in place of those that are not given, in scratch
 * memory. PEN_BAD_ARGUMENT with PEN_HINT_MODEL: one is given that differs. */
pen_status pen_reading_recall(pen_run *run, const pen_read_options *given, pen_read_options *out);

/* Only what means unlabelled, of a file of labels. */
pen_status pen_reading_recall_marks(pen_run *run, const pen_read_options *given,
                                    pen_read_options *out);

/* Columns that were no values in the file of the fit are none again, where this file has them; the
 * columns that the options name have their roles. Errors: likewise, where others are dropped or
 * carried. */
pen_status pen_reading_columns(pen_run *run, const pen_read_options *options, pen_columns *all);

/* Is one of the names of such columns a name of this file? */
int pen_reading_names(const pen_model *model, int (*is_name)(const void *, const char *),
                      const void *context);

/* Sets table->reading, of a file that was read by these options. */
pen_status pen_reading_tell(pen_run *run, const pen_read_options *options, const pen_columns *all,
                            pen_table *table);

#endif
