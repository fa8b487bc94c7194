/* ssdr.c - SSDR, semi-supervised dimensionality reduction.
 *
 *   maximize  tr(W'(S_t / n + alpha / q S_B - beta / m S_W) W),  W'W = I
 *
 *   S_t: total scatter, all n rows;  S_B, S_W: sums of (x_i - x_j)(x_i - x_j)' over the q
 *   cannot-links and the m must-links
 *
 * The paper states its criterion in two forms that differ by a factor of two: X'LX counts every
 * pair at (i, j) and at (j, i); the sum over pairs has weights 1/(2q) and 1/(2m). Without pairs
 * this is PCA.
 * Zhang, Zhou, Chen: SIAM International Conference on Data Mining (2007) 629-634.
 */
#include "methods/method.h"

struct ssdr {
    double alpha, beta;
};

static const pen_param params[] = {
    PEN_CV_WEIGHT(struct ssdr, alpha, 1, "1 10", "weight of the mean cannot-link scatter"),
    PEN_CV_WEIGHT(struct ssdr, beta, 20, "1 20 100", "weight of the mean must-link scatter"),
    PEN_PAIR_COMMON_PARAMS("off"),
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct ssdr *p = params_;
    pen_sym S_t, A;

    PEN_TRY(pen_scatter_rows(run, &problem->rows, PEN_TOTAL_COVARIANCE, &S_t));
    PEN_TRY(pen_sym_copy(run, &S_t, &A));
    PEN_TRY(pen_scatter_mean_pairs(run, p->alpha, p->beta, problem, &A));
    return pen_solve_difference(run, &A, &S_t, request, out);
}

const pen_method pen_method_ssdr = {
    .name = "ssdr",
    .title = "Semi-supervised dimensionality reduction",
    .cite = "Zhang, Zhou, Chen: Semi-supervised dimensionality reduction. SIAM International "
            "Conference on Data Mining (2007) 629-634",
    .dims = "rank of the centered rows",
    .cost = "p d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED | PEN_MERGES_ROWS,
    PEN_INNER(.direct = 1, PEN_FIT(struct ssdr)),
};
