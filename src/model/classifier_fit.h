/* classifier_fit.h - the classifier of a fit: how its model tells the classes of rows. */
#ifndef PEN_CLASSIFIER_FIT_H
#define PEN_CLASSIFIER_FIT_H

#include "model/model.h"
#include "model/spec.h"

/* The classifier of the spec; auto: scores where the method predicts by them, else lda. */
enum pen_classifier_kind pen_classifier_of(const pen_spec *spec);

/* Predictions, and the shares of the rows of the fit, are tempered from now on. Not twice. */
void pen_model_temper(int64_t classes, double temperature, pen_model *model);

/* PEN_BAD_ARGUMENT: a parameter of classifiers that is not its default, and that of the spec does
 * not have; scores, and the method does not score classes. */
pen_status pen_classifier_params_check(pen_run *run, const pen_spec *spec);

/* Are its parameters those of a classifier there can be? `classifier auto` is none where fewer than
 * two classes are labelled, and the method does not score classes.
 * PEN_BAD_ARGUMENT: parameters that the classifier does not have; PEN_NO_LABELS, PEN_ONE_CLASS: a
 * classifier is named, and there is nothing to learn it from. */
pen_status pen_classifier_fit_check(pen_run *run, const pen_spec *spec, const pen_view *x);

/* Fits the classifier to the rows of the fit as the model embeds them, and keeps it in the model.
 * What was propagated is tempered as predictions are. PEN_BAD_ARGUMENT: scores, and the model has
 * none. Errors of pen_classifier_fit. Cost: that of the classifier, and the embedding of the
 * labelled rows, with a part of the others where lda counts them (docs/sampling.md), or of all rows
 * if the classifier needs them. */
pen_status pen_classifier_fit_open(pen_run *run, const pen_spec *spec, const pen_data *data,
                                   const pen_view *x, pen_model *model);

/* A copy of a classifier of the embedding, which the model takes; it has none before. */
pen_status pen_classifier_keep(pen_run *run, const pen_classifier *classifier, pen_model *model);

#endif
