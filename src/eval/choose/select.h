/* select.h - chooses what to fit if no method is named. */
#ifndef PEN_SELECT_H
#define PEN_SELECT_H

#include "eval/choose/selection.h"

/* Chooses for a spec of `auto`, for pen_fit. Labels of two classes without pairs: trials of up to
 * eighteen pairs of projection and classifier (docs/evaluation.md#fit-without-method), on a sample
 * of at most 5000 rows times effort, with labelled rows first and others drawn by their content. If
 * no class has three labels, or effort is 0, there are no trials, and the class scores of FME are
 * the only member. Labels with pairs: a comparison of all methods. Other data, without trials: wbdr
 * for pairs of both kinds; ssdr for pairs of one kind; fme for pairs sampled from classes of one
 * label each; pca for rows alone, or labels of one class, with the components that have 95 % of the
 * variance, at most 50.
 * PEN_NO_LABELS, PEN_ONE_CLASS, PEN_BAD_ARGUMENT: an ensemble, or a classifier, for data other than
 * labels without pairs. Errors of pen_fit if every candidate fails. */
pen_status pen_select(const pen_spec *spec, const pen_data *data, const pen_control *control,
                      pen_selection **out, pen_error *err);

#endif
