/* fme.c - FME, flexible manifold embedding.
 *
 *   minimize  tr((F - Y)'U(F - Y)) + tr(F'LF) + mu (|W|^2 + gamma |X W + 1 b' - F|^2)
 *       over F, W and b
 *
 * F: class scores of all rows. Y: 1 for the class of a labelled row, 0 elsewhere. U: diagonal,
 * label_weight or unlabelled_weight. L: Laplacian of the nearest neighbors' graph over all rows,
 * edges of weight 1 or exp(-|x_i - x_j|^2 / heat). X: rows, centered on the mean of all.
 * Nie, Xu, Tsang, Zhang: IEEE Transactions on Image Processing 19 (2010) 1921-1932.
 */
#include "methods/method.h"
#include "solve/regression.h"
#include "solve/scores.h"

struct fme {
    double mu, gamma, label_weight, unlabelled_weight;
    int64_t neighbors;
    enum pen_edge_weights graph;
    double heat;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct fme, mu, 0.1, 0, PEN_NO_LIMIT, "0.01 0.1 1 10",
                   "weight of the regression beside the graph; 0: scores without a look at the "
                   "rows, then the regression"),
    PEN_POSITIVE(struct fme, gamma, 1, PEN_NO_LIMIT, NULL,
                 "weight of the fit of the regression beside the length of its columns"),
    PEN_POSITIVE(struct fme, label_weight, 10, PEN_NO_LIMIT, NULL,
                 "how much scores of labelled rows are held to their labels"),
    PEN_REAL(struct fme, unlabelled_weight, 0, 0, PEN_NO_LIMIT,
             "how much scores of other rows are held to zero"),
    PEN_INT(struct fme, neighbors, 5, 1, PEN_NO_LIMIT,
            "nearest neighbors of a row that are joined to it"),
    PEN_CHOICE(struct fme, graph, pen_edge_weight_names, PEN_EDGES_HEAT,
               "weights of edges: 1, or the heat kernel"),
    PEN_POSITIVE(struct fme, heat, 0, PEN_NO_LIMIT, pen_auto_words,
                 "width of the heat kernel; auto: mean squared distance of neighbors"),
    PEN_PARAMS_END,
};

static const pen_param common[] = {
    PEN_DIM_AUTO("dimensions of the embedding: as many as there are classes; auto"), PEN_PARAMS_END
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct fme *p = params_;
    const pen_weighting how = { p->neighbors, p->graph, p->heat };
    const pen_label_weights weights = { p->label_weight, p->unlabelled_weight };
    pen_graph graph;

    /* One class: without a pull to zero all scores are 1. */
    PEN_TRY(pen_need_classes(run, x, p->unlabelled_weight > 0 && x->labelled < x->n ? 1 : 2));
    PEN_TRY(pen_need_dim_of_classes(run, x, request));
    PEN_TRY(pen_graph_affinities(run, x, &how, &graph));
    PEN_TRY(pen_scores_flexible(run, x, &graph, &weights, p->mu, p->gamma, out));
    return pen_need_columns(run, out);
}

const pen_method pen_method_fme = {
    .name = "fme",
    .title = "Flexible manifold embedding",
    .cite = "Nie, Xu, Tsang, Zhang: Flexible manifold embedding: a framework for semi-supervised "
            "and unsupervised dimension reduction. IEEE "
            "Transactions on Image Processing 19 (2010) 1921-1932",
    .dims = "classes",
    .cost = "n^2 d for the neighbors, n d^2 + d^3, n d classes an iteration",
    .source = PEN_SOURCE_PROGRAM,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_PREDICTS | PEN_PROPAGATES | PEN_UNNESTED,
    .params = params,
    .size = sizeof(struct fme),
    .common = common,
    .fit = fit,
};
