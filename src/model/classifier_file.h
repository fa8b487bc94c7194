/* classifier_file.h - the classifier of a model in its file, and what tells how typical rows are.
 * */
#ifndef PEN_CLASSIFIER_FILE_H
#define PEN_CLASSIFIER_FILE_H

#include "model/model.h"

/* Does the file say more of the classifier than that there is a bias? */
int pen_classifier_file_needed(const pen_model *model);

/* The classifier as a JSON object in a string of the metadata. */
void pen_classifier_file_add(pen_string *text, const pen_model *model);

/* Reads both back, after the metadata: files without `classifier` that have a bias score classes
 * with it. PEN_NEWER_FORMAT: the name of another classifier. */
pen_status pen_classifier_file_read(const pen_model_source *s, const pen_json *metadata,
                                    const pen_tensor t[TENSORS], pen_model *model);

#endif
