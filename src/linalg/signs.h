/* signs.h - signs of columns that have none of their own. */
#ifndef PEN_SIGNS_H
#define PEN_SIGNS_H

#include "core/run.h"

/* Negates columns of W [d x k] so that in each the first of the entries of largest magnitude, up to
 * 1e-9 of it, is positive. */
pen_status pen_fix_signs(pen_run *run, int64_t d, int64_t k, double *W);

#endif
