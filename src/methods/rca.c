/* rca.c - RCA, relevant component analysis: the metric in which rows that must link differ alike in
 * all directions.
 *
 *   S_t w = value C w,  w'C w = 1
 *       C: covariance within chunklets;  S_t: covariance of all rows, or of those in chunklets
 *
 * Chunklets are sets of rows that must-links join. With all d columns W W' = C^-1: distances are
 * those of C^(-1/2) x. Fewer are the whitened columns of the constrained Fisher discriminant, which
 * is how the paper reduces dimensions. ridge r > 0 puts C + r tr(C)/d I in the place of C.
 * Bar-Hillel, Hertz, Shental, Weinshall: Journal of Machine Learning Research 6 (2005) 937-965.
 */
#include "methods/method.h"

struct rca {
    enum pen_total_rows total;
    double ridge;
};

static const pen_param params[] = {
    PEN_CHOICE(struct rca, total, pen_total_rows_names, PEN_TOTAL_ALL,
               "rows whose covariance orders the dimensions: in chunklets, or all"),
    PEN_TUNED_REAL(
        struct rca, ridge, 0, 0, PEN_NO_LIMIT, "0 0.01 1",
        "added to the diagonal of the covariance within chunklets, in units of its mean"),
    PEN_PARAMS_END,
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct rca *p = params_;
    pen_sym S_t, C;

    PEN_TRY(pen_need_pairs(run, x, PEN_NEED_MUST));
    PEN_TRY(pen_sym_zero(run, x->d, &S_t));
    PEN_TRY(pen_sym_zero(run, x->d, &C));
    PEN_TRY(pen_scatter_chunklets(run, x, p->total, &S_t, &C, NULL));
    return pen_solve_ratio(run, &S_t, &C, p->ridge, PEN_METRIC_PLAIN, request, out);
}

const pen_method pen_method_rca = {
    .name = "rca",
    .title = "Relevant component analysis",
    .cite = "Bar-Hillel, Hertz, Shental, Weinshall: Learning a Mahalanobis metric from equivalence "
            "constraints. Journal of Machine Learning "
            "Research 6 (2005) 937-965",
    .dims = "d; with a ridge rank of S_t",
    .cost = "n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct rca),
    .fit = fit,
};
