/* voting.h - models whose classifier is one of rows that vote with their probabilities. */
#ifndef VOTING_H
#define VOTING_H

#include "kit/check_fit.h"

/* The fit of a sample by `text`, which asks for no classifier, read by `neighbors` of its rows with
 * probabilities p [s->n x classes]; NULL: some that the numbers of the rows decide. */
pen_model *fit_voting(const char *text, const sample *s, const double *p, int64_t neighbors);

#endif
