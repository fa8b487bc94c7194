/* selection.h - what was tried where no method is named, and what was chosen. */
#ifndef PEN_SELECTION_H
#define PEN_SELECTION_H

#include "methods/auto.h"

/* What was tried: a projection and its classifier. */
typedef struct pen_chosen {
    char name[48];   /* the method, its kernel and its classifier: pca/lda, self+rbf/nearest */
    pen_spec *spec;  /* with the classifier and its temperature; NULL: of a comparison */
    double accuracy; /* over the held-out rows of all trials; NaN: not tried, or failed */
    double score;    /* accuracy - 0.001 brier: what decides */
    double brier, log_loss; /* of the probabilities; log_loss: of the tempered ones */
    double temperature;
    int member;        /* 1: part of the average; of a comparison: within the margin of the best */
    char failure[160]; /* why there is no score, or "" */
} pen_chosen;

/* Free with pen_selection_free (NULL is fine). */
typedef struct pen_selection {
    int64_t rows, labelled, classes; /* of the sample, on which everything is learned */
    int64_t *sample;                 /* [rows] its rows of the data, ascending; NULL: all */
    int64_t folds, runs;             /* 0: no trials */
    int64_t count;
    pen_chosen *candidates;  /* [count] */
    int64_t best;            /* the one taken: the highest score, the first of equal ones */
    double margin;           /* standard error of that score: members are within it of the best */
    double mean_temperature; /* of the mean of the members' tempered probabilities */
    double temperature;      /* of the classifier of the projection that is learned from it */
    /* what to expect of that: the accuracy on rows that trials held out from all that is learned,
     * and its error, PEN_HALF_WIDTH of which to either side hold the truth; NaN: no trials */
    double accuracy, error;
    double chance; /* the share of the largest class among the labels */
    /* how often labels that mean nothing are predicted as well by one of the candidates; NaN: no
     * trials. predicts: 0 if that is above 0.05, or 0.2 of few labels (docs/evaluation.md) */
    double p_value;
    int predicts;
    uint64_t seed;
    pen_spec *spec; /* the method that is fitted; NULL: a projection is learned from the members */
    char reason[160]; /* why, in a few words, where there are no trials; or "" */
} pen_selection;
void pen_selection_free(pen_selection *selection);

/* Adds `trials` to the info of a model: what was tried, and what to expect. */
pen_status pen_selection_tell(pen_run *run, const pen_selection *s, pen_model *model);

#endif
