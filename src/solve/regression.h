/* regression.h - ridge regression of class scores on rows, and the soft assignment of unlabelled
 * rows to classes by their scores. */
#ifndef PEN_REGRESSION_H
#define PEN_REGRESSION_H

#include "core/rows.h"
#include "solve/ratio.h"

/* PEN_RANK_TOO_SMALL: a column of W is zero. */
pen_status pen_scores_check(pen_run *run, const pen_projection *out);

/* Scores f_i = W'x_i + b of centered rows. */
typedef struct pen_scores_map {
    int64_t d, classes;
    double *W; /* [d x classes] */
    double *b; /* [classes] */
} pen_scores_map;

/* sum_labelled |f_i - e_y|^2 + sum_unlabelled sum_k p_ik^r |f_i - e_k|^2 + ridge |W|^2, minimized
 * alternately over the p_i >= 0, which sum to 1 per row, and over W and b. It starts
 * from the regression of the labelled rows. */
typedef struct pen_soft_labels {
    const pen_view *x;
    double exponent; /* r in [1, 2] */
    double ridge;
    pen_scores_map map;
    /* [n x classes] from the last iteration; labelled rows have 1 for their class */
    double *p;
    double *q;         /* [n x classes] p^r */
    double *scores;    /* [n x classes] f */
    double *parts;     /* sums over blocks of rows */
    int32_t *class_of; /* [n] -1: unlabelled */
} pen_soft_labels;

/* PEN_RANK_TOO_SMALL: all rows are equal up to rounding. PEN_SINGULAR_SCATTER: the scatter of the
 * rows that count, plus the ridge, is not positive definite beyond rounding. PEN_BAD_DATA: it
 * overflows, or vanishes. */
pen_status pen_soft_labels_open(pen_run *run, const pen_view *x, double exponent, double ridge,
                                pen_soft_labels *out);

/* Runs one iteration: p from the scores, then W and b, then the scores; sets *objective. A
 * pen_step_fn. */
pen_status pen_soft_labels_step(pen_run *run, void *soft, double *objective);

/* Returns the columns, the bias and p. Errors of pen_scores_check. */
pen_status pen_soft_labels_map(pen_run *run, const pen_soft_labels *soft, pen_projection *out);

#endif
