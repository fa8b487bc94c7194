/* selection.h - trials and choice if no method is named. */
#ifndef PEN_SELECTION_H
#define PEN_SELECTION_H

#include "methods/auto.h"

/* A candidate: a projection and its classifier. */
typedef struct pen_chosen {
    char name[48];   /* the method, its kernel and its classifier: pca/lda, self+rbf/nearest */
    pen_spec *spec;  /* with classifier and temperature; NULL: from a comparison */
    double accuracy; /* over the held-out rows of all trials; NaN: not tried, or failed */
    double score;    /* accuracy - 0.001 brier, which decides */
    double brier, log_loss; /* of the probabilities; log_loss of tempered ones */
    double temperature;
    int member;        /* 1: part of the average; in a comparison: within the margin of the best */
    char failure[160]; /* the reason of a missing score, or "" */
} pen_chosen;

/* Free with pen_selection_free (NULL is fine). */
typedef struct pen_selection {
    int64_t rows, labelled, classes; /* of the sample to learn from */
    int64_t *sample;                 /* [rows] the sample, ascending; NULL: all rows */
    int64_t folds, runs;             /* 0: no trials */
    int64_t count;
    pen_chosen *candidates;  /* [count] */
    int64_t best;            /* the highest score, the first among ties */
    double margin;           /* standard error of the best score; members are within it */
    double mean_temperature; /* of the mean of the members' tempered probabilities */
    double temperature;      /* of the classifier of the learned projection */
    /* the expected accuracy, from rows that trials held out of all learning, and its error: the
     * truth is within PEN_HALF_WIDTH errors; NaN: no trials */
    double accuracy, error;
    double chance; /* the fraction of labels in the largest class */
    /* the probability that a candidate predicts meaningless labels as well; NaN: no trials.
     * predicts: 0 if it is above 0.05, or 0.2 for few labels (docs/evaluation.md) */
    double p_value;
    int predicts;
    uint64_t seed;
    pen_spec *spec;   /* the method to fit; NULL: learn a projection from the members */
    char reason[160]; /* the reason if there are no trials; or "" */
} pen_selection;
void pen_selection_free(pen_selection *selection);

/* Adds `trials` to the info of a model: the candidates and the expected accuracy. */
pen_status pen_selection_tell(pen_run *run, const pen_selection *s, pen_model *model);

#endif
