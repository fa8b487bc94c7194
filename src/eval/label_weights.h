/* label_weights.h - how much each labelled row counts where it is held out: labels given to a
 * biased sample of the rows.
 *
 * Sugiyama, Krauledat, Mueller: Covariate shift adaptation by importance weighted cross
 * validation. Journal of Machine Learning Research 8 (2007) 985-1005. */
#ifndef PEN_LABEL_WEIGHTS_H
#define PEN_LABEL_WEIGHTS_H

#include "core/rows.h"

/* The weights of trials from pen_protocol.weights: out [n] with mean 1 over the labelled rows of
 * `classes`, 0 for the others; *out is NULL, which is weight 1 for each, if `given` is NULL or all
 * labelled rows weigh the same. *effective: (sum of w)^2 / sum of w^2, the number of labelled rows
 * for equal weights. PEN_BAD_ARGUMENT: a weight of a labelled row is not a number above 0, or less
 * than 1e-12 of the largest. */
pen_status pen_weights_open(pen_run *run, const double *given, const pen_rows *classes,
                            const double **out, double *effective);

#endif
