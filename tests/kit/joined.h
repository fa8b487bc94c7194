/* joined.h - models whose mean predicts, as an ensemble of a fit without METHOD has them. */
#ifndef JOINED_H
#define JOINED_H

#include "check.h"

/* A copy of the first model, with copies of the others as its members. */
pen_model *joined(const pen_model *const *models, int64_t count);

#endif
