/* kinds.h - refuses unsupported kinds of files. */
#ifndef PEN_KINDS_H
#define PEN_KINDS_H

#include "io/table/file_input.h"

/* PEN_BAD_FORMAT if the content is of an unsupported kind, such as zstd or HDF5: the message names
 * the kind and has the command to type. label_column: the caller's column, for that command; or
 * NULL. */
pen_status pen_refuse_kind(pen_run *run, const pen_input *input, const char *label_column);

/* The same for a folder of Cell Ranger. */
pen_status pen_refuse_folder(pen_run *run, const char *path);

/* PEN_BAD_FORMAT if the text, whose first line is number `line`, is not UTF-8: the message has the
 * command to type. */
pen_status pen_check_letters(pen_run *run, const pen_input *input, int64_t line);

/* Is it a zip archive whose first file is an array? */
int pen_is_npz(const pen_input *input);

#endif
