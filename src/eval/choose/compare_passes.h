/* compare_passes.h - a comparison while it is made: what is planned, and what its passes have
 * found. */
#ifndef PEN_COMPARE_PASSES_H
#define PEN_COMPARE_PASSES_H

#include "eval/choose/compare_result.h"
#include "eval/choose/budget.h"
#include "eval/trials/trial_score.h"

enum { PEN_COMPARED_CURVE = 9 };

typedef struct pen_comparing {
    pen_trial_set *trials;
    int64_t room; /* the number of trials planned; trials->count is the number completed */
    const pen_protocol *inner; /* with 0 folds: too few labels to tune */
    pen_compared_list list;    /* fits, and the candidates that share them */
    int64_t count;             /* list.count */
    pen_compared *candidates;  /* [count] */
    char *is_tried;            /* [count] 0: it costs too much */
    pen_share *shares;         /* [fits] with the number of combinations to try */
    int64_t *order; /* [fits] the baseline, then methods, cheapest first; `listed` are tried */
    int64_t listed, dim_count;
    int64_t *dims; /* [dim_count + 1] the last is the method's own */
    int asked;     /* 1: for these dimensions */
    double effort;
    double *curves; /* [count x room x (dim_count + 1)] */
    /* untuned, and tuned: candidate c is reading c. Of the first, where dimensions were asked for,
     * reading count + c has the accuracies in these */
    pen_trial_table passes[2];
    int64_t *starts; /* [room + 1] trial t holds out rows starts[t] .. starts[t + 1] - 1 of all */
    char *is_tuned;  /* [count] 1: tuned, and no worse than the defaults */
    int64_t tuned;   /* the number of candidates tuned */
    int stopped;     /* the caller requested a stop before tuning began */
} pen_comparing;

/* ---- what a candidate is asked ---- */

/* Of a pass, 0 or 1; and of the pass that counts: tuned where `is_tuned`. Classes of the held-out
 * rows follow those of the trial before. */
pen_trial_reading *pen_comparing_reading(const pen_comparing *k, int pass, int64_t candidate,
                                         int64_t trial);
const pen_trial_reading *pen_comparing_found(const pen_comparing *k, int64_t candidate,
                                             int64_t trial);

/* The temperature at which the pass that counts is told. */
double pen_comparing_temperature(const pen_comparing *k, int64_t candidate);

/* Accuracies in `dims`. */
double *pen_comparing_curve(const pen_comparing *k, int64_t candidate, int64_t trial);

/* ---- what is tried (compared_plan.c) ---- */

/* The folds for tuning without the held-out rows: no more than the largest class then has rows in
 * any trial; 0: it has one. */
pen_status pen_comparing_inner_folds(pen_run *run, const pen_trial_set *trials, int64_t *folds);

/* Decide what is tried. */
pen_status pen_comparing_plan(pen_run *run, pen_comparing *k, pen_comparison *out);

/* ---- the two passes (compared_first.c, compared_tuned.c) ---- */

/* The lists of what the passes find, after the plan. */
pen_status pen_comparing_open(pen_run *run, pen_comparing *k);

/* All candidates untuned. PEN_CANCELLED: no method completed a trial. */
pen_status pen_comparing_try_untuned(pen_run *run, pen_comparing *k);

/* Those that the plan has combinations for, tuned. PEN_BAD_DATA: no method works; of one alone its
 * error. */
pen_status pen_comparing_tune(pen_run *run, pen_comparing *k);

#endif
