/* signs.h - fixes the arbitrary signs of columns. */
#ifndef PEN_SIGNS_H
#define PEN_SIGNS_H

#include "core/run.h"

/* signs [k] of columns of W [d x k]: 1 or -1, the sign of the first among the entries of largest
 * magnitude times deviation [d], or of largest magnitude if that is NULL, up to 1e-9 of it. Columns
 * with d = 0 entries or NaN have 0. */
pen_status pen_column_signs(pen_run *run, int64_t d, int64_t k, const double *W,
                            const double *deviation, double *signs);

/* Negates the columns of W [rows x k] whose sign is below 0. */
void pen_sign_columns(int64_t rows, int64_t k, const double *signs, double *W);

/* Negates columns of W [d x k] so that the signs of all are positive. */
pen_status pen_fix_signs(pen_run *run, int64_t d, int64_t k, const double *deviation, double *W);

#endif
