/* gram_schmidt.h - orthonormal columns from an ordered list of directions. */
#ifndef PEN_GRAM_SCHMIDT_H
#define PEN_GRAM_SCHMIDT_H

#include "solve/ratio.h"

/* Directions, not necessarily orthogonal or of unit length. */
typedef struct pen_directions {
    int64_t count;
    const double *rows; /* [count x d] */
} pen_directions;

/* Finds columns W, W'W = I: the part of each direction in `first`, then in `then`, outside the span
 * of the earlier ones. A direction within that span gives no column. No eigenvalues. Errors of
 * pen_solve_enough. Cost: 4 (number of directions) k d flops. */
pen_status pen_solve_gram_schmidt(pen_run *run, int64_t d, const pen_directions *first,
                                  const pen_directions *then, const pen_request *request,
                                  pen_projection *out);

#endif
