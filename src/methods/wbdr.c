/* wbdr.c - WBDR: compress the differences across must-links, then keep cannot-links long.
 *
 *   V = sqrt(c / lambda_j) e_j, j = 1 .. i, and e_j, j > i:  V'S_W V <= c I, no direction has more
 *                                                            within-class difference than c
 *   maximize  tr(U'V'S_B V U),  U'U = I;   W = V U
 *
 * S_B, S_W: sums of (x_i - x_j)(x_i - x_j)' over cannot-links and must-links; lambda_j, e_j:
 * eigenpairs of S_W, largest first. i: the most that sum to at most `threshold` of the spectrum, at
 * least `dim` and at most the rank. All d directions compete. After its Theorem 7 the paper's text
 * writes V S_B V'; its Algorithm 2 has V'S_B V.
 * Long, Meng, Sioutis: IEEE Access 8 (2020), Algorithm 2.
 */
#include "methods/method.h"

static const pen_param params[] = {
    PEN_TUNED_POSITIVE(pen_stretch_params, threshold, 1, 1, pen_cv_words, "1 0.95 0.999 0.99",
                       "fraction of the must-link spectrum to compress" PEN_CV_HELP),
    PEN_POSITIVE(pen_stretch_params, target, PEN_TARGET_NONE, PEN_NO_LIMIT, pen_target_words,
                 "compress it to this value; none: to the smallest eigenvalue in that fraction"),
    PEN_PAIR_COMMON_PARAMS("off"),
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    pen_factored S_B, S_W;

    PEN_TRY(pen_scatter_pairs_factored(run, problem, &S_B, &S_W));
    return pen_solve_compress(run, &S_W, &S_B, params_, request, out);
}

const pen_method pen_method_wbdr = {
    .name = "wbdr",
    .title = "Compressing within-class differences, maximizing between-class ones",
    .cite = "Long, Meng, Sioutis: Semi-supervised dimensionality reduction by linear compression "
            "and stretching. IEEE Access 8 (2020)",
    .dims = "rank of S_B",
    .cost = "p d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_MERGES_ROWS,
    PEN_INNER(.of_known_rows = 1, .any_units = 1, .needs = { .pairs = PEN_CANNOT_LINKS },
              PEN_FIT(pen_stretch_params)),
};
