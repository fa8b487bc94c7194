/* select.h - what to fit where no method is named, and the fit of that. */
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

/* Fit what was selected by this spec. A projection is learned from what the mean of the members
 * says of all rows of the sample: first the directions of the classes, then what is left within
 * classes, as many as agree best with that mean on rows left out (docs/evaluation.md). Its
 * classifier, `neighbors`, are the rows of the sample, which vote with their probabilities; another
 * classifier learns from the labels and from the classes that the members give the other rows. The
 * rows of a sample have the probabilities of the members, others those that the model predicts. The
 * model's info says what was tried.
 * PEN_RANK_TOO_SMALL: dim is above the rank. Errors of pen_fit. Cost: a fit of each member to the
 * sample, and a pass over all rows. */
pen_status pen_fit_selected(const pen_selection *selection, const pen_spec *spec,
                            const pen_data *data, const pen_control *control, pen_model **out,
                            pen_error *err);

#endif
