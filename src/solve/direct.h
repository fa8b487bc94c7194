/* direct.h - columns from scatters that are not stored (linalg/implicit.h), by their products. */
#ifndef PEN_DIRECT_H
#define PEN_DIRECT_H

#include "solve/ridge.h"

/* Maximizes v'Av, v'v = 1: the request->wanted eigenvectors with the largest values, which must be
 * above 0; such vectors lie in the span of the rows. Residuals are at most 1e-12 of the largest
 * |value|. Notes "products" and "restarts". PEN_BAD_ARGUMENT: dim is not set; PEN_RANK_TOO_SMALL:
 * fewer values are above 0, and fewer are not accepted, or none is above 0; errors of
 * pen_lanczos_solve. Cost and memory: those of pen_lanczos_solve. */
pen_status pen_solve_directly(pen_run *run, const pen_sym *A, const pen_request *request,
                              pen_projection *out);

/* Maximizes v'Bv / v'Cv, v'Cv = 1, in one of two ways. PEN_BAD_ARGUMENT: neither applies.
 *
 * If C can be whitened (direct.c): block Lanczos on C^(-1/2) B C^(-1/2), as in pen_solve_directly.
 * *added: the number that the ridge added.
 *
 * If B is one term F F' of low rank r, and the identity is part of C: with M = F'X the columns are
 * C^-1 M'u / sqrt(value), u those of the r x r matrix M C^-1 M'. *e has min(wanted or r, rank) of
 * them. C^-1 M' comes from conjugate gradients; notes "cg_iterations".
 * Errors of pen_cg_solve. */
pen_status pen_solve_ratio_directly(pen_run *run, const pen_sym *B, const pen_sym *C,
                                    const pen_ridge *ridge, const pen_request *request, pen_eig *e,
                                    double *added);

#endif
