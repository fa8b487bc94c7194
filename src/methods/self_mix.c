/* self_mix.c - local Fisher discriminant analysis, PCA and iLPP in one.
 *
 *   maximize  tr((T'C T)^-1 T'B T)     B = a S_lb + b S_t + g S_n
 *       S_lb, S_lw: local scatters, labelled rows;  S_t: total scatter
 *                                      C = a S_lw + b I   + g S_l
 *                                          S_n, S_l: those of iLPP, all rows;  a = 1 - b - g
 *
 * g = 0 is SELF, b = 0 is SELF' (self-ilpp). The columns are sqrt(eigenvalue) times eigenvectors v,
 * v'Cv = 1. total = covariance puts S_t / n in the place of S_t, ridge r > 0 C + r tr(C)/d I in the
 * place of C.
 * Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61, section 4.5.1, which names the
 * combination and gives no formula.
 */
#include "methods/method.h"

struct self_mix {
    double beta, gamma;
    int64_t neighbors;
    enum pen_total total;
    enum pen_affinity_graph graph;
    enum pen_origin origin;
    double ridge;
    enum pen_metric metric;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct self_mix, beta, 0.5, 0, 1, "0.001 0.25 0.5 0.75", "share of PCA"),
    PEN_TUNED_REAL(struct self_mix, gamma, 0, 0, 1, "0 0.25",
                   "share of iLPP; what is left of 1 is the share of LFDA"),
    PEN_INT(struct self_mix, neighbors, 7, 1, PEN_NO_LIMIT,
            "local scaling: distance to this neighbor"),
    PEN_CHOICE(struct self_mix, total, pen_total_names, PEN_TOTAL_SCATTER,
               "PCA: total scatter, or divided by the number of rows"),
    PEN_CHOICE(struct self_mix, graph, pen_affinity_graph_names, PEN_AFFINITY_DENSE,
               "iLPP: affinities of all rows, or of mutual neighbors only"),
    PEN_CHOICE(struct self_mix, origin, pen_origin_names, PEN_ORIGIN_ZERO,
               "iLPP: rows are measured from 0, or from their mean"),
    PEN_TUNED_REAL(struct self_mix, ridge, 0, 0, PEN_NO_LIMIT, "0 0.01",
                   "added to the diagonal of the within scatter, in units of its mean"),
    PEN_CHOICE(struct self_mix, metric, pen_metric_names, PEN_METRIC_WEIGHTED,
               "length of the columns"),
    PEN_PARAMS_END,
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct self_mix *p = params_;
    const pen_locality locality = { p->neighbors, p->graph, p->origin };
    /* a sum of 0.9 and 0.1 is 1, and 1 - 0.9 - 0.1 is not 0 */
    const double b = p->beta, g = p->gamma, a = 1 - (b + g);
    pen_sym B, C;

    PEN_REQUIRE(run, b + g <= 1, PEN_BAD_ARGUMENT, "beta + gamma must be at most 1, got %g + %g", b,
                g);
    PEN_TRY(pen_need_classes(run, x, b + g == 0 ? 2 : a > 0 ? 1 : 0));
    PEN_TRY(pen_sym_zero(run, x->d, &B));
    PEN_TRY(pen_sym_zero(run, x->d, &C));
    /* B += a S_lb,  C += a S_lw */
    PEN_TRY(pen_scatter_local(run, a, x, p->neighbors, PEN_SCALING_ALL, &B, &C));
    PEN_TRY(pen_scatter_total(run, b, x, p->total, &B)); /* B += b S_t */
    pen_sym_add_identity(b, &C);
    PEN_TRY(pen_scatter_locality(run, g, x, &locality, &B, &C)); /* B += g S_n,  C += g S_l */
    return pen_solve_ratio(run, &B, &C, p->ridge, p->metric, request, out);
}

const pen_method pen_method_self_mix = {
    .name = "self-mix",
    .title = "Local Fisher discriminant analysis with principal components and locality preserving "
             "projections",
    .cite = "Sugiyama, Ide, Nakajima, Sese: Semi-supervised local Fisher discriminant analysis for "
            "dimensionality reduction. "
            "Machine Learning 78 (2010) 35-61, section 4.5.1",
    .dims = "rank of the blend, at most d",
    .cost = "n^2 d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct self_mix),
    .fit = fit,
};
