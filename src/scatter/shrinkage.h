/* shrinkage.h - how far to shrink a scatter of few rows toward a multiple of I. */
#ifndef PEN_SHRINKAGE_H
#define PEN_SHRINKAGE_H

#include "core/rows.h"
#include "linalg/sym.h"

/* Residuals e_i [count x d] about means, in doubles. */
typedef struct pen_residuals {
    int64_t count, d;
    int64_t groups; /* number of means */
    pen_fill_fn fill;
    const void *context;
} pen_residuals;

/* *rho in [0, 1]: the estimate of Ledoit and Wolf from l residuals e_i about the means of g groups,
 * in k = `columns` >= d coordinates (residuals are 0 in any that an exact reduction left out):
 *
 *   S = 1/l sum e_i e_i',  mu = tr S / k,  delta = |S|^2 - k mu^2,
 *   b = (1/l sum |e_i|^4 - |S|^2) / l,     rho = min(1, b / delta), 1 if delta <= 0
 *
 * (1 - rho) S + rho mu I has about the least expected squared error. rho is at least
 * 1 / (l - g + 1): residuals of equal length along one line, such as those of one pair, show no
 * variance of S, and b is 0. |S|^2: the sum of squared entries. C (may be NULL): a multiple of S,
 * or of the matrix of products e_i.e_j, which is then not recomputed.
 * Cost: l d flops, and without C l d min(l, d) more. Ledoit, Wolf 2004. */
pen_status pen_shrinkage(pen_run *run, const pen_residuals *e, int64_t columns, const pen_sym *C,
                         double *rho);

/* The same for the residuals of the labelled rows about their class means. */
pen_status pen_scatter_shrinkage(pen_run *run, const pen_view *x, int64_t columns, const pen_sym *C,
                                 double *rho);

#endif
