/* cross_validation.h - candidates for a projection that learns from labels or pairs, by labels and
 * pairs that are held out. Held-out rows stay, so that what all rows have in common is common to
 * all folds. */
#ifndef PEN_CROSS_VALIDATION_H
#define PEN_CROSS_VALIDATION_H

#include "problem/problem.h"
#include "solve/span.h"

/* The projection of candidate i of `known`: the rows with the labels and pairs of all folds but
 * one. own: a run, whose notes are dropped. */
typedef pen_status (*pen_candidate_fn)(void *context, pen_run *own, const pen_problem *known,
                                       int64_t i, const pen_request *request, pen_projection *out);

/* What was held out says. */
typedef struct pen_held_out {
    int64_t count; /* independent labels or pairs; 0: too little to hold out */
    double *loss;  /* [candidates x dims] mean of the losses, in [0, 1] */
} pen_held_out;

/* The losses of the candidates in their first 1, 2, .. dims dimensions, or in all if they have
 * fewer, over 10 folds, which are two runs of 5, or more runs of fewer:
 *
 *   labels that imply all their pairs: folds of labelled rows, stratified; the share of these that
 *   1-NN by the other labelled rows classifies wrongly. At least three rows of a class, and two
 *   classes. Of more than 1000 about 1000 take part. Listed pairs of a held-out row are held out.
 *
 *   otherwise: folds of must-links and of cannot-links; 1 - the area under the ROC curve, the share
 *   of pairs of a held-out must-link and a held-out cannot-link (500 of each at most, evenly
 *   spread) of which the must-link is the longer one. At least two of each.
 *
 * Where a candidate cannot be fitted all losses are 1. x has pairs. The same bits for any number of
 * threads. Cost: that of the fits, and for each of them l^2 k for l labelled rows. */
pen_status pen_cross_validate(pen_run *run, const pen_problem *problem, const pen_request *request,
                              int64_t dims, int64_t candidates, pen_candidate_fn fit, void *context,
                              pen_held_out *out);

#endif
