/* soge.c - SOGE, semi-supervised orthogonal graph embedding.
 *
 *   minimize  tr((F - Y)'U(F - Y)) + tr(F'LF) + mu |X W + 1 b' - F|^2   over F, W and b,  W'W = I
 *
 * F: class scores of all rows. Y: 1 for the class of a labelled row, 0 elsewhere. U: diagonal,
 * label_weight or unlabelled_weight. L: Laplacian of the graph of nearest neighbors over all rows,
 * edges of weight 1 or exp(-|x_i - x_j|^2 / heat). X: centered rows. Further columns come in blocks
 * of one per class: each block solves the same problem orthogonal to the earlier columns.
 * Liu, Han, Nie: International Joint Conference on Artificial Intelligence (2017) 2308-2314.
 */
#include "methods/method.h"
#include "solve/scores.h"

struct soge {
    double mu;
    pen_label_weights weights;
    pen_affinity_rules affinity;
    double tol;
    int64_t max_iter;
};

static const pen_param params[] = {
    PEN_ROW(struct soge, mu, "mu", PEN_PARAM_REAL, .initial = 0.1, .open = PEN_OPEN_MIN,
            .max = PEN_NO_LIMIT, .grid = "0.01 0.1 1 10", .help = "weight of the projection"),
    PEN_LABEL_WEIGHT_PARAMS(struct soge),
    PEN_AFFINITY_PARAMS(struct soge, PEN_EDGES_HEAT, ""),
    PEN_STOP_PARAMS(struct soge, 1e-12, 2000),
    PEN_COMMON_PARAMS_OF(PEN_DIM_AUTO("the number of classes"), PEN_PCA_OFF),
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    const struct soge *p = params_;
    const pen_alternation rules = { "soge", p->tol, 1, p->max_iter };
    pen_graph graph;
    pen_span span;
    int64_t k;

    PEN_TRY(pen_solve_span_of(run, x, &span));
    PEN_TRY(pen_scores_count(run, x, &span, request, &k));
    PEN_TRY(pen_graph_affinities(run, problem, &p->affinity, &graph));
    return pen_scores_orthogonal(run, x, &graph, &p->weights, p->mu, &span, k, &rules, out);
}

const pen_method pen_method_soge = {
    .name = "soge",
    .title = "Semi-supervised orthogonal graph embedding",
    .cite = "Liu, Han, Nie: Semi-supervised orthogonal graph embedding with recursive projections. "
            "International Joint Conference on Artificial Intelligence (2017)",
    .dims = "number of classes, then blocks of that size up to the rank of the centered rows",
    .cost = "n^2 d + 40 n k d t + n d^2 + d^3 + d^2 c t",
    .not_for = "columns in different units without --scale standard; use fme",
    .source = PEN_SOURCE_PROGRAM,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_PREDICTS | PEN_PROPAGATES | PEN_UNNESTED
              | PEN_NEIGHBORS,
    PEN_INNER(.needs = { .classes = 1 }, PEN_FIT(struct soge)),
};
