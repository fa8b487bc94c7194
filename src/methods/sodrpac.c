/* sodrpac.c - SODRPaC, subclass-oriented dimension reduction with constraint transformation and
 * manifold regularization.
 *
 *   maximize  tr(W'(S_C / |C'| - S_N / |N_S| - lambda X'MX) W),  W'W = I
 *
 * C': cannot-links, given and derived from must-links (graph/constraint_derivation.h), each with a
 * reliability L; S_C = sum over C' of L (x_i - x_j)(x_i - x_j)'. N_S: pairs that are among each
 * other's nearest; S_N = sum over N_S of the number of nearest they share times (x_i - x_j)(x_i -
 * x_j)'. M:
 * normalized Laplacian of the heat kernel exp(-|x_i - x_j|^2 / gamma) between nearest neighbors.
 * gamma: squared mean length of centered rows. scaling sum: no |C'|, |N_S|, as the paper's
 * equations 6 to 11; balanced: lambda / n. The paper prints the first two terms with exchanged
 * signs there.
 * Tong, Suzuki: Pacific-Asia Conference on Knowledge Discovery and Data Mining (2010).
 */
#include "methods/method.h"

enum scaling { SCALING_MEAN, SCALING_SUM, SCALING_BALANCED };

static const char *const scalings[] = { "mean", "sum", "balanced", NULL };

struct sodrpac {
    double lambda, gamma;
    int64_t snn_neighbors, manifold_neighbors;
    enum scaling scaling;
    int only_if_no_enemy;
    int64_t max_pairs;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct sodrpac, lambda, 0.125, 0, PEN_NO_LIMIT, "0 0.03 0.125 0.5",
                   "weight of the manifold term"),
    PEN_POSITIVE(struct sodrpac, gamma, 0, PEN_NO_LIMIT, pen_auto_words,
                 "width of the kernels; auto: squared mean length of centered rows"),
    PEN_INT(struct sodrpac, snn_neighbors, 3, 1, PEN_NO_LIMIT,
            "nearest neighbors for shared neighbors"),
    PEN_INT(struct sodrpac, manifold_neighbors, 5, 1, PEN_NO_LIMIT,
            "nearest neighbors for the manifold"),
    PEN_CHOICE(struct sodrpac, scaling, scalings, SCALING_MEAN,
               "pair terms as means, as sums, or as means and lambda / n"),
    PEN_FLAG(struct sodrpac, only_if_no_enemy,
             "hand on cannot-links of near rows only to rows that have none"),
    PEN_INT(struct sodrpac, max_pairs, 50000000, 1, PEN_NO_LIMIT, "derived cannot-links at most"),
    PEN_PARAMS_END,
};

static pen_status find_gamma(pen_run *run, const pen_rows *x, const struct sodrpac *p,
                             double *gamma)
{
    double length;

    *gamma = p->gamma;
    if (p->gamma > 0)
        return PEN_OK;
    PEN_TRY(pen_graph_mean_length(run, x, &length));
    PEN_REQUIRE(run, length > 0, PEN_RANK_TOO_SMALL,
                "nothing to project on: all rows are equal, but for rounding");
    *gamma = length * length;
    return PEN_OK;
}

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct sodrpac *p = params_;
    pen_transform_rules rules = { .only_if_no_enemy = p->only_if_no_enemy, .most = p->max_pairs };
    pen_graph near, manifold;
    pen_derived derived;
    pen_sym S_t, A;

    PEN_TRY(find_gamma(run, x, p, &rules.gamma));
    PEN_TRY(pen_graph_shared_and_nearest(run, x, "snn_neighbors", p->snn_neighbors, &near,
                                         "manifold_neighbors", p->manifold_neighbors, &manifold));
    PEN_TRY(pen_derive_constraints(run, x, &near, &rules, &derived));
    pen_graph_weigh_heat(&manifold, rules.gamma);
    pen_note(run, "gamma", rules.gamma);
    pen_note(run, "shared_neighbor_pairs", (double)near.edges);

    const double c = (double)derived.cannot.edges, s = (double)near.edges,
                 sum = p->scaling == SCALING_SUM;
    PEN_TRY(pen_sym_zero(run, x->d, &S_t));
    PEN_TRY(pen_sym_zero(run, x->d, &A));
    PEN_TRY(pen_scatter_total_precise(run, 1, x, PEN_TOTAL_COVARIANCE, &S_t));
    PEN_TRY(pen_scatter_graph(run, c > 0 ? sum + (1 - sum) / c : 0, x, &derived.cannot, NULL, &A));
    PEN_TRY(pen_scatter_graph(run, s > 0 ? -(sum + (1 - sum) / s) : 0, x, &near, NULL, &A));
    PEN_TRY(pen_scatter_manifold(
        run, p->scaling == SCALING_BALANCED ? -p->lambda / (double)x->n : -p->lambda, x, &manifold,
        &A));
    PEN_TRY(pen_solve_difference(run, &A, &S_t, request, out));
    PEN_REQUIRE(
        run, pen_sym_largest(&A) > 0, PEN_NO_PAIRS,
        "nothing to learn from: there are no cannot-links, no shared neighbors, and no manifold");
    return PEN_OK;
}

const pen_method pen_method_sodrpac = {
    .name = "sodrpac",
    .title = "Subclass-oriented dimension reduction with constraint transformation and manifold "
             "regularization",
    .cite = "Tong, Suzuki: Subclass-oriented dimension reduction with constraint transformation "
            "and manifold regularization. Pacific-Asia "
            "Conference on Knowledge Discovery and Data Mining (2010)",
    .dims = "rank of the centered rows",
    .cost = "n^2 d + n k d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct sodrpac),
    .fit = fit,
};
