/* choose_beta.h - chooses by cross-validation the weight of all rows in a blend of scatters. */
#ifndef PEN_CHOOSE_BETA_H
#define PEN_CHOOSE_BETA_H

#include "scatter/scatter.h"
#include "solve/ratio.h"

/* The values of the words auto of beta and same of beta_within. */
enum { PEN_BETA_AUTO = -1, PEN_BETA_SAME = -1 };

/* The parameters of SELF besides beta. */
typedef struct pen_share_rules {
    pen_class_affinity affinity;
    enum pen_total total;
    double ridge;
    double within; /* the weight of I in C; PEN_BETA_SAME: beta */
} pen_share_rules;

/* The weight of I in C. */
double pen_beta_within(double within, double beta);

/* If *beta is PEN_BETA_AUTO, chooses it: the weight of the total scatter S_t in SELF
 *
 *   B = (1 - beta) S_lb + beta S_t,  C = (1 - beta_within) S_lw + beta_within I,
 *
 * from 0.001, 0.25, 0.5, 0.75 and 1. It takes the largest whose errors exceed the fewest by at most
 * half a standard error. Errors are those of 1-NN among the other labelled rows over stratified
 * folds, in the requested number of weighted columns. Held-out rows stay as unlabelled ones, so
 * that S_t and local scaling are common to all folds. The number of folds is 10, or the number of
 * labelled rows in the largest class if that is smaller. With fewer than 6 folds there are more
 * runs, of 10 folds in total at most. With more than 1000 labelled rows, about 1000 take part. If
 * there are groups, they count instead of rows. If C is singular, all rows of the fold count as
 * errors. With fewer than three labelled rows in every class, or one class, beta is 0.75.
 * A beta is given up once it has more errors than the final choice can have, which does not change
 * the choice. Beta 1 is tried first if C = I then, since its B = S_t and C serve all folds.
 * Notes "beta", and traces the errors counted as "beta_errors". Cost: l n d + n d^2, and for each
 * fold the local scatters and, for each beta not given up, order d^3 and l d^2. Sugiyama, Ide,
 * Nakajima, Sese 2010: SELF(CV). */
pen_status pen_choose_beta(pen_run *run, const pen_problem *problem, const pen_share_rules *rules,
                           const pen_request *request, double *beta);

#endif
