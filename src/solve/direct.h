/* direct.h - columns from scatters that are not stored (linalg/implicit.h), by products alone. */
#ifndef PEN_DIRECT_H
#define PEN_DIRECT_H

#include "solve/ridge.h"

/* Maximize v'Av, v'v = 1: the request->wanted eigenvectors with the largest values, which must be
 * above 0; those lie in the span of the rows. Residuals are at most 1e-12 of the largest |value|.
 * Notes "products" and "restarts". PEN_BAD_ARGUMENT: dim is not set; PEN_RANK_TOO_SMALL: fewer
 * values are above 0, and fewer are not accepted, or none is; errors of pen_lanczos_solve. Cost and
 * memory: those of pen_lanczos_solve. */
pen_status pen_solve_directly(pen_run *run, const pen_sym *A, const pen_request *request,
                              pen_projection *out);

/* Maximize v'Bv / v'Cv, v'Cv = 1. B or C decide how; PEN_BAD_ARGUMENT: they are of neither kind.
 *
 * Where C is whitened (direct.c), by block Lanczos on C^(-1/2) B C^(-1/2): as
 * pen_solve_directly does it. *added: what the ridge added.
 *
 * Where B is one term F F' of low rank r, and the identity is part
 * of C: with M = F'X the columns are C^-1 M'u / sqrt(value), u those of the r x r matrix M C^-1 M'.
 * *e has min(wanted or r, rank) of them. C^-1 M' by conjugate gradients; notes "cg_iterations".
 * Errors of pen_cg_solve. */
pen_status pen_solve_ratio_directly(pen_run *run, const pen_sym *B, const pen_sym *C,
                                    const pen_ridge *ridge, const pen_request *request, pen_eig *e,
                                    double *added);

#endif
