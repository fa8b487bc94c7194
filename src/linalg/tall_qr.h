/* tall_qr.h - orthonormal columns of tall matrices: many rows, few columns, all row-major.
 *
 * Rows are cut into pieces only by sizes, and sums are taken in the order of the pieces. */
#ifndef PEN_TALL_QR_H
#define PEN_TALL_QR_H

#include "core/rng.h"
#include "core/run.h"

/* Columns to append to orthonormal ones. */
typedef struct pen_tall {
    int64_t n, stride, m, c; /* m + c <= stride, n */
    double *Q;               /* [n x stride] whose first m columns are orthonormal */
    double *W;               /* [n x c] */
    /* a column with no more than this length outside the earlier columns adds nothing */
    double floor;
    pen_rng *rng;  /* draws replacements for columns that add nothing */
    double *H, *R; /* [m x c], [c x c]; or both NULL */
} pen_tall;

/* Replaces W by orthonormal columns W_new, orthogonal to the first m of Q, and appends them there:
 *
 *   W = Q H + W_new R
 *
 * Everything is done twice, with Cholesky factors of W'W, or column by column if columns are nearly
 * dependent. A random column replaces one that adds nothing, so there are always c. Cost: 8 n m c
 * flops; memory: 64 (m + c) c doubles. */
pen_status pen_tall_append(pen_run *run, const pen_tall *tall);

/* Replaces the first q columns of Q [n x stride] by those of Q S, S [m x q], and moves the c
 * columns after the first m to the place after them. Cost: 2 n m q flops; memory: 64 q doubles for
 * each thread. */
pen_status pen_tall_rotate(pen_run *run, int64_t n, int64_t stride, double *Q, int64_t m,
                           const double *S, int64_t q, int64_t c);

/* Uniform numbers in [-1, 1). */
void pen_tall_draw(pen_rng *rng, int64_t count, double *to);

#endif
