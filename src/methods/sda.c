/* sda.c - SDA, semi-supervised discriminant analysis.
 *
 *   maximize  tr((W'(S_l + alpha X'LX + ridge I) W)^-1 W'S_b W)        columns of length one
 *
 * S_l = sum over labelled rows of x x', S_b = sum_c n_c m_c m_c', x centered on the mean of all
 * rows, m_c and n_c mean and size of class c. L: Laplacian of the nearest neighbors' graph over
 * all rows, edges of weight 1 or exp(-|x_i - x_j|^2 / heat).
 * Cai, He, Han: IEEE International Conference on Computer Vision (2007).
 */
#include "graph/affinity_graph.h"
#include "methods/method.h"

struct sda {
    double alpha, ridge;
    int64_t neighbors;
    enum pen_edge_weights graph;
    double heat;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct sda, alpha, 0.1, 0, PEN_NO_LIMIT, "0.01 0.1 1 10", "weight of the graph"),
    PEN_TUNED_REAL(struct sda, ridge, 0.1, 0, PEN_NO_LIMIT, "0.1 10",
                   "added to the diagonal as it is, not in units of its mean"),
    PEN_INT(struct sda, neighbors, 5, 1, PEN_NO_LIMIT,
            "nearest neighbors of a row that are joined to it"),
    PEN_CHOICE(struct sda, graph, pen_edge_weight_names, PEN_EDGES_BINARY,
               "weights of edges: 1, or the heat kernel"),
    PEN_POSITIVE(struct sda, heat, 0, PEN_NO_LIMIT, pen_auto_words,
                 "width of the heat kernel; auto: mean squared distance of neighbors"),
    PEN_PARAMS_END,
};

static pen_status scatter_of_graph(pen_run *run, const struct sda *p, const pen_rows *x, pen_sym *C)
{
    const pen_weighting how = { p->neighbors, p->graph, p->heat };
    pen_graph graph;

    if (p->alpha == 0)
        return PEN_OK;
    PEN_TRY(pen_graph_affinities(run, x, &how, &graph));
    return pen_scatter_graph(run, p->alpha, x, &graph, NULL, C);
}

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct sda *p = params_;
    pen_sym S_b, C;

    PEN_TRY(pen_need_classes(run, x, 2));
    PEN_TRY(pen_sym_zero(run, x->d, &S_b));
    PEN_TRY(pen_sym_zero(run, x->d, &C));
    PEN_TRY(pen_scatter_classes_about_all(run, x, &S_b, &C));
    PEN_TRY(scatter_of_graph(run, p, x, &C));
    pen_sym_add_identity(p->ridge, &C);
    out->ridge = p->ridge;
    PEN_TRY(pen_solve_ratio(run, &S_b, &C, 0, PEN_METRIC_PLAIN, request, out));
    pen_solve_unit_columns(out);
    return PEN_OK;
}

const pen_method pen_method_sda = {
    .name = "sda",
    .title = "Semi-supervised discriminant analysis",
    .cite = "Cai, He, Han: Semi-supervised discriminant analysis. IEEE International Conference on "
            "Computer Vision (2007)",
    .dims = "classes, at most d",
    .cost = "n^2 d + n k d + n d^2 + d^3",
    .source = PEN_SOURCE_PROGRAM,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct sda),
    .fit = fit,
};
