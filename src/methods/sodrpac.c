/* sodrpac.c - SODRPaC, subclass-oriented dimension reduction with constraint transformation and
 * manifold regularization.
 *
 *   maximize  tr(W'(S_C / |C'| - S_N / |N_S| - lambda X'MX) W),  W'W = I
 *
 *   C': cannot-links, given and derived (graph/constraint_derivation.h), each with a reliability L;
 *       S_C = sum over C' of L (x_i - x_j)(x_i - x_j)'; |C'| grows with weights of pairs as L
 *   N_S: pairs of rows that are among each other's nearest;
 *       S_N = sum over N_S of (number of nearest neighbors they share) (x_i - x_j)(x_i - x_j)'
 *   M: normalized Laplacian of exp(-|x_i - x_j|^2 / gamma) between nearest neighbors
 *
 * gamma: squared mean length of centered rows. scaling sum: without |C'| and |N_S|, as in the
 * paper's equations 6 to 11, where the first two terms have exchanged signs; balanced: lambda / n.
 * Tong, Suzuki: Pacific-Asia Conference on Knowledge Discovery and Data Mining (2010).
 */
#include "graph/graph_set.h"
#include "methods/method.h"

enum scaling { SCALING_MEAN, SCALING_SUM, SCALING_BALANCED };

static const char *const scalings[] = { "mean", "sum", "balanced", NULL };

struct sodrpac {
    double lambda, gamma;
    int64_t snn_neighbors, manifold_neighbors, max_pairs;
    enum scaling scaling;
    int only_if_no_enemy;
    pen_space space;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct sodrpac, lambda, 0.125, 0, PEN_NO_LIMIT,
                   "0.125 0 64 0.03 16 0.5 256 1024", "weight of the manifold term"),
    PEN_TUNED_POSITIVE(struct sodrpac, gamma, -1, PEN_NO_LIMIT, pen_width_words,
                       "auto auto/4 auto*8 auto/16 auto/8",
                       "width of the kernels; auto: squared mean length of centered rows"),
    PEN_INT(struct sodrpac, snn_neighbors, 3, 1, PEN_NO_LIMIT,
            "nearest neighbors among which shared ones are counted"),
    PEN_INT(struct sodrpac, manifold_neighbors, 5, 1, PEN_NO_LIMIT,
            "nearest neighbors of the manifold term"),
    PEN_TUNED_CHOICE(struct sodrpac, scaling, scalings, SCALING_MEAN, "mean sum",
                     "pair terms as means, as sums, or as means with lambda / n"),
    PEN_FLAG(struct sodrpac, only_if_no_enemy,
             "derive cannot-links from those of near rows only for rows that have none"),
    PEN_MAX_PAIRS(struct sodrpac, "maximum number of pairs, given and derived"),
    PEN_SPACE_PARAMS(struct sodrpac, ""),
    PEN_PARAMS_END,
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct sodrpac *p = params_;
    pen_derivation_rules rules = { .only_if_no_enemy = p->only_if_no_enemy, .most = p->max_pairs };
    pen_graph near, manifold;
    pen_derived derived;
    pen_sym S_t, A;

    PEN_TRY(pen_graph_width(run, x, p->gamma, &rules.gamma));
    PEN_TRY(pen_graph_shared_and_nearest(run, x, "snn_neighbors", p->snn_neighbors, &near,
                                         "manifold_neighbors", p->manifold_neighbors, &manifold));
    PEN_TRY(pen_derive_constraints(run, x, &near, &rules, &derived));
    pen_graph_heat_weights(&manifold, rules.gamma);
    PEN_TRY(pen_graphs_add(run, "manifold", &manifold));
    PEN_TRY(pen_graphs_add(run, "shared_neighbors", &near));
    PEN_TRY(pen_graphs_add(run, "cannot_links", &derived.cannot));
    pen_note(run, "gamma", rules.gamma);
    pen_note(run, "shared_neighbor_pairs", (double)near.edges);

    const double c = derived.mass, s = (double)near.edges, sum = p->scaling == SCALING_SUM,
                 lambda = p->scaling == SCALING_BALANCED ? p->lambda / (double)x->n : p->lambda;
    PEN_TRY(pen_scatter_rows(run, x, PEN_TOTAL_COVARIANCE, &S_t));
    PEN_TRY(pen_sym_zero(run, x->d, &A));
    PEN_TRY(pen_scatter_graph(run, c > 0 ? sum + (1 - sum) / c : 0, x, &derived.cannot, NULL, &A));
    PEN_TRY(pen_scatter_graph(run, s > 0 ? -(sum + (1 - sum) / s) : 0, x, &near, NULL, &A));
    PEN_TRY(pen_scatter_manifold(run, -lambda, x, &manifold, &A));
    PEN_TRY(pen_solve_difference(run, &A, &S_t, request, out));
    PEN_REQUIRE(
        run, pen_sym_largest(&A) > 0, PEN_NO_PAIRS,
        "nothing to learn from: there are no cannot-links, no shared neighbors, and no manifold");
    out->derived = derived.cannot;
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
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED | PEN_DERIVES | PEN_NEIGHBORS,
    PEN_FIT(struct sodrpac),
};
