/* categorical_file.h - the columns of a model that stand for words, in its file. */
#ifndef PEN_CATEGORICAL_FILE_H
#define PEN_CATEGORICAL_FILE_H

#include "core/textbuf.h"
#include "model/model_source.h"

/* Copies the list into the model. */
pen_status pen_model_keep_categorical(pen_run *run, const pen_categorical *list, int64_t count,
                                      pen_model *model);

/* The list as a JSON list in a string of the metadata. */
void pen_categorical_file_add(pen_string *text, const pen_model *model);

/* Reads it back. PEN_BAD_FORMAT: it does not fit the columns of the model. */
pen_status pen_categorical_file_read(const pen_model_source *s, const pen_json *metadata,
                                     pen_model *model);

#endif
