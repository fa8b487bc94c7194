/* trial_classifier.h - the classes of rows in a trial, by a classifier. */
#ifndef PEN_TRIAL_CLASSIFIER_H
#define PEN_TRIAL_CLASSIFIER_H

#include "classifiers/predictions.h"
#include "eval/trials/embedding.h"
#include "eval/trials/trials.h"
#include "model/spec.h"

/* The kind of a name, as the parameter `classifier` reads it. PEN_UNKNOWN_NAME. */
pen_status pen_trial_classifier_named(pen_run *run, const char *name, pen_classifier_params *to);

/* A classifier of an embedding in a trial. */
typedef struct pen_trial_classifier {
    const pen_trial *trial;
    const pen_embedding *embedding;
    int64_t r; /* dimensions that it reads */
    enum pen_classifier_kind kind;
    pen_classifier classifier; /* unless scores */
} pen_trial_classifier;

/* 1: the classifier looks at all rows, and not at those with labels alone. */
int pen_trial_classifier_needs_all(const pen_trial *c, const pen_classifier_params *params);

/* Fits the classifier to the first r dimensions of the embedding: with the labels that the trial
 * knows, on the rows that its fit has. PEN_BAD_ARGUMENT: scores, and there are none; or r is not
 * all dimensions. Errors of pen_classifier_fit. */
pen_status pen_trial_classifier_open(pen_run *run, const pen_trial *c, const pen_embedding *e,
                                     int64_t r, const pen_classifier_params *params,
                                     pen_trial_classifier *out);

/* p [count x classes of the data] and classes [count] of these rows of the data; not tempered. A
 * class without labels in the trial has p = 0. */
pen_status pen_trial_classifier_apply(pen_run *run, const pen_trial_classifier *classifier,
                                      int64_t count, const int64_t *rows, double *p,
                                      int32_t *classes);

/* Adds the held-out rows of a trial, by p [hidden x classes] and the classes that are predicted;
 * NULL: those of the largest p. */
pen_status pen_trial_answer(pen_run *run, const pen_trial *c, const double *p,
                            const int32_t *predicted, pen_predictions *to);

#endif
