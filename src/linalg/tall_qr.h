/* tall_qr.h - orthonormal columns of tall matrices: many rows, few columns, all row-major.
 *
 * Rows are cut into pieces by the sizes alone, and sums are taken in the order of the pieces. */
#ifndef PEN_TALL_QR_H
#define PEN_TALL_QR_H

#include "core/rng.h"
#include "core/run.h"

/* Columns that are to be appended to orthonormal ones. */
typedef struct pen_tall {
    int64_t n, stride, m, c; /* m + c <= stride, n */
    double *Q;               /* [n x stride] whose first m columns are orthonormal */
    double *W;               /* [n x c] */
    /* a column of which no more than this length lies outside the columns before it adds none */
    double floor;
    pen_rng *rng;  /* draws others instead */
    double *H, *R; /* [m x c], [c x c]; or both NULL */
} pen_tall;

/* Replaces W by orthonormal columns W_new, orthogonal to the first m of Q, and appends them there:
 *
 *   W = Q H + W_new R
 *
 * Everything is done twice, with Cholesky factors of W'W; column by column where they nearly depend
 * on each other. A column that adds nothing is replaced by a random one, so there are always c.
 * Cost: 8 n m c flops; memory: 64 (m + c) c doubles. */
pen_status pen_tall_append(pen_run *run, const pen_tall *tall);

/* The first q of the m columns of Q S, S [m x q], replace the first q of Q [n x stride]; the c
 * columns after the first m move to the place after them. Cost: 2 n m q flops; memory: 64 q doubles
 * for each thread. */
pen_status pen_tall_rotate(pen_run *run, int64_t n, int64_t stride, double *Q, int64_t m,
                           const double *S, int64_t q, int64_t c);

/* Uniform numbers in [-1, 1). */
void pen_tall_draw(pen_rng *rng, int64_t count, double *to);

#endif
