/* classifier_fit.h - the classifier of a fit, by which its model predicts classes. */
#ifndef PEN_CLASSIFIER_FIT_H
#define PEN_CLASSIFIER_FIT_H

#include "model/model.h"
#include "model/spec.h"

/* The classifier of the spec; auto: scores if the method predicts by them, otherwise lda. */
enum pen_classifier_kind pen_classifier_of(const pen_spec *spec);

/* Sets the temperature of predictions and of the probabilities of the fitted rows. Call it once. */
void pen_model_temper(int64_t classes, double temperature, pen_model *model);

/* PEN_BAD_ARGUMENT: a parameter that differs from its default and does not apply to the classifier
 * of the spec; classifier scores for a method without class scores. */
pen_status pen_classifier_params_check(pen_run *run, const pen_spec *spec);

/* Checks the parameters of the classifier. `classifier auto` means none if fewer than two classes
 * are labelled and the method does not score classes. PEN_BAD_ARGUMENT: parameters that the
 * classifier does not have; PEN_NO_LABELS, PEN_ONE_CLASS: a named classifier has nothing to learn
 * from. */
pen_status pen_classifier_fit_check(pen_run *run, const pen_spec *spec, const pen_view *x);

/* Fits the classifier to the rows of the fit as the model embeds them, and keeps it in the model.
 * Propagated probabilities are tempered like predictions. PEN_BAD_ARGUMENT: scores, and the model
 * has none. Errors of pen_classifier_fit. Cost: that of the classifier, and the embedding of the
 * labelled rows, with a part of the unlabelled ones where lda counts them (docs/sampling.md), or of
 * all rows if the classifier needs them. */
pen_status pen_classifier_fit_open(pen_run *run, const pen_spec *spec, const pen_data *data,
                                   const pen_view *x, pen_model *model);

/* Copies a classifier of the embedding into the model, which has none yet. */
pen_status pen_classifier_keep(pen_run *run, const pen_classifier *classifier, pen_model *model);

#endif
