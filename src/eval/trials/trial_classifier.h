/* trial_classifier.h - classifies rows in a trial. */
#ifndef PEN_TRIAL_CLASSIFIER_H
#define PEN_TRIAL_CLASSIFIER_H

#include "classifiers/predictions.h"
#include "eval/trials/embedding.h"
#include "eval/trials/trials.h"
#include "model/spec.h"

/* Reads the name of a classifier, like the parameter `classifier`. PEN_UNKNOWN_NAME. */
pen_status pen_trial_classifier_named(pen_run *run, const char *name, pen_classifier_params *to);

/* A classifier of an embedding in a trial. */
typedef struct pen_trial_classifier {
    const pen_trial *trial;
    const pen_embedding *embedding;
    int64_t r; /* dimensions that it uses */
    enum pen_classifier_kind kind;
    pen_classifier classifier; /* unused for scores */
} pen_trial_classifier;

/* 1 if the classifier needs all rows, not only labelled ones. */
int pen_trial_classifier_needs_all(const pen_trial *c, const pen_classifier_params *params);

/* Fits the classifier to the first r dimensions of the embedding, with the known labels of the
 * trial, on the rows of its fit. PEN_BAD_ARGUMENT: scores without class scores, or with r less than
 * all dimensions. Errors of pen_classifier_fit. */
pen_status pen_trial_classifier_open(pen_run *run, const pen_trial *c, const pen_embedding *e,
                                     int64_t r, const pen_classifier_params *params,
                                     pen_trial_classifier *out);

/* Sets p [count x classes of the data], not tempered, and classes [count] of these rows. A class
 * without labels in the trial has p = 0. */
pen_status pen_trial_classifier_apply(pen_run *run, const pen_trial_classifier *classifier,
                                      int64_t count, const int64_t *rows, double *p,
                                      int32_t *classes);

/* Adds the held-out rows of a trial, by p [hidden x classes] and their predicted classes; NULL: the
 * classes of largest p. */
pen_status pen_trial_answer(pen_run *run, const pen_trial *c, const double *p,
                            const int32_t *predicted, pen_predictions *to);

#endif
