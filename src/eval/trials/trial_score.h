/* trial_score.h - how methods score in trials: each fit, and the classifiers that read it. */
#ifndef PEN_TRIAL_SCORE_H
#define PEN_TRIAL_SCORE_H

#include "classifiers/predictions.h"
#include "eval/trials/trials.h"
#include "methods/method.h"

/* A classifier of a fit in a trial: what is wanted of it, and what it says. */
typedef struct pen_trial_reading {
    pen_classifier_params classifier; /* nearest .. scores */
    int64_t dim_count;                /* 0: nothing is wanted */
    const int64_t *dims; /* [dim_count] ascending; 0: the number that the method takes by itself */
    int fewer;           /* 1: of fewer dimensions where the method gives no more */
    int with_answers;    /* 1: answers are wanted */
    double *accuracy;    /* [dim_count] NaN: the method does not give that many; or NULL */
    /* of the last number of dimensions, NULL if not wanted: probabilities of the held-out rows
     * [hidden x classes], and the classes of these [hidden] and of the stability sample
     * [stability_count]; -1: not given */
    double *p;
    int32_t *classes, *sampled;
    int64_t given;  /* that number; 0: not given */
    int succeeded;  /* 1: in some number of dimensions */
    double dropped; /* accuracy of the labels that the trial does not keep; NaN: there are none */
    /* what predictions of the held-out rows are worth, tempered by a given temperature, and as they
     * are where that is none or auto; and those by the scores of rows of the fit, where it has
     * such. No rows if not given. `bins` are the caller's, zeros, or NULL */
    pen_predictions answer, of_fit;
    /* of this classifier, or of the fits that it needs; code PEN_OK: none; PEN_CANCELLED: it did
     * not come to that */
    pen_error failure;
    double seconds; /* of the fit and all that read it */
} pen_trial_reading;

/* A fit of several readings. */
typedef struct pen_trial_fit {
    const pen_spec *spec; /* whose classifier does not count */
    int64_t first, count; /* of its readings in each trial */
} pen_trial_fit;

/* Fits in all trials. */
typedef struct pen_trial_table {
    const pen_trial_set *trials;
    int64_t fit_count, count;
    pen_trial_fit *fits;         /* [fit_count] */
    pen_trial_reading *readings; /* [trials x count] */
    int64_t held;                /* rows held out in all trials */
    int32_t *classes; /* [count x held] those of the readings, trial after trial; or NULL */
    double *p;        /* [count x held x classes] likewise */
} pen_trial_table;

/* What readings have room for: answers; what they say of held-out rows and of the stability
 * sample; bins. */
enum {
    PEN_WANT_ANSWERS = 1,
    PEN_WANT_CLASSES = 2,
    PEN_WANT_SHARES = 4,
    PEN_WANT_SAMPLED = 8,
    PEN_WANT_BINS = 16
};

/* A table of `count` readings a trial, none of which has been made, with room for accuracies in
 * `most` numbers of dimensions. */
pen_status pen_trial_table_open(pen_run *run, const pen_trial_set *trials, int64_t count,
                                int64_t most, unsigned wanted, pen_trial_table *out);

/* What is asked of reading c, in all trials. */
void pen_trial_table_ask(pen_trial_table *t, int64_t c, pen_classifier_params classifier,
                         int64_t dim_count, const int64_t *dims, int fewer);

/* Readings first .. first + count - 1 are of fits of `spec`. */
void pen_trial_table_fit(pen_trial_table *t, const pen_spec *spec, int64_t first, int64_t count);

/* Make them, trial after trial. PEN_CANCELLED: the caller requested a stop, and some are not made.
 * PEN_NO_MEMORY and PEN_INTERNAL of any. */
pen_status pen_trials_try(pen_run *run, const char *phase, pen_trial_table *t);

/* What reading c says in all trials together. */
pen_predictions pen_trials_sum(const pen_trial_table *t, int64_t c);

/* The fewest dimensions that it had. */
int64_t pen_trials_least_given(const pen_trial_table *t, int64_t c);

/* The temperature at which such answers are told: for `auto` the one that suits their sum best;
 * otherwise 0, for they are tempered by a given one, or not at all. */
double pen_trials_temperature(const pen_trial_set *trials, const pen_classifier_params *classifier,
                              const pen_predictions *sum);

/* One trial of one fit: readings [count]. Nested methods are fitted once. `control` is for the
 * fits. What fails does not stop the others: the failure of a reading is that of its fit or its
 * classifier, or PEN_RANK_TOO_SMALL if the method gives none of its dimensions. Errors:
 * PEN_NO_LABELS if no row is held out; PEN_NO_MEMORY, PEN_CANCELLED and PEN_INTERNAL of any. */
pen_status pen_trial_read(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t count,
                          pen_trial_reading *readings, const pen_control *control);

#endif
