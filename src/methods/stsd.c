/* stsd.c - STSD, semi-supervised tangent space discriminant analysis; experimental.
 *
 *   maximize  tr((W'(S_t + alpha X'RX + beta I) W)^-1 W'S_b W)        W'(...)W = I
 *
 * S_b, S_t: scatter between classes and all of it, labelled rows about their mean. w'X'RX w: the
 * smallest value over slopes t_i [q] of
 *
 *   sum_ij A_ij (((x_i - x_j)'(w - T_j t_j))^2 + gamma |t_i - T_i'T_j t_j|^2)
 *       + beta/alpha sum_i |t_i|^2
 *
 * T_i [d x q]: principal directions of row i and its neighbors; A: their graph, edges of weight 1
 * or exp(-|x_i - x_j|^2 / heat), pairs both ways. After the idea of Zhou, Sun: Mathematical
 * Problems in Engineering (2015), article 706180. Reconstructed: where the weights stand, and the
 * weights of edges, are this library's.
 */
#include "graph/affinity_graph.h"
#include "methods/method.h"
#include "scatter/tangent_scatter.h"

struct stsd {
    double alpha, gamma, beta;
    int64_t tangent_dim, neighbors;
    enum pen_edge_weights graph;
    double heat;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct stsd, alpha, 0.1, 0, PEN_NO_LIMIT, "0.01 0.1 1",
                   "weight of the tangents"),
    PEN_REAL(struct stsd, gamma, 1, 0, PEN_NO_LIMIT,
             "weight of differences between slopes of near rows"),
    PEN_REAL(struct stsd, beta, 1e-4, 0, PEN_NO_LIMIT,
             "weight of squared lengths of columns and slopes, as it is"),
    PEN_INT(struct stsd, tangent_dim, 2, 1, PEN_NO_LIMIT,
            "directions of a tangent, if its rows differ in so many"),
    PEN_INT(struct stsd, neighbors, 5, 1, PEN_NO_LIMIT,
            "nearest neighbors of a row that are joined to it and make its tangent"),
    PEN_CHOICE(struct stsd, graph, pen_edge_weight_names, PEN_EDGES_BINARY,
               "weights of edges: 1, or the heat kernel"),
    PEN_POSITIVE(struct stsd, heat, 0, PEN_NO_LIMIT, pen_auto_words,
                 "width of the heat kernel; auto: mean squared distance of neighbors"),
    PEN_PARAMS_END,
};

static pen_status scatter_of_tangents(pen_run *run, const struct stsd *p, const pen_rows *x,
                                      pen_sym *C)
{
    const pen_tangent_weights weights = { p->alpha, p->gamma, p->beta };
    const pen_weighting how = { p->neighbors, p->graph, p->heat };
    pen_neighbor *nearest;
    pen_tangents tangents;
    pen_graph graph;

    if (p->alpha == 0)
        return PEN_OK;
    PEN_TRY(pen_graph_affinities_of(run, x, &how, &nearest, &graph));
    PEN_TRY(pen_tangents_find(run, x, p->neighbors, nearest,
                              pen_min(p->tangent_dim, pen_min(p->neighbors, x->d)), &tangents));
    pen_note(run, "missing_directions", (double)tangents.missing);
    return pen_scatter_tangents(run, x, &graph, &tangents, &weights, C);
}

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct stsd *p = params_;
    pen_sym S_b, C;

    PEN_TRY(pen_need_classes(run, x, 2));
    PEN_TRY(pen_sym_zero(run, x->d, &S_b));
    PEN_TRY(pen_sym_zero(run, x->d, &C));
    PEN_TRY(pen_scatter_classes(run, 1, x, &S_b, &C));
    pen_sym_add(&S_b, &C);
    PEN_TRY(scatter_of_tangents(run, p, x, &C));
    pen_sym_add_identity(p->beta, &C);
    out->ridge = p->beta;
    return pen_solve_ratio(run, &S_b, &C, 0, PEN_METRIC_PLAIN, request, out);
}

const pen_method pen_method_stsd = {
    .name = "stsd",
    .title = "Semi-supervised tangent space discriminant analysis",
    .cite = "after Zhou, Sun: Semisupervised tangent space discriminant analysis. Mathematical "
            "Problems in Engineering (2015), article 706180",
    .dims = "classes - 1, at most d",
    .cost = "n^2 d + n k d^2 + d^3",
    .source = PEN_SOURCE_RECONSTRUCTED,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct stsd),
    .ridge = "beta",
    .fit = fit,
};
