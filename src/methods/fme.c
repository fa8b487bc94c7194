/* fme.c - FME, flexible manifold embedding.
 *
 *   minimize  tr((F - Y)'U(F - Y)) + tr(F'LF) + mu (|W|^2 + gamma |X W + 1 b' - F|^2)
 *             over F, W and b
 *
 * F: class scores of all rows. Y: 1 for the class of a labelled row, 0 elsewhere. U: diagonal,
 * label_weight or unlabelled_weight. L: Laplacian of the graph of nearest neighbors over all rows,
 * edges of weight 1 or exp(-|x_i - x_j|^2 / heat). X: rows, centered on the mean of all.
 * Nie, Xu, Tsang, Zhang: IEEE Transactions on Image Processing 19 (2010) 1921-1932.
 */
#include "methods/method.h"
#include "solve/scores.h"

struct fme {
    double mu, gamma;
    pen_label_weights weights;
    pen_affinity_rules affinity;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct fme, mu, 0.1, 0, PEN_NO_LIMIT, "0.01 0.1 1 10",
                   "weight of the regression; 0: graph scores first, then regression"),
    PEN_TUNED_POSITIVE(struct fme, gamma, 1, PEN_NO_LIMIT, NULL, "1 1000 0.01 0.001",
                       "weight of the error of the regression relative to its ridge"),
    PEN_LABEL_WEIGHT_PARAMS(struct fme),
    PEN_AFFINITY_PARAMS(struct fme, PEN_EDGES_HEAT, ""),
    PEN_COMMON_PARAMS_OF(PEN_DIM_AUTO("always the number of classes"), PEN_PCA_OFF),
};

/* With no pull toward zero, all scores of a single class would be 1. */
static pen_needs needs(const pen_problem *problem, const void *params_)
{
    const int pulled = ((const struct fme *)params_)->weights.unlabelled > 0
                       && problem->rows.labelled < problem->rows.n;
    return (pen_needs){ .classes = pulled ? 1 : 2, .dim_of_classes = 1 };
}

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct fme *p = params_;
    pen_graph graph;

    (void)request;
    PEN_TRY(pen_graph_affinities(run, problem, &p->affinity, &graph));
    return pen_scores_flexible(run, &problem->rows, &graph, &p->weights, p->mu, p->gamma, out);
}

const pen_method pen_method_fme = {
    .name = "fme",
    .title = "Flexible manifold embedding",
    .cite = "Nie, Xu, Tsang, Zhang: Flexible manifold embedding: a framework for semi-supervised "
            "and unsupervised dimension reduction. IEEE Transactions on Image Processing 19 (2010)",
    .dims = "classes",
    .cost = "n^2 d + n d^2 + d^3 + n d c t",
    .source = PEN_SOURCE_PROGRAM,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_PREDICTS | PEN_PROPAGATES | PEN_UNNESTED
              | PEN_NEIGHBORS,
    PEN_INNER(.needs_of = needs, PEN_FIT(struct fme)),
};
