/* cmm.c - CMM, maximizing the constraint margin.
 *
 *   maximize  tr(W'(S_B / q - S_W / m) W),  W'W = I,  W in the span of the centered rows
 *
 *   S_B, S_W: sums of (x_i - x_j)(x_i - x_j)' over the q cannot-links and the m must-links
 *
 * With few pairs the criterion is 0 in several directions. Of these, directions with more variance
 * come first.
 * Wang, Chen, Li, Zhang: ACM Conference on Information and Knowledge Management (2008) 1457-1458;
 * criterion as stated in papers that compare with it.
 */
#include "methods/method.h"

static const pen_param params[] = { PEN_PAIR_COMMON_PARAMS("off") };

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    pen_sym S_t, A;

    (void)params_;
    PEN_TRY(pen_scatter_rows(run, &problem->rows, PEN_TOTAL_COVARIANCE, &S_t));
    PEN_TRY(pen_sym_zero(run, problem->rows.d, &A));
    PEN_TRY(pen_scatter_mean_pairs(run, 1, 1, problem, &A));
    return pen_solve_difference(run, &A, &S_t, request, out);
}

const pen_method pen_method_cmm = {
    .name = "cmm",
    .title = "Maximizing the constraint margin",
    .cite = "Wang, Chen, Li, Zhang: Semi-supervised dimensionality reduction by maximizing "
            "constraint margin. ACM Conference on Information and Knowledge Management (2008)",
    .dims = "rank of the centered rows",
    .cost = "p d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED | PEN_MERGES_ROWS,
    PEN_INNER(.direct = 1, .needs = { .pairs = PEN_MUST_LINKS | PEN_CANNOT_LINKS }, .fit = fit),
};
