/* none.c - the columns unchanged, as a baseline for methods.
 *
 *   z = x, or what row_steps, scale, kernel and pca make of x
 *
 * The projection is stored like any other, as a d x d identity, so very many columns are refused.
 */
#include "linalg/reduce.h"
#include "methods/method.h"

enum { MOST_COLUMNS = 5000 };

static const pen_param params[] = { PEN_COMMON_PARAMS_OF(
    PEN_DIM_AUTO("always the number of columns"), PEN_PCA_OFF) };

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    (void)params_;
    PEN_TRY(pen_solve_enough(run, x->d, request));
    PEN_REQUIRE(run, request->wanted == 0 || request->wanted >= x->d, PEN_BAD_ARGUMENT,
                "dim must be auto or %lld, the number of columns, got %lld", (long long)x->d,
                (long long)request->wanted);
    PEN_REQUIRE(run, x->d <= MOST_COLUMNS, PEN_BAD_DATA,
                "none stores a matrix of all columns, at most %d, got %lld: use the columns "
                "directly, or set pca to %s",
                MOST_COLUMNS, (long long)x->d,
                pen_rows_are_large(x) ? "a number of components"
                                      : "rank, which keeps all distances between these rows");
    PEN_TRY(PEN_FILLED(run, out->W, pen_times(x->d, x->d), 0));
    for (int64_t j = 0; j < x->d; j++)
        out->W[j * x->d + j] = 1;
    out->d = out->k = x->d;
    out->uncentered = 1;
    return PEN_OK;
}

const pen_method pen_method_none = {
    .name = "none",
    .title = "The columns unchanged",
    .cite = "no reference: a baseline for other methods",
    .dims = "columns",
    .cost = "n d",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_UNNESTED | PEN_BASELINE,
    PEN_INNER(.wide = 1, .unreduced = 1, .fit = fit),
};
