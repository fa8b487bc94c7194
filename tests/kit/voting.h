/* voting.h - models whose classifier stores rows that vote with their probabilities. */
#ifndef VOTING_H
#define VOTING_H

#include "kit/check_fit.h"

/* The fit of a sample by `text`, without a classifier, combined with votes of `neighbors` of its
 * rows with probabilities p [s->n x classes]. NULL: derived from row numbers. */
pen_model *fit_voting(const char *text, const sample *s, const double *p, int64_t neighbors);

#endif
