/* joined.h - models that predict by the mean of an ensemble, like those of a fit without METHOD. */
#ifndef JOINED_H
#define JOINED_H

#include "check.h"

/* The first model without its classifier, with copies of all models as its ensemble, or
 * copies of the remaining ones if the first has no classifier. */
pen_model *joined(const pen_model *const *models, int64_t count);

#endif
