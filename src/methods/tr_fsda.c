/* tr_fsda.c - TR-FSDA, trace ratio based flexible semi-supervised discriminant analysis.
 *
 *   maximize  tr(F'L_b F) / (tr(F'L_a F) + |X W - F|^2 + ridge |W|^2)   over F and W,  W'W = I
 *
 * L_b, L_t: Laplacians of the between-class and the total scatter of the labelled rows, about their
 * mean. L_a = L_t + alpha L, L the Laplacian of the graph of nearest neighbors over all rows. X:
 * rows, centered on the mean of all. F may deviate from X W to follow the graph.
 * Huang, Xu, Nie: IEEE Transactions on Neural Networks and Learning Systems 23 (2012) 519-526.
 */
#include "methods/method.h"
#include "solve/flexible.h"

struct tr_fsda {
    double alpha, ridge;
    pen_affinity_rules affinity;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct tr_fsda, alpha, 0.1, 0, PEN_NO_LIMIT, "0.01 0.1 1",
                   "weight of the graph"),
    PEN_POSITIVE(struct tr_fsda, ridge, 0.1, PEN_NO_LIMIT, NULL, "absolute ridge weight"),
    PEN_AFFINITY_PARAMS(struct tr_fsda, PEN_EDGES_BINARY, ""),
    PEN_COMMON_PARAMS_OF(PEN_DIM_AUTO("the number of classes minus one"),
                         PEN_PCA("0.95", "off 0.95")),
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    const struct tr_fsda *p = params_;
    pen_graph graph = { .n = x->n };
    pen_flexible ratio;
    pen_span span;
    int64_t k;

    if (p->alpha > 0)
        PEN_TRY(pen_graph_affinities(run, problem, &p->affinity, &graph));
    PEN_TRY(pen_solve_span_of(run, x, &span));
    PEN_TRY(pen_solve_count(run, x->classes - 1, span.rank, request, &k));
    PEN_TRY(pen_scatter_flexible(run, p->alpha, x, &graph, &span, &ratio));
    PEN_TRY(pen_solve_flexible(run, &ratio, p->ridge, k, out));
    return pen_solve_return(run, &span, out);
}

const pen_method pen_method_tr_fsda = {
    .name = "tr-fsda",
    .title = "Trace ratio based flexible semi-supervised discriminant analysis",
    .cite = "Huang, Xu, Nie: Semi-supervised dimension reduction using trace ratio criterion. IEEE "
            "Transactions on Neural Networks and Learning Systems 23 (2012) 519-526",
    .dims = "rank of the centered rows; auto: classes - 1",
    .cost = "n^2 d + n k d t + n d^2 + d^3 t",
    .not_for = "nearest neighbors in few dimensions; use sda or self",
    .source = PEN_SOURCE_PROGRAM,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_UNNESTED | PEN_NEIGHBORS,
    PEN_INNER(.needs = { .classes = 2 }, PEN_FIT(struct tr_fsda)),
};
