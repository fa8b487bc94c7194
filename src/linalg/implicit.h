/* implicit.h - symmetric matrices that are not stored: sums of X'LX, X the centered rows, given by
 * their products. Scatters add to them as to others; code that needs their entries fails. */
#ifndef PEN_IMPLICIT_H
#define PEN_IMPLICIT_H

#include "linalg/sym.h"

/* S += weight X'LX; apply NULL: L = I. `context` must live as long as S, so the caller must keep
 * the scratch memory that holds it. */
pen_status pen_implicit_add(pen_run *run, const pen_view *x, double weight, pen_apply_fn apply,
                            const void *context, pen_sym *S);

/* The same for an L that is 0 outside of the rows known [count], which must live as long, and whose
 * rows and columns sum to 0. */
pen_status pen_implicit_add_part(pen_run *run, const pen_view *x, double weight, pen_apply_fn apply,
                                 const void *context, int64_t count, const int64_t *known,
                                 pen_sym *S);

/* S += weight X'FF'X, F [n x rank]. */
pen_status pen_implicit_add_factor(pen_run *run, const pen_view *x, double weight, int64_t rank,
                                   const double *factor, pen_sym *S);

/* y = S v, v and y [d x k]: a pen_apply_fn; `context` is a pen_sym that is not stored. Cost: two
 * products with the rows, and those of the terms. */
pen_status pen_implicit_apply(pen_run *run, const void *context, int64_t k, const double *v,
                              double *y);

#endif
