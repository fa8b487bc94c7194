/* rca.c - RCA, relevant component analysis: the metric in which must-linked rows differ equally in
 * all directions.
 *
 *   S_t w = value C w,  w'C w = 1
 *
 *   C: covariance within chunklets;  S_t: covariance of all rows, or of those in chunklets
 *
 * Chunklets are sets of rows that must-links join. With all d columns W W' = C^-1: distances are
 * those of C^(-1/2) x. Fewer columns are the whitened ones of the constrained Fisher discriminant,
 * which is how the paper reduces dimensions. ridge r > 0: C + r tr(C)/d I replaces C.
 * Bar-Hillel, Hertz, Shental, Weinshall: Journal of Machine Learning Research 6 (2005) 937-965.
 */
#include "methods/method.h"

struct rca {
    enum pen_total_rows total_rows;
    double ridge;
};

static const pen_param params[] = {
    PEN_CHOICE(struct rca, total_rows, pen_total_rows_names, PEN_TOTAL_ALL,
               "rows whose covariance orders the dimensions: rows in chunklets, or all rows"),
    PEN_REGULAR_BY(struct rca, ridge, pen_auto_cv_words, "auto 0.01 1",
                   "the covariance within chunklets", PEN_CV_HELP),
    PEN_PAIR_COMMON_PARAMS("off"),
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct rca *p = params_;
    pen_view chunklets;
    const pen_ridge ridge = { p->ridge, .residuals = &chunklets, .exact = 1 };
    pen_sym S_t, C;

    PEN_TRY(PEN_ZEROS(run, problem->rows.d, &S_t, &C));
    PEN_TRY(pen_scatter_chunklets(run, problem, p->total_rows, &S_t, &C, &chunklets));
    return pen_solve_ratio(run, &S_t, &C, &ridge, PEN_COLUMNS_PLAIN, request, out);
}

const pen_method pen_method_rca = {
    .name = "rca",
    .title = "Relevant component analysis",
    .cite = "Bar-Hillel, Hertz, Shental, Weinshall: Learning a Mahalanobis metric from equivalence "
            "constraints. Journal of Machine Learning Research 6 (2005) 937-965",
    .dims = "d; with a ridge, rank of S_t",
    .cost = "n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_USES_UNLABELLED | PEN_MERGES_ROWS,
    PEN_INNER(.any_units = 1, .needs = { .pairs = PEN_MUST_LINKS }, PEN_FIT(struct rca)),
};
