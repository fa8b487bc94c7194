/* bwdr.c - BWDR: stretch the differences across cannot-links, then keep must-links short.
 *
 *   V = sqrt(c / lambda_j) e_j, j = 1 .. i:  V'S_B V = c I, all directions have the same
 *                                            between-class difference
 *   minimize  tr(U'V'S_W V U),  U'U = I;     W = V U
 *
 * S_B, S_W: sums of (x_i - x_j)(x_i - x_j)' over cannot-links and must-links; lambda_j, e_j:
 * eigenpairs of S_B, largest first. i: the most that sum to at most `threshold` of the spectrum,
 * at least `dim` and at most the rank. After its equation 8 the paper's text says largest
 * eigenvalues; its Algorithm 1 and (8) say smallest.
 * Long, Meng, Sioutis: IEEE Access 8 (2020), Algorithm 1.
 */
#include "methods/method.h"

static const pen_param params[] = {
    PEN_TUNED_POSITIVE(pen_stretch_params, threshold, 0.95, 1, pen_cv_words, "0.95 0.99 0.999 1",
                       "fraction of the cannot-link spectrum to stretch" PEN_CV_HELP),
    PEN_POSITIVE(pen_stretch_params, target, PEN_TARGET_NONE, PEN_NO_LIMIT, pen_target_words,
                 "stretch it to this value; none: to the largest eigenvalue"),
    PEN_PAIR_COMMON_PARAMS("off"),
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    pen_factored S_B, S_W;

    PEN_TRY(pen_scatter_pairs_factored(run, problem, &S_B, &S_W));
    return pen_solve_stretch(run, &S_B, &S_W, params_, NULL, request, out);
}

const pen_method pen_method_bwdr = {
    .name = "bwdr",
    .title = "Stretching between-class differences, minimizing within-class ones",
    .cite = "Long, Meng, Sioutis: Semi-supervised dimensionality reduction by linear compression "
            "and stretching. IEEE Access 8 (2020)",
    .dims = "rank of S_B; by default up to the threshold",
    .cost = "p d + n d^2 + d^3",
    .not_for = "columns in different units without --scale standard; use wbdr",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_UNNESTED | PEN_MERGES_ROWS,
    PEN_INNER(.of_known_rows = 1, .needs = { .pairs = PEN_CANNOT_LINKS },
              PEN_FIT(pen_stretch_params)),
};
