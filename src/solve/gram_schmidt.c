/* gram_schmidt.c - Gram-Schmidt on the directions, as columns. */
#include "solve/gram_schmidt.h"

#include "linalg/blas.h"
#include "linalg/orthonormal.h"

pen_status pen_solve_gram_schmidt(pen_run *run, int64_t d, const pen_directions *first,
                                  const pen_directions *then, const pen_request *request,
                                  pen_projection *out)
{
    const int64_t most = pen_min(request->wanted ? request->wanted : d, d);
    double *basis;
    int64_t k = 0;

    PEN_TRY(PEN_NEW(run, basis, pen_times(most, d)));
    PEN_TRY(pen_orthonormal_append(run, first->count, d, first->rows, most, basis, &k));
    PEN_TRY(pen_orthonormal_append(run, then->count, d, then->rows, most, basis, &k));
    PEN_REQUIRE(run, k > 0, PEN_RANK_TOO_SMALL, "nothing to project on: all directions are zero");
    PEN_TRY(pen_solve_enough(run, k, request));
    out->d = d;
    out->k = k;
    PEN_TRY(PEN_NEW(run, out->W, pen_times(d, k)));
    pen_transpose(k, d, basis, out->W);
    return PEN_OK;
}
