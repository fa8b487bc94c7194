/* decompose.h - eigenvalues of a symmetric matrix by LAPACK. */
#ifndef PEN_DECOMPOSE_H
#define PEN_DECOMPOSE_H

#include "core/run.h"

/* The k largest eigenvalues of a [d x d], of which only the lower triangle is read and all is
 * destroyed: ascending, into values [d], and their vectors into the rows of vectors [k x d] (NULL:
 * values only). PEN_NOT_CONVERGED: LAPACK did not converge. Cost: 4/3 d^3 flops, up to the same
 * again for the vectors; memory: 2 d^2 doubles if k > d/4. */
pen_status pen_decompose(pen_run *run, int64_t d, int64_t k, double *a, double *values,
                         double *vectors);

#endif
