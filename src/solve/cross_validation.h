/* cross_validation.h - candidates for a projection that learns from labels or pairs, by labels and
 * pairs that are held out. Held-out rows stay, so that what all rows have in common is common to
 * all folds. */
#ifndef PEN_CROSS_VALIDATION_H
#define PEN_CROSS_VALIDATION_H

#include "problem/problem.h"
#include "solve/span.h"

/* Candidates in groups of the same size, `each`; number g each + i is candidate i of group g. */
typedef struct pen_candidates {
    int64_t groups, each;
    /* what the candidates of a group have in common, for `known`: the rows with the labels and
     * pairs of all folds but one. Its scratch memory lasts as long as the group */
    pen_status (*prepare)(void *context, pen_run *run, const pen_problem *known, int64_t group);
    /* the projection of candidate i of that group */
    pen_status (*fit)(void *context, pen_run *run, int64_t group, int64_t i,
                      const pen_request *request, pen_projection *out);
    void *context;
} pen_candidates;

/* What was held out says. */
typedef struct pen_held_out {
    int there;    /* 0: too little to hold out */
    double *loss; /* [groups x each] mean of the losses, in [0, 1] */
    double error; /* standard error of the least one */
} pen_held_out;

/* The losses of the candidates over 10 folds, which are two runs of 5, or more runs of fewer:
 *
 *   labels that imply all their pairs: folds of labelled rows, stratified; the share of these that
 *   1-NN by the other labelled rows classifies wrongly. At least three rows of a class, and two
 *   classes. Of more than 1000 about 1000 take part. Listed pairs of a held-out row are held out.
 *
 *   otherwise: folds of must-links and of cannot-links; 1 - the area under the ROC curve, the share
 *   of pairs of a held-out must-link and a held-out cannot-link (500 of each at most, evenly
 *   spread) of which the must-link is the longer one. At least two of each.
 *
 * Both in the dimensions requested; unless they are, the mean over the first 1, 2, .. 9. x has
 * pairs. The same bits for any number of threads. Cost: that of the fits, and for each of them
 * l^2 k for l labelled rows. */
pen_status pen_cross_validate(pen_run *run, const pen_problem *problem, const pen_request *request,
                              const pen_candidates *candidates, pen_held_out *out);

#endif
