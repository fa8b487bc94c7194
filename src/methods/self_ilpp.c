/* self_ilpp.c - SELF', local Fisher discriminant analysis blended with iLPP.
 *
 *   maximize  tr((T'C T)^-1 T'B T)     B = (1-b) S_lb + b S_n
 *       S_lb, S_lw: local scatters, labelled rows
 *                                      C = (1-b) S_lw + b S_l
 *                                          S_n, S_l: those of iLPP, all rows
 *
 * b = 0 is LFDA with local scaling over all rows, b = 1 is iLPP. The columns are sqrt(eigenvalue)
 * times eigenvectors v, v'Cv = 1. ridge r > 0 puts C + r tr(C)/d I in the place of C.
 * Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61, section 4.5.1.
 */
#include "methods/method.h"

struct self_ilpp {
    double beta;
    int64_t neighbors;
    enum pen_affinity_graph graph;
    enum pen_origin origin;
    double ridge;
    enum pen_metric metric;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct self_ilpp, beta, 0.5, 0, 1, "0.001 0.25 0.5 0.75 1",
                   "0: labels only (LFDA); 1: no labels (iLPP)"),
    PEN_INT(struct self_ilpp, neighbors, 7, 1, PEN_NO_LIMIT,
            "local scaling: distance to this neighbor"),
    PEN_CHOICE(struct self_ilpp, graph, pen_affinity_graph_names, PEN_AFFINITY_DENSE,
               "iLPP: affinities of all rows, or of mutual neighbors only"),
    PEN_CHOICE(struct self_ilpp, origin, pen_origin_names, PEN_ORIGIN_ZERO,
               "iLPP: rows are measured from 0, or from their mean"),
    PEN_TUNED_REAL(struct self_ilpp, ridge, 0, 0, PEN_NO_LIMIT, "0 0.01",
                   "added to the diagonal of the within scatter, in units of its mean"),
    PEN_CHOICE(struct self_ilpp, metric, pen_metric_names, PEN_METRIC_WEIGHTED,
               "length of the columns"),
    PEN_PARAMS_END,
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct self_ilpp *p = params_;
    const pen_locality locality = { p->neighbors, p->graph, p->origin };
    const double b = p->beta;
    pen_sym B, C;

    PEN_TRY(pen_need_classes(run, x, b == 0 ? 2 : b < 1 ? 1 : 0));
    PEN_TRY(pen_sym_zero(run, x->d, &B));
    PEN_TRY(pen_sym_zero(run, x->d, &C));
    /* B += (1-b) S_lb,  C += (1-b) S_lw */
    PEN_TRY(pen_scatter_local(run, 1 - b, x, p->neighbors, PEN_SCALING_ALL, &B, &C));
    /* B += b S_n,  C += b S_l */
    PEN_TRY(pen_scatter_locality(run, b, x, &locality, &B, &C));
    return pen_solve_ratio(run, &B, &C, p->ridge, p->metric, request, out);
}

const pen_method pen_method_self_ilpp = {
    .name = "self-ilpp",
    .title = "Local Fisher discriminant analysis with locality preserving projections",
    .cite = "Sugiyama, Ide, Nakajima, Sese: Semi-supervised local Fisher discriminant analysis for "
            "dimensionality reduction. "
            "Machine Learning 78 (2010) 35-61, section 4.5.1",
    .dims = "rank of the blend, at most d",
    .cost = "n^2 d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct self_ilpp),
    .fit = fit,
};
