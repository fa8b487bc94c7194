/* ilpp.c - iLPP, locality preserving projections as a maximum.
 *
 *   maximize  tr((W'S_l W)^-1 W'S_n W)      S_l = 1/2n sum_ij A_ij (x_i - x_j)(x_i - x_j)',
 *       S_n = 1/n sum_ij A_ij x_i x_i'
 *
 * A: affinities of all rows by local scaling. The columns are sqrt(eigenvalue) times eigenvectors
 * v, v'S_l v = 1. They span what those of lpp span, with eigenvalues one over the other; only their
 * lengths differ. S_n is about the origin of the rows as they were given, or with origin = mean
 * about their mean. ridge r > 0 puts S_l + r tr(S_l)/d I in the place of S_l.
 * Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61, section 3.2.
 */
#include "methods/method.h"

struct ilpp {
    int64_t neighbors;
    enum pen_affinity_graph graph;
    enum pen_origin origin;
    double ridge;
    enum pen_metric metric;
};

static const pen_param params[] = {
    PEN_TUNED_INT(struct ilpp, neighbors, 7, 1, PEN_NO_LIMIT, "3 7 15",
                  "local scaling: distance to this neighbor"),
    PEN_CHOICE(struct ilpp, graph, pen_affinity_graph_names, PEN_AFFINITY_DENSE,
               "affinities of all rows, or of mutual neighbors only"),
    PEN_CHOICE(struct ilpp, origin, pen_origin_names, PEN_ORIGIN_ZERO,
               "rows are measured from 0, or from their mean"),
    PEN_TUNED_REAL(struct ilpp, ridge, 0, 0, PEN_NO_LIMIT, "0 0.01",
                   "added to the diagonal of S_l, in units of its mean"),
    PEN_CHOICE(struct ilpp, metric, pen_metric_names, PEN_METRIC_WEIGHTED, "length of the columns"),
    PEN_PARAMS_END,
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct ilpp *p = params_;
    const pen_locality locality = { p->neighbors, p->graph, p->origin };
    pen_sym S_n, S_l;

    PEN_TRY(pen_sym_zero(run, x->d, &S_n));
    PEN_TRY(pen_sym_zero(run, x->d, &S_l));
    PEN_TRY(pen_scatter_locality(run, 1, x, &locality, &S_n, &S_l));
    return pen_solve_ratio(run, &S_n, &S_l, p->ridge, p->metric, request, out);
}

const pen_method pen_method_ilpp = {
    .name = "ilpp",
    .title = "Inverted locality preserving projections",
    .cite = "Sugiyama, Ide, Nakajima, Sese: Semi-supervised local Fisher discriminant analysis for "
            "dimensionality reduction. "
            "Machine Learning 78 (2010) 35-61, section 3.2",
    .dims = "rank of S_n, at most d",
    .cost = "n^2 d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct ilpp),
    .fit = fit,
};
