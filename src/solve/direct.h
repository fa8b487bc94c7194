/* direct.h - columns from scatters that are not stored (linalg/implicit.h), by products alone. */
#ifndef PEN_DIRECT_H
#define PEN_DIRECT_H

#include "solve/span.h"

/* Maximize v'Av, v'v = 1: the request->wanted eigenvectors with the largest values, which must be
 * above 0; those lie in the span of the rows. Residuals are at most 1e-12 of the largest |value|.
 * Notes "products" and "restarts". PEN_BAD_ARGUMENT: dim is not set; PEN_RANK_TOO_SMALL: fewer
 * values are above 0, and fewer are not accepted, or none is; errors of pen_lanczos_solve. Cost and
 * memory: those of pen_lanczos_solve. */
pen_status pen_solve_directly(pen_run *run, const pen_sym *A, const pen_request *request,
                              pen_map *out);

#endif
