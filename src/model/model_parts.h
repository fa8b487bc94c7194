/* model_parts.h - parts of a model in its file: the kernel, the row steps, the classifier and what
 * tells how typical rows are. Each is read if the file needs it, in this order. */
#ifndef PEN_MODEL_PARTS_H
#define PEN_MODEL_PARTS_H

#include "model/model.h"

/* The kernel as a JSON object in a string of the metadata. */
void pen_kernel_file_add(pen_string *text, const pen_model_kernel_map *kernel);

/* PEN_NEWER_FORMAT: the name of another kernel. */
pen_status pen_kernel_file_read(const pen_model_source *s, const pen_json *metadata,
                                const pen_tensor t[TENSORS], pen_model *model);

/* What a program must know to take the steps of the model. */
int pen_row_file_needs(const pen_model *model);

/* The steps in order, as a JSON list; and as metadata "row". */
void pen_row_file_list(pen_string *list, const pen_model *model);
void pen_row_file_add(pen_string *text, const pen_model *model);

/* After `unit` and the kernel. */
pen_status pen_row_file_read(const pen_model_source *s, const pen_json *metadata,
                             const pen_tensor t[TENSORS], pen_model *model);

/* Does the file say more of the classifier than that there is a bias? */
int pen_classifier_file_needed(const pen_model *model);

/* The classifier as a JSON object in a string of the metadata. */
void pen_classifier_file_add(pen_string *text, const pen_model *model);

/* After the metadata: files without `classifier` that have a bias score classes with it.
 * PEN_NEWER_FORMAT: the name of another classifier. */
pen_status pen_classifier_file_read(const pen_model_source *s, const pen_json *metadata,
                                    const pen_tensor t[TENSORS], pen_model *model);

#endif
