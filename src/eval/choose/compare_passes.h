/* compare_passes.h - a comparison while it is made: what is planned, and what its passes have
 * found. */
#ifndef PEN_COMPARE_PASSES_H
#define PEN_COMPARE_PASSES_H

#include "eval/choose/budget.h"
#include "eval/choose/compare_result.h"
#include "eval/trials/trial_score.h"

enum { PEN_COMPARED_CURVE = 9 };

/* Candidate c is reading c of each; of PEN_CURVES, the accuracies in dimensions that were asked
 * for. */
enum { PEN_UNTUNED, PEN_TUNED, PEN_CURVES, PEN_PASSES };

typedef struct pen_comparing {
    pen_trial_set *trials;  /* whose count is at last that of the trials completed */
    pen_protocol inner;     /* with 0 folds: too few labels to tune */
    pen_compared_list list; /* fits, and the candidates that share them */
    pen_comparison *out; /* until the passes are done its candidates are in the order of the list */
    pen_share *shares;   /* [fits] with the number of combinations to try */
    int64_t *order;      /* [fits] the baseline, then methods, cheapest first; `listed` are tried */
    int64_t listed, dim_count;
    const int64_t *dims; /* [dim_count + 1] of the result, and the method's own */
    int asked;           /* 1: for these dimensions */
    double effort;
    pen_trial_table passes[PEN_PASSES];
    int stopped; /* the caller requested a stop */
} pen_comparing;

/* What the pass that counts has found: tuned where candidates are. */
const pen_trial_reading *pen_comparing_found(const pen_comparing *k, const pen_compared *e,
                                             int64_t trial);

/* The temperature at which that is predicted. */
double pen_comparing_temperature(const pen_comparing *k, const pen_compared *e);

/* The folds for tuning without the held-out rows: no more than the largest class then has rows in
 * any trial; 0: it has one. */
pen_status pen_comparing_inner_folds(pen_run *run, const pen_trial_set *trials, int64_t *folds);

/* Decides what is tried. */
pen_status pen_comparing_plan(pen_run *run, pen_comparing *k);

/* All candidates untuned. PEN_CANCELLED: no method completed a trial. */
pen_status pen_comparing_try_untuned(pen_run *run, pen_comparing *k);

/* Those that the plan has combinations for, tuned. PEN_BAD_DATA: no method works; of one alone its
 * error. */
pen_status pen_comparing_tune(pen_run *run, pen_comparing *k);

#endif
