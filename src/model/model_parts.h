/* model_parts.h - parts of a model in its file: the kernel, the row steps, the classifier and the
 * typical rows. Each is read if the file needs it, in this order. */
#ifndef PEN_MODEL_PARTS_H
#define PEN_MODEL_PARTS_H

#include "model/model.h"

/* Adds the kernel as a JSON object in a string of the metadata. */
void pen_kernel_file_add(pen_string *text, const pen_model_kernel_map *kernel);

/* PEN_NEWER_FORMAT: an unknown kernel. */
pen_status pen_kernel_file_read(const pen_model_source *s, const pen_json *metadata,
                                const pen_tensor t[TENSORS], pen_model *model);

/* The needs of a program that takes the steps of the model. */
int pen_row_file_needs(const pen_model *model);

/* Adds the steps in order, as a JSON list; and as metadata "row". */
void pen_row_file_list(pen_string *list, const pen_model *model);
void pen_row_file_add(pen_string *text, const pen_model *model);

/* Call it after reading `unit` and the kernel. */
pen_status pen_row_file_read(const pen_model_source *s, const pen_json *metadata,
                             const pen_tensor t[TENSORS], pen_model *model);

/* Does the classifier need more in the file than the bias? */
int pen_classifier_file_needed(const pen_model *model);

/* Adds the classifier as a JSON object in a string of the metadata. */
void pen_classifier_file_add(pen_string *text, const pen_model *model);

/* Call it after reading the metadata: a file without `classifier` but with a bias scores classes.
 * PEN_NEWER_FORMAT: an unknown classifier. */
pen_status pen_classifier_file_read(const pen_model_source *s, const pen_json *metadata,
                                    const pen_tensor t[TENSORS], pen_model *model);

#endif
