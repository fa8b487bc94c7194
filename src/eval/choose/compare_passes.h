/* compare_passes.h - the state of a comparison: its plan, and the results of its passes. */
#ifndef PEN_COMPARE_PASSES_H
#define PEN_COMPARE_PASSES_H

#include "eval/choose/budget.h"
#include "eval/choose/compare_result.h"
#include "eval/trials/trial_score.h"

enum { PEN_COMPARED_CURVE = 9 };

/* Candidate c is reading c of each pass; PEN_CURVES has accuracies in the requested dimensions. */
enum { PEN_UNTUNED, PEN_TUNED, PEN_CURVES, PEN_PASSES };

typedef struct pen_comparing {
    pen_trial_set *trials;  /* its count becomes the number of completed trials */
    pen_protocol inner;     /* 0 folds: too few labels to tune */
    pen_compared_list list; /* fits and their candidates */
    pen_comparison *out;    /* its candidates are in list order until the passes end */
    pen_share *shares;      /* [fits] with the number of combinations to try */
    int64_t *order;         /* [fits] baseline, then methods, cheapest first; `listed` are tried */
    int64_t listed, dim_count;
    const int64_t *dims; /* [dim_count + 1] requested, then the method's own */
    int asked;           /* 1: dimensions were requested */
    double effort;
    pen_trial_table passes[PEN_PASSES];
    int stopped; /* the caller requested a stop */
} pen_comparing;

/* The results of the pass that counts: tuned, if the candidate is. */
const pen_trial_reading *pen_comparing_found(const pen_comparing *k, const pen_compared *e,
                                             int64_t trial);

/* The temperature of its predictions. */
double pen_comparing_temperature(const pen_comparing *k, const pen_compared *e);

/* The folds for tuning without the held-out rows: at most the number of rows that the largest class
 * keeps in every trial; 0: only one row. */
pen_status pen_comparing_inner_folds(pen_run *run, const pen_trial_set *trials, int64_t *folds);

/* Makes the plan. */
pen_status pen_comparing_plan(pen_run *run, pen_comparing *k);

/* Tries all candidates untuned. PEN_CANCELLED: no method completed a trial. */
pen_status pen_comparing_try_untuned(pen_run *run, pen_comparing *k);

/* Tunes the candidates that have planned combinations. PEN_BAD_DATA: no method works; a single
 * method gives its own error. */
pen_status pen_comparing_tune(pen_run *run, pen_comparing *k);

/* Sets the picture of a ranked result by repeating the first trial with the recommended spec. It
 * stays NULL if that fails, with fewer than 4 rows, or if the caller requests a stop.
 * Errors: those of pen_ends_call. Cost: a trial, and eval/measures/class_picture.h for at most 5000
 * rows. */
pen_status pen_comparing_draw(pen_run *run, pen_comparing *k);

#endif
