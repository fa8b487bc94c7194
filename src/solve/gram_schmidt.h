/* gram_schmidt.h - orthonormal columns from directions that are given in order. */
#ifndef PEN_GRAM_SCHMIDT_H
#define PEN_GRAM_SCHMIDT_H

#include "solve/ratio.h"

/* Directions, not necessarily orthogonal or of unit length. */
typedef struct pen_directions {
    int64_t count;
    const double *rows; /* [count x d] */
} pen_directions;

/* Finds columns W, W'W = I: what each direction of `first`, then of `then`, adds to those before
 * it. A direction that adds nothing gives no column. No eigenvalues. Errors of pen_solve_enough.
 * Cost: 4 (number of directions) k d flops. */
pen_status pen_solve_gram_schmidt(pen_run *run, int64_t d, const pen_directions *first,
                                  const pen_directions *then, const pen_request *request,
                                  pen_projection *out);

#endif
