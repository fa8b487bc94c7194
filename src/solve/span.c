/* span.c - problems in the coordinates of the directions in which rows differ. */
#include "solve/span.h"

#include "linalg/blas.h"
#include "linalg/reduce.h"

#include <string.h>

void pen_solve_take(const pen_eig *e, int64_t k, pen_projection *out)
{
    out->d = e->d;
    out->k = k;
    out->residual = e->residual;
    memcpy(out->eigenvalues, e->values, (size_t)k * sizeof *e->values);
    pen_transpose(k, e->d, e->vectors, out->W);
}

static pen_status take_span(pen_run *run, const pen_eig *e, double trace, pen_span *out)
{
    PEN_REQUIRE(run, e->rank > 0, PEN_RANK_TOO_SMALL,
                "nothing to project on: all rows are equal up to rounding");
    *out = (pen_span){ e->d, e->rank, e->vectors, trace };
    return PEN_OK;
}

pen_status pen_solve_span(pen_run *run, const pen_sym *S_t, pen_span *out)
{
    pen_eig e;

    PEN_TRY(pen_eig_largest(run, S_t, NULL, S_t->d, &e));
    return take_span(run, &e, pen_sym_trace(S_t), out);
}

pen_status pen_solve_span_of(pen_run *run, const pen_view *x, pen_span *out)
{
    pen_axes axes;

    PEN_TRY(pen_rows_axes(run, x, &axes));
    return take_span(run, &axes.eig, axes.trace, out);
}

pen_status pen_solve_enter(pen_run *run, const pen_span *span, const pen_sym *A, const pen_sym *B,
                           const pen_request *request, pen_inner *out)
{
    out->request = *request;
    out->request.columns = out->request.spanned = span->rank;
    out->request.rows = NULL;
    if (request->penalty) {
        PEN_TRY(pen_sym_project(run, request->penalty, span->basis, span->rank, &out->penalty));
        out->request.penalty = &out->penalty;
    }
    PEN_TRY(pen_sym_project(run, A, span->basis, span->rank, &out->A));
    return pen_sym_project(run, B, span->basis, span->rank, &out->B);
}

pen_status pen_solve_return(pen_run *run, const pen_span *span, pen_projection *out)
{
    double *W;

    PEN_TRY(PEN_NEW(run, W, pen_times(span->d, out->k)));
    pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, span->d, out->k, span->rank, 1, span->basis,
                  span->d, out->W, out->k, 0, W, out->k);
    out->W = W;
    out->d = span->d;
    return PEN_OK;
}
