/* text_params.h - parameters whose value is a text: how it is read and written. */
#ifndef PEN_TEXT_PARAMS_H
#define PEN_TEXT_PARAMS_H

#include "core/params.h"
#include "core/rows.h"

/* Bound to pen_common: row steps, components, landmarks of a kernel, classifiers. */
extern const pen_text_form pen_row_steps_form, pen_pca_form, pen_landmarks_form,
    pen_classifier_form;

/* Of the space in which RSSDR reconstructs rows, bound to pen_reconstruction_rules
 * (scatter/scatter.h). */
extern const pen_text_form pen_space_form;

#endif
