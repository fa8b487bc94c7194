/* trial_score.h - scores methods in trials: fits, and classifiers that share them. */
#ifndef PEN_TRIAL_SCORE_H
#define PEN_TRIAL_SCORE_H

#include "classifiers/predictions.h"
#include "eval/trials/trials.h"

/* A classifier of a fit in a trial: the request and the results. */
typedef struct pen_trial_reading {
    pen_classifier_params classifier; /* nearest .. scores */
    int64_t dim_count;                /* 0: no request */
    const int64_t *dims;              /* [dim_count] ascending; 0: the method's own number */
    int fewer;                        /* 1: accept fewer dimensions if the method gives no more */
    int with_answers;                 /* 1: `answer` is requested */
    double *accuracy; /* [dim_count] NaN: the method gives fewer dimensions; or NULL */
    /* for the last number of dimensions, NULL if not requested: probabilities of the held-out rows
     * [hidden x classes], and the classes of these rows [hidden] and of the stability sample
     * [stability_count]; -1: not given */
    double *p;
    int32_t *classes, *sampled;
    int64_t given;  /* the last number of dimensions; 0: not given */
    int succeeded;  /* 1: some number of dimensions works */
    double dropped; /* accuracy on labels that the trial does not keep; NaN: none */
    /* the quality of predictions of the held-out rows, tempered by a given temperature, or as they
     * are with none or auto; of_fit: of predictions by scores of the fit, if it has them. No rows
     * if not given. `bins` belong to the caller, zeros at first, or NULL */
    pen_predictions answer, of_fit;
    /* of this classifier or its fits; code PEN_OK: none; PEN_CANCELLED: not reached */
    pen_error failure;
    double seconds; /* for the fit and all its readings */
} pen_trial_reading;

/* A fit of several readings. */
typedef struct pen_trial_fit {
    const pen_spec *spec; /* its classifier is ignored */
    int64_t first, count; /* its readings in each trial */
} pen_trial_fit;

/* Fits in all trials. */
typedef struct pen_trial_table {
    const pen_trial_set *trials;
    int64_t fit_count, count;
    pen_trial_fit *fits;         /* [fit_count] */
    pen_trial_reading *readings; /* [trials x count] */
    int64_t held;                /* rows held out in all trials */
    int32_t *classes;            /* [count x held] of the readings, trial after trial; or NULL */
    double *p;                   /* [count x held x classes] in the same order, or NULL */
} pen_trial_table;

/* Requested results: answers; predictions of held-out rows and of the stability sample; bins. */
enum {
    PEN_WANT_ANSWERS = 1,
    PEN_WANT_CLASSES = 2,
    PEN_WANT_SHARES = 4,
    PEN_WANT_SAMPLED = 8,
    PEN_WANT_BINS = 16
};

/* A table of `count` empty readings for each trial, with room for accuracies in `most` numbers of
 * dimensions. */
pen_status pen_trial_table_open(pen_run *run, const pen_trial_set *trials, int64_t count,
                                int64_t most, unsigned wanted, pen_trial_table *out);

/* Sets the request of reading c in all trials. */
void pen_trial_table_ask(pen_trial_table *t, int64_t c, pen_classifier_params classifier,
                         int64_t dim_count, const int64_t *dims, int fewer);

/* Sets `spec` for the fits of readings first .. first + count - 1. */
void pen_trial_table_fit(pen_trial_table *t, const pen_spec *spec, int64_t first, int64_t count);

/* Makes the readings, trial after trial. PEN_CANCELLED: the caller requested a stop, and some are
 * missing. Other errors: those of pen_ends_call. */
pen_status pen_trials_try(pen_run *run, const char *phase, pen_trial_table *t);

/* The sum of reading c over all trials. */
pen_predictions pen_trials_sum(const pen_trial_table *t, int64_t c);

/* The fewest dimensions of reading c in any trial. */
int64_t pen_trials_least_given(const pen_trial_table *t, int64_t c);

/* The temperature for predictions: for `auto` the one that fits their sum best; otherwise 0,
 * because they are already tempered by a given temperature, or not at all. */
double pen_trials_temperature(const pen_trial_set *trials, const pen_classifier_params *classifier,
                              const pen_predictions *sum);

/* One trial of one fit: readings [count]. Nested methods are fitted once. `control` is for the
 * fits. A failed reading does not stop other readings: its failure is that of its fit or
 * classifier, or PEN_RANK_TOO_SMALL if the method gives none of its dimensions. Errors:
 * PEN_NO_LABELS if no row is held out; one of any reading that ends the call (pen_ends_call). */
pen_status pen_trial_read(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t count,
                          pen_trial_reading *readings, const pen_control *control);

#endif
