/* trials.h - the data that a trial learns from, and the rows that it holds out. */
#ifndef PEN_TRIALS_H
#define PEN_TRIALS_H

#include "eval/trials/samples.h"

enum {
    PEN_DEFAULT_FOLDS = 5, /* if the largest class has as many rows */
    PEN_DEFAULT_RUNS = 2
};

/* The design of trials, as in pen_trials; all zero: the defaults. */
typedef struct pen_protocol {
    int64_t folds, runs;
    uint64_t seed;
    int inductive;
    pen_label_sample labels; /* all zero: all labels not held out; its seed is unused */
    int shuffle;
    const int32_t *fold_of;
} pen_protocol;

/* A protocol with resolved defaults, and its data. */
typedef struct pen_trial_set {
    const pen_data *data;
    pen_protocol protocol;
    pen_view classes;        /* only the classes */
    const int32_t *labels;   /* [n] of data, or shuffled */
    int32_t *class_of;       /* [n] 0 .. classes - 1, or -1 */
    const int64_t *order;    /* [n] order of rows for random draws: pen_data_order */
    const int32_t *folds;    /* [runs x n] */
    int64_t count;           /* runs x folds */
    const int64_t *held;     /* held-out rows, ascending in each trial */
    const int64_t *starts;   /* [count + 1] the start of each trial */
    int64_t stability_count; /* 0 unless pen_trials_sample_for_stability was called */
    const int64_t *stability_rows;
    /* 1, the default: held-out rows get class scores that the model predicts, if it does, and not
     * scores of the fit */
    int as_new;
} pen_trial_set;

/* Open the trials of a protocol (NULL: defaults). Arrays are in scratch memory.
 * PEN_NO_LABELS, PEN_BAD_ARGUMENT: as for pen_compare, and as for pen_fit for the data. */
pen_status pen_trials_open(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                           pen_trial_set *out);

/* The seed for dealing the folds of run `run`, from pen_protocol.seed `seed`. */
uint64_t pen_run_seed(uint64_t seed, int64_t run);

/* 1 if two classes have two labelled rows each: one of each can be held out. */
int pen_trials_possible(const pen_view *classes);

/* The number of rows in the smallest fit. */
int64_t pen_trials_fewest_rows(const pen_trial_set *trials);

/* The average fraction of the labelled rows that a trial holds out: 1 / folds, or less if given
 * folds never hold out some rows. */
double pen_trials_share(const pen_trial_set *trials);

/* The number of rows held out at least once in the first `done` trials. */
int64_t pen_trials_held_out(const pen_trial_set *trials, int64_t done);

/* Chooses the stability sample: `most` of the unlabelled rows, or all. */
pen_status pen_trials_sample_for_stability(pen_run *run, pen_trial_set *trials, int64_t most);

/* One trial. Lists of rows use the row numbers of the whole data. */
typedef struct pen_trial {
    const pen_trial_set *trials;
    int64_t run, fold;
    pen_data data; /* the data of the fit */
    /* the numbers of rows with known, held-out and unkept labels */
    int64_t known, hidden, dropped;
    const int64_t *known_rows, *hidden_rows, *dropped_rows;
    int64_t count;        /* rows of the fit */
    const int64_t *rows;  /* [count] their row numbers, ascending */
    int64_t present;      /* classes with known rows */
    const int64_t *place; /* [classes] the index of a class among them; -1: not present */
} pen_trial;

/* Opens trial t. Arrays are in scratch memory. */
pen_status pen_trial_open(pen_run *run, const pen_trial_set *trials, int64_t t, pen_trial *out);

#endif
