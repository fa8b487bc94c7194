/* tr_fsda.c - TR-FSDA, trace ratio based flexible semi-supervised discriminant analysis.
 *
 *   maximize  tr(F'L_b F) / (tr(F'L_a F) + |X W - F|^2 + ridge |W|^2)   over F and W,  W'W = I
 *
 * L_b, L_t: Laplacians of the scatters between classes and of all labelled rows, about the mean of
 * the labelled ones. L_a = L_t + alpha L, L the Laplacian of the nearest neighbors' graph over all
 * rows. X: rows, centered on the mean of all. F is free to leave X W where the graph wants it to.
 * Huang, Xu, Nie: IEEE Transactions on Neural Networks and Learning Systems 23 (2012) 519-526.
 */
#include "graph/affinity_graph.h"
#include "methods/method.h"
#include "solve/flexible_system.h"

struct tr_fsda {
    double alpha, ridge;
    int64_t neighbors;
    enum pen_edge_weights graph;
    double heat;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct tr_fsda, alpha, 0.1, 0, PEN_NO_LIMIT, "0.01 0.1 1",
                   "weight of the graph"),
    PEN_POSITIVE(struct tr_fsda, ridge, 0.1, PEN_NO_LIMIT, NULL,
                 "weight of the length of columns, as it is, not in units of a mean"),
    PEN_INT(struct tr_fsda, neighbors, 5, 1, PEN_NO_LIMIT,
            "nearest neighbors of a row that are joined to it"),
    PEN_CHOICE(struct tr_fsda, graph, pen_edge_weight_names, PEN_EDGES_BINARY,
               "weights of edges: 1, or the heat kernel"),
    PEN_POSITIVE(struct tr_fsda, heat, 0, PEN_NO_LIMIT, pen_auto_words,
                 "width of the heat kernel; auto: mean squared distance of neighbors"),
    PEN_PARAMS_END,
};

static const pen_param common[] = { PEN_DIM_AUTO(
                                        "dimensions of the embedding; auto: the classes less one"),
                                    PEN_PCA(0, "off 0.95"), PEN_PARAMS_END };

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct tr_fsda *p = params_;
    const pen_weighting how = { p->neighbors, p->graph, p->heat };
    pen_flexible problem;
    pen_graph graph;
    pen_span span;
    pen_sym S_t;
    double ratio;

    PEN_TRY(pen_need_classes(run, x, 2));
    if (p->alpha > 0)
        PEN_TRY(pen_graph_affinities(run, x, &how, &graph));
    PEN_TRY(pen_sym_zero(run, x->d, &S_t));
    PEN_TRY(pen_scatter_total_precise(run, 1, x, PEN_TOTAL_SCATTER, &S_t));
    PEN_TRY(pen_solve_span(run, &S_t, &span));
    PEN_TRY(pen_solve_enough(run, span.rank, request));
    PEN_TRY(pen_scatter_flexible(run, p->alpha, x, p->alpha > 0 ? &graph : NULL, &span,
                                 sqrt(pen_sym_trace(&S_t)), &problem));
    const int64_t k = pen_min(request->wanted ? request->wanted : x->classes - 1, span.rank);
    PEN_TRY(pen_solve_flexible(run, &problem, p->ridge, k, out, &ratio));
    out->ridge = p->ridge;
    return pen_solve_return(run, &span, out);
}

const pen_method pen_method_tr_fsda = {
    .name = "tr-fsda",
    .title = "Trace ratio based flexible semi-supervised discriminant analysis",
    .cite = "Huang, Xu, Nie: Semi-supervised dimension reduction using trace ratio criterion. IEEE "
            "Transactions on Neural Networks and "
            "Learning Systems 23 (2012) 519-526",
    .dims = "rank of the centered rows; auto: classes - 1",
    .cost = "n^2 d + n k d a step of the graph system + n d^2 + d^3 a step",
    .source = PEN_SOURCE_PROGRAM,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_UNNESTED,
    .params = params,
    .size = sizeof(struct tr_fsda),
    .common = common,
    .fit = fit,
};
