/* trial_score.h - how a method scores in a trial. */
#ifndef PEN_TRIAL_SCORE_H
#define PEN_TRIAL_SCORE_H

#include "classifiers/predictions.h"
#include "eval/trials.h"
#include "methods/method.h"

/* The scores of a trial. */
typedef struct pen_trial_scores {
    double *accuracy; /* [dim_count] NaN where the method does not give that many dimensions */
    /* of the last number of dimensions; NULL if not wanted: */
    double *dropped; /* accuracy of the labels that the trial does not keep; NaN: not given */
    /* what the predictions of the held-out rows are worth, tempered by a given temperature, and as
     * they are where that is none or auto; no rows if not given. `bins` are the caller's, zeros, or
     * NULL */
    pen_predictions *answer;
    /* classes of the stability sample [stability_count] and of the held-out rows [hidden]; -1: not
     * given */
    int32_t *predicted, *told;
    int64_t *given; /* that number; 0: not given */
} pen_trial_scores;

/* A classifier of a fit, and what is wanted of it. */
typedef struct pen_trial_reading {
    pen_classifier_params classifier; /* nearest .. scores */
    int64_t dim_count;
    const int64_t *dims; /* [dim_count] ascending */
    pen_trial_scores scores;
    pen_error failure; /* of this classifier, or of the fits that it needs; code PEN_OK: none */
} pen_trial_reading;

/* The temperature at which answers of the first `done` trials are told: for `auto` the one that
 * suits their sum best; otherwise 0, for they are tempered by a given one, or not at all. */
double pen_trials_temperature(const pen_trial_set *trials, const pen_classifier_params *classifier,
                              int64_t done, const pen_predictions *sum);

/* Fit, and score with several classifiers of the same fits; that of the spec does not count. Nested
 * methods are fitted once. `control` is for the fits. A classifier that fails does not stop the
 * others: its failure is PEN_RANK_TOO_SMALL if the method gives none of its dimensions. Errors: of
 * the fit of a nested method; PEN_NO_MEMORY, PEN_CANCELLED and PEN_INTERNAL of any. */
pen_status pen_trial_read(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t count,
                          pen_trial_reading *readings, const pen_control *control);

#endif
