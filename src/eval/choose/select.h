/* select.h - what to fit where no method is named. */
#ifndef PEN_SELECT_H
#define PEN_SELECT_H

#include "eval/choose/selection.h"

/* Choose by a spec of `auto`, as pen_fit does: for labels of two classes alone by trials of up to
 * eighteen pairs of projection and classifier (docs/evaluation.md#fit-without-method), on a sample
 * of at most 5000 rows times effort: labelled rows, and others drawn by what they contain. If no
 * class has three labels, or effort is 0, there are no trials, and the class scores of FME are the
 * only member. For labels with pairs by a comparison of all methods. For other data without trials:
 * wbdr for pairs of both kinds, ssdr for pairs of one kind, fme where pairs are sampled of classes
 * of one label each, and pca for rows alone, or labels of one class: the components with 95 % of
 * the variance, at most 50.
 * PEN_NO_LABELS, PEN_ONE_CLASS, PEN_BAD_ARGUMENT: an ensemble, or a classifier, of other data than
 * labels alone. Errors of pen_fit if every candidate fails. */
pen_status pen_select(const pen_spec *spec, const pen_data *data, const pen_control *control,
                      pen_selection **out, pen_error *err);

#endif
