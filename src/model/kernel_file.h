/* kernel_file.h - the kernel of a model in its file. */
#ifndef PEN_KERNEL_FILE_H
#define PEN_KERNEL_FILE_H

#include "model/model.h"

/* The kernel as a JSON object in a string of the metadata. */
void pen_kernel_file_add(pen_string *text, const pen_model_kernel_map *kernel);

/* Reads it back, if the file needs one. PEN_NEWER_FORMAT: the name of another kernel. */
pen_status pen_kernel_file_read(const pen_model_source *s, const pen_json *metadata,
                                const pen_tensor t[TENSORS], pen_model *model);

#endif
