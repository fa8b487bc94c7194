/* saloe.h - what saloe.c and salwe.c share: their parameters, bound to pen_embedding, and their
 * defaults of common ones. */
#ifndef PEN_SALOE_H
#define PEN_SALOE_H

#include "methods/method.h"

extern const pen_param pen_saloe_params[], pen_saloe_common[];

#endif
