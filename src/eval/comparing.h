/* comparing.h - a comparison while it is made: what is planned, and what its passes have found. */
#ifndef PEN_COMPARING_H
#define PEN_COMPARING_H

#include "eval/comparison.h"
#include "eval/plan.h"
#include "eval/trial_score.h"

enum { PEN_COMPARED_CURVE = 9 };

/* What a pass has found, of candidate c in trial t at c x room + t. */
typedef struct pen_compared_pass {
    char *state;              /* [count x room] TASK_DONE, or not; 0 of others */
    pen_predictions *answers; /* [count x room] */
    int32_t *predicted;       /* [count x room x stability_count] */
    int32_t *told;            /* [count x starts[room]] */
    double *aside; /* [count x room] accuracy of labels that trials do not keep; or NULL */
} pen_compared_pass;

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
    double *curves;              /* [count x room x (dim_count + 1)] */
    pen_error *why;              /* [count x room] failures of classifiers in the last pass */
    int64_t *given;              /* [count x room] the method's own number of dimensions */
    double *seconds;             /* [fits x room] taken in the first pass */
    pen_compared_pass passes[2]; /* untuned, and tuned */
    int64_t *starts; /* [room + 1] trial t holds out rows starts[t] .. starts[t + 1] - 1 of all */
    char *is_tuned;  /* [count] 1: tuned, and no worse than the defaults */
    int64_t tuned;   /* the number of candidates tuned */
    int stopped;     /* the caller requested a stop before tuning began */
} pen_comparing;

/* ---- what a candidate is asked ---- */

/* Where candidate and trial are in the lists of a pass. */
int64_t pen_comparing_at(const pen_comparing *k, int64_t candidate, int64_t trial);

/* What the pass that counts says: tuned where `is_tuned`. */
const int32_t *pen_comparing_predicted(const pen_comparing *k, int64_t candidate, int64_t trial);
const int32_t *pen_comparing_told(const pen_comparing *k, int64_t candidate, int64_t trial);

/* Likewise, of the trials [trials->count], and the temperature at which they are told. */
const pen_predictions *pen_comparing_answers(const pen_comparing *k, int64_t candidate,
                                             double *temperature);

/* Accuracies in `dims`. */
double *pen_comparing_curve(const pen_comparing *k, int64_t candidate, int64_t trial);

/* What is wanted of a candidate in a trial, in all passes. */
pen_trial_reading pen_comparing_reading(const pen_comparing *k, int pass, int64_t candidate,
                                        int64_t trial);

/* pen_trial_read of these candidates [count] in a trial, whose `state` and `why` are set. */
pen_status pen_comparing_read(pen_run *run, const pen_comparing *k, int pass, const pen_trial *c,
                              const pen_spec *spec, int64_t count, const int64_t *candidates,
                              pen_trial_reading *readings, const pen_control *control);

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
