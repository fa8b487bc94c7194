/* soda.c - SODA, semi-supervised orthogonal discriminant analysis via label propagation.
 *
 *   maximize  tr(W'S_b W) / tr(W'(S_w + ridge max diag(S_w) I) W),  W'W = I
 *
 * S_b, S_w: scatters between and within classes that rows belong to in part, F
 * (scatter/soft_scatter.h).
 * Labelled rows belong to their class; the others to what they are handed by their neighbors
 * (graph/label_propagation.h): F_i = alpha sum_j P_ij F_j, P_ij = A_ij / sum_j A_ij, A the graph of
 * nearest neighbors.
 * Nie, Xiang, Jia, Zhang: Pattern Recognition 42 (2009) 2615-2627.
 */
#include "graph/label_propagation.h"
#include "graph/affinity_graph.h"
#include "solve/trace_ratio.h"
#include "methods/method.h"
#include "scatter/soft_scatter.h"

struct soda {
    double alpha, ridge;
    int64_t neighbors;
    enum pen_edge_weights graph;
    double heat;
};

static const pen_param params[] = {
    PEN_BELOW(struct soda, alpha, 0.99, 1,
              "what an unlabelled row takes from its neighbors; 0: nothing"),
    PEN_TUNED_REAL(struct soda, ridge, 1e-3, 0, PEN_NO_LIMIT, "0.001 0.1",
                   "added to the diagonal of S_w, in units of its largest entry"),
    PEN_INT(struct soda, neighbors, 5, 1, PEN_NO_LIMIT,
            "nearest neighbors of a row that are joined to it"),
    PEN_CHOICE(struct soda, graph, pen_edge_weight_names, PEN_EDGES_HEAT,
               "weights of edges: 1, or the heat kernel"),
    PEN_POSITIVE(struct soda, heat, 0, PEN_NO_LIMIT, pen_auto_words,
                 "width of the heat kernel; auto: mean squared distance of neighbors"),
    PEN_PARAMS_END,
};

static const pen_param common[] = { PEN_DIM_AUTO(
                                        "dimensions of the embedding; auto: twice the classes"),
                                    PEN_PCA(0, "off 0.95"), PEN_PARAMS_END };

static pen_status find_parts(pen_run *run, const struct soda *p, const pen_rows *x, double *F)
{
    const pen_weighting how = { p->neighbors, p->graph, p->heat };
    pen_graph graph;

    if (p->alpha == 0 || x->labelled == x->n)
        return pen_propagate_labels(run, x, NULL, 0, F);
    PEN_TRY(pen_graph_affinities(run, x, &how, &graph));
    return pen_propagate_labels(run, x, &graph, p->alpha, F);
}

/* S_b and the regularized S_w in the span of the rows. */
static pen_status find_scatters(pen_run *run, const struct soda *p, const pen_rows *x,
                                const double *F, const pen_span *span, pen_sym *B, pen_sym *C,
                                pen_map *out)
{
    pen_sym S_b, S_w;
    double largest;

    PEN_TRY(pen_sym_zero(run, x->d, &S_b));
    PEN_TRY(pen_sym_zero(run, x->d, &S_w));
    PEN_TRY(pen_scatter_soft(run, x, F, &S_b, &S_w, &largest));
    out->ridge = p->ridge * largest;
    pen_sym_add_identity(out->ridge, &S_w);
    PEN_TRY(pen_sym_project(run, &S_b, span->basis, span->rank, B));
    return pen_sym_project(run, &S_w, span->basis, span->rank, C);
}

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    double *F, ratio;
    pen_sym S_t, B, C;
    pen_span span;

    PEN_TRY(pen_need_classes(run, x, 2));
    PEN_TRY(PEN_NEW(run, F, pen_times(x->n, x->classes)));
    PEN_TRY(find_parts(run, params_, x, F));
    PEN_TRY(pen_sym_zero(run, x->d, &S_t));
    PEN_TRY(pen_scatter_total_precise(run, 1, x, PEN_TOTAL_SCATTER, &S_t));
    PEN_TRY(pen_solve_span(run, &S_t, &span));
    PEN_TRY(pen_solve_enough(run, span.rank, request));
    PEN_TRY(find_scatters(run, params_, x, F, &span, &B, &C, out));
    out->propagated = F;
    const int64_t k = pen_min(request->wanted ? request->wanted : 2 * x->classes, span.rank);
    PEN_TRY(pen_solve_trace_ratio(run, &B, &C, k, PEN_NEWTON_DECOMPOSED, out, &ratio));
    return pen_solve_return(run, &span, out);
}

const pen_method pen_method_soda = {
    .name = "soda",
    .title = "Semi-supervised orthogonal discriminant analysis via label propagation",
    .cite = "Nie, Xiang, Jia, Zhang: Semi-supervised orthogonal discriminant analysis via label "
            "propagation. Pattern Recognition 42 (2009) "
            "2615-2627",
    .dims = "rank of the centered rows; auto: twice the classes",
    .cost = "n^2 d + n k classes a step of the propagation + n d^2 + d^3 a step",
    .source = PEN_SOURCE_PROGRAM,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_PROPAGATES | PEN_UNNESTED,
    .params = params,
    .size = sizeof(struct soda),
    .common = common,
    .fit = fit,
};
