/* sodrpac.c - SODRPaC, subclass-oriented dimension reduction with constraint transformation and
 * manifold regularization.
 *
 *   maximize  tr(W'(S_C / |C'| - S_N / |N_S| - lambda X'MX) W),  W'W = I
 *
 *   C': cannot-links, given and derived (graph/constraint_derivation.h), each with a reliability L;
 *       S_C = sum over C' of L (x_i - x_j)(x_i - x_j)'; weights of pairs scale |C'| and L alike
 *   N_S: pairs of rows that are among each other's nearest;
 *       S_N = sum over N_S of (number of nearest neighbors they share) (x_i - x_j)(x_i - x_j)'
 *   M: normalized Laplacian of exp(-|x_i - x_j|^2 / gamma) between nearest neighbors
 *
 * gamma: squared mean length of centered rows. pair_terms sum: without |C'| and |N_S|, as in the
 * paper's equations 6 to 11, which exchange the signs of the first two terms; balanced: lambda / n.
 * Tong, Suzuki: Pacific-Asia Conference on Knowledge Discovery and Data Mining (2010).
 */
#include "methods/method.h"

static const char *const terms[] = { "mean", "sum", "balanced", NULL };
static const char *const derivations[] = { "all", "unlinked", NULL };

static const pen_word gamma_words[] = {
    { "auto", -1 },     { "auto/16", -0.0625 }, { "auto/8", -0.125 }, { "auto/4", -0.25 },
    { "auto/2", -0.5 }, { "auto*2", -2 },       { "auto*4", -4 },     { "auto*8", -8 },
    { "auto*16", -16 }, { "cv", PEN_CV },       { NULL, 0 },
};

static const pen_param params[] = {
    PEN_CV_WEIGHT(pen_subclass_rules, lambda, 0.125, "0.125 0 64 0.03 16 0.5 256 1024",
                  "weight of the manifold term"),
    PEN_TUNED_POSITIVE(pen_subclass_rules, gamma, -1, PEN_NO_LIMIT, gamma_words,
                       "auto auto/4 auto*8 auto/16 auto/8",
                       "width of the kernels; auto: squared mean length of the rows" PEN_CV_HELP),
    PEN_INT(pen_subclass_rules, snn_neighbors, 3, 1, PEN_NO_LIMIT,
            "number of nearest neighbors when counting shared neighbors"),
    PEN_INT(pen_subclass_rules, manifold_neighbors, 5, 1, PEN_NO_LIMIT,
            "number of nearest neighbors in the manifold term"),
    PEN_TUNED_CHOICE(pen_subclass_rules, pair_terms, terms, PEN_SUBCLASS_MEAN, "mean sum",
                     "pair terms as means, as sums, or as means with lambda / n"),
    PEN_CHOICE(pen_subclass_rules, derive, derivations, 0,
               "give cannot-links derived from near rows to all rows, or only to rows without any"),
    PEN_MAX_PAIRS(pen_subclass_rules, "maximum number of pairs, given and derived"),
    PEN_PAIR_COMMON_PARAMS("off"),
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_subclass_rules *p = params_;
    pen_sym S_t, A;

    PEN_TRY(pen_scatter_rows(run, &problem->rows, PEN_TOTAL_COVARIANCE, &S_t));
    PEN_TRY(pen_sym_zero(run, problem->rows.d, &A));
    PEN_TRY(pen_scatter_subclasses(run, problem, p, &A));
    PEN_TRY(pen_solve_difference(run, &A, &S_t, request, out));
    PEN_REQUIRE(run, A.terms || pen_sym_largest(&A) > 0, PEN_NO_PAIRS,
                "nothing to learn from: no cannot-links, no shared neighbors, and no manifold");
    return PEN_OK;
}

const pen_method pen_method_sodrpac = {
    .name = "sodrpac",
    .title = "Subclass-oriented dimension reduction with constraint transformation and manifold "
             "regularization",
    .cite = "Tong, Suzuki: Subclass-oriented dimension reduction with constraint transformation "
            "and manifold regularization. Pacific-Asia Conference on Knowledge Discovery and Data "
            "Mining (2010)",
    .dims = "rank of the centered rows",
    .cost = "n^2 d + 10 l^2 d + 150 l^2 + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED | PEN_NEIGHBORS,
    PEN_INNER(.direct = 1, PEN_FIT(pen_subclass_rules)),
};
