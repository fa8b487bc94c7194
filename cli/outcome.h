/* outcome.h - the classes that a model predicts, next to the true ones: a section of a page. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "confusion.h"

#include <penumbra.h>

enum { OUTCOME_BINS = 10 };

/* Rows of known class, counted. */
typedef struct outcome {
    int64_t *counts; /* [classes x classes] true class by the one predicted */
    int64_t rows, right;
    calibration_bin bins[OUTCOME_BINS]; /* sums until they are written */
} outcome;

/* What a page says of a model's predictions. */
typedef struct outcomes {
    const pen_model *model;
    int classes;
    const char *const *names; /* [classes] */
    /* rows with a label, from which the model may have learned; those with a true class alone */
    outcome told, untold;
    int64_t rows, labelled; /* of DATA: those of the fit are likely the same if these are */
} outcomes;

/* Room for the counts. Returns 0 when there is no memory. Free with outcomes_free in any case. */
int outcomes_new(const pen_model *model, int classes, const char *const *names, outcomes *out);
void outcomes_free(outcomes *all);

/* Count a row of that true class; `share`: what the model gives the class it predicts. */
void outcomes_add(outcomes *all, int is_told, int true_class, int predicted, double share);

/* The section, of an `outcomes`. */
void outcomes_write(FILE *page, const void *all);

#endif
