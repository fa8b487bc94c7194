/* row_file.h - the row steps of a model in its file. */
#ifndef PEN_ROW_FILE_H
#define PEN_ROW_FILE_H

#include "model/model.h"

/* What a program must know to take the steps of the model. */
int pen_row_file_needs(const pen_model *model);

/* The steps in order, as a JSON list; and as metadata "row". */
void pen_row_file_list(pen_string *list, const pen_model *model);
void pen_row_file_add(pen_string *text, const pen_model *model);

/* Reads them, if the file needs them, after `unit` and the kernel. */
pen_status pen_row_file_read(const pen_model_source *s, const pen_json *metadata,
                             const pen_tensor t[TENSORS], pen_model *model);

#endif
