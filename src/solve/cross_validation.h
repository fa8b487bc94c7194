/* cross_validation.h - compares candidates for a projection from labels or pairs, by held-out
 * labels and pairs. Held-out rows stay in the fit, so that all folds share what depends on all
 * rows. */
#ifndef PEN_CROSS_VALIDATION_H
#define PEN_CROSS_VALIDATION_H

#include "problem/problem.h"
#include "solve/span.h"

/* Fits candidate i to `known`: the rows with the labels and pairs of all folds but one. own: a run
 * whose notes are discarded. */
typedef pen_status (*pen_candidate_fn)(void *context, pen_run *own, const pen_problem *known,
                                       int64_t i, const pen_request *request, pen_projection *out);

/* The result of cross-validation. */
typedef struct pen_held_out {
    int64_t count; /* independent labels or pairs; 0: too little to hold out */
    double *loss;  /* [candidates x dims] mean losses, in [0, 1] */
} pen_held_out;

/* The losses of the candidates in their first 1, 2, .. dims dimensions, or in all if they have
 * fewer, over at most 10 folds: two runs of 5, or more runs of fewer.
 *
 *   Labels that imply all pairs: stratified folds of labelled rows; the loss is the fraction that
 *   1-NN among the other labelled rows misclassifies. Needs at least 3 rows of a class, and 2
 *   classes. Of more than 1000 about 1000 take part. Pairs of a held-out row are also held out.
 *
 *   Otherwise: folds of must-links and of cannot-links; the loss is 1 - the area under the ROC
 *   curve, which is the fraction of combinations of a held-out must-link and cannot-link (at most
 *   500 of each, evenly spread) with the longer must-link. Needs at least two of each.
 *
 * In a fold where a candidate cannot be fitted, its losses are 1. x has pairs. The same bits for
 * any number of threads. Cost: that of the fits, and for each of them l^2 k for l labelled rows. */
pen_status pen_cross_validate(pen_run *run, const pen_problem *problem, const pen_request *request,
                              int64_t dims, int64_t candidates, pen_candidate_fn fit, void *context,
                              pen_held_out *out);

#endif
