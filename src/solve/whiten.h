/* whiten.h - the square root of the inverse of a scatter of few rows plus a multiple of the
 * identity, which is not stored. */
#ifndef PEN_WHITEN_H
#define PEN_WHITEN_H

#include "core/rows.h"
#include "linalg/sym.h"

/* C = a I + weight X'LX, L 0 outside of l rows. With L = FF', H = weight F'XX'F = U diag(s) U':
 *
 *   C^(-1/2) = a^(-1/2) (I + X'NX),  N = weight F U diag(((1 + s/a)^(-1/2) - 1) / s) U'F' */
typedef struct pen_whitening {
    pen_rows rows; /* the l rows, about their mean, which L makes no difference of */
    int64_t d;
    double identity;  /* a */
    double condition; /* number of C */
    double *N;        /* [l x l] */
} pen_whitening;

/* Is C of this kind? */
int pen_can_whiten(const pen_sym *C);

/* amount: of a ridge, amount tr(C)/d is added to a; *ridge is what was added. PEN_SINGULAR_SCATTER:
 * a is within the rounding error of C. Cost: l^2 d, or the products of sparse rows, and
 * eigenproblems of l x l; memory: 6 l^2 doubles. */
pen_status pen_whitening_open(pen_run *run, const pen_sym *C, double amount, pen_whitening *out,
                              double *ridge);

/* y = C^(-1/2) v, both [d x k]: a pen_apply_fn; `context` is a pen_whitening. Cost: two products
 * with the l rows. */
pen_status pen_whiten(pen_run *run, const void *context, int64_t k, const double *v, double *y);

#endif
