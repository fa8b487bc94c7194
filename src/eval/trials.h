/* trials.h - what one trial learns from and what it holds out, and how a method does in it. */
#ifndef PEN_TRIALS_H
#define PEN_TRIALS_H

#include "core/rows.h"

/* A protocol with nothing left to defaults, over data whose labels are all that may be known. */
typedef struct pen_trials {
    const pen_data *data;
    pen_protocol protocol;
    pen_rows classes;        /* members, starts */
    const int32_t *labels;   /* [n] of data, or shuffled */
    const int32_t *class_of; /* [n] 0 .. classes - 1, -1 */
    const int32_t *folds;    /* [runs x n] */
    int64_t count;           /* runs x folds */
    int64_t stability_count; /* 0 unless pen_trials_sample_for_stability was called */
    const int64_t *stability_rows;
} pen_trials;

/* PEN_NO_LABELS, PEN_BAD_ARGUMENT as pen_evaluate, and as pen_fit for the data. Arrays are in
 * scratch memory. */
pen_status pen_trials_open(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                           pen_trials *out);

/* Choose rows to be stability_count: of the unlabelled ones, `most` or all. */
pen_status pen_trials_sample_for_stability(pen_run *run, pen_trials *trials, int64_t most);

/* One trial. Rows are numbered as in the whole data. */
typedef struct pen_trial {
    const pen_trials *trials;
    int64_t run, fold;
    pen_data data;                  /* to learn from */
    pen_pair_sample pairs;          /* what data.sample points to, where it does */
    int64_t known, hidden, dropped; /* how many rows: labels known to the fit; held out; not kept */
    const int64_t *known_rows, *hidden_rows, *dropped_rows;
} pen_trial;

/* Trial t. Arrays are in scratch memory; `out` must not move, data points into it. */
pen_status pen_trial_open(pen_run *run, const pen_trials *trials, int64_t t, pen_trial *out);

/* How it went, in each of the numbers of dimensions: arrays [dim_count], or NULL where not wanted;
 * NaN where the method gives no such number. */
typedef struct pen_trial_scores {
    double *accuracy, *dropped, *normalized_rand, *adjusted_rand;
    /* [stability_count] or NULL: classes of the stability_count rows in the last of the numbers of
     * dimensions; -1 where that is not given */
    int32_t *predicted;
} pen_trial_scores;

/* Fit and count. dims as pen_evaluate, ascending, not NULL. Nested methods are fitted once.
 * `control` is for the fits. PEN_RANK_TOO_SMALL where no number of dimensions is given. */
pen_status pen_trial_score(pen_run *run, const pen_trial *c, const pen_spec *spec,
                           int64_t dim_count, const int64_t *dims, const pen_control *control,
                           const pen_trial_scores *scores);

#endif
