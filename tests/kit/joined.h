/* joined.h - models whose mean predicts, as an ensemble of a fit without METHOD has them. */
#ifndef JOINED_H
#define JOINED_H

#include "check.h"

/* The first model without its classifier, with copies of all as its members; where it has none, of
 * the others. */
pen_model *joined(const pen_model *const *models, int64_t count);

#endif
