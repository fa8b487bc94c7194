/* soge.c - SOGE, semi-supervised orthogonal graph embedding.
 *
 *   minimize  tr((F - Y)'U(F - Y)) + tr(F'LF) + mu |X W + 1 b' - F|^2   over F, W and b,  W'W = I
 *
 * F: class scores of all rows. Y: 1 for the class of a labelled row, 0 elsewhere. U: diagonal,
 * label_weight or unlabelled_weight. L: Laplacian of the nearest neighbors' graph over all rows,
 * edges of weight 1 or exp(-|x_i - x_j|^2 / heat). X: rows, centered on the mean of all. As many
 * columns at a time as there are classes; more of them solve the same problem orthogonal to those
 * before.
 * Liu, Han, Nie: International Joint Conference on Artificial Intelligence (2017) 2308-2314.
 */
#include "methods/method.h"
#include "solve/scores.h"

struct soge {
    double mu, label_weight, unlabelled_weight;
    int64_t neighbors;
    enum pen_edge_weights graph;
    double heat, tol;
    int64_t max_iter;
};

static const pen_param params[] = {
    { .name = "mu",
      .type = PEN_PARAM_REAL,
      .initial = 0.1,
      .open = PEN_OPEN_MIN,
      .max = PEN_NO_LIMIT,
      .grid = "0.01 0.1 1 10",
      .help = "weight of the projection beside the graph",
      .offset = offsetof(struct soge, mu) },
    PEN_POSITIVE(struct soge, label_weight, 10, PEN_NO_LIMIT, NULL,
                 "how much scores of labelled rows are held to their labels"),
    PEN_REAL(struct soge, unlabelled_weight, 0, 0, PEN_NO_LIMIT,
             "how much scores of other rows are held to zero"),
    PEN_INT(struct soge, neighbors, 5, 1, PEN_NO_LIMIT,
            "nearest neighbors of a row that are joined to it"),
    PEN_CHOICE(struct soge, graph, pen_edge_weight_names, PEN_EDGES_HEAT,
               "weights of edges: 1, or the heat kernel"),
    PEN_POSITIVE(struct soge, heat, 0, PEN_NO_LIMIT, pen_auto_words,
                 "width of the heat kernel; auto: mean squared distance of neighbors"),
    PEN_REAL(struct soge, tol, 1e-12, 0, PEN_NO_LIMIT,
             "iterations end where the objective falls by no more than this part of it"),
    PEN_INT(struct soge, max_iter, 2000, 1, PEN_NO_LIMIT, "iterations at most"),
    PEN_PARAMS_END,
};

static const pen_param common[] = {
    PEN_DIM_AUTO(
        "dimensions of the embedding, at least as many as there are classes; auto: so many"),
    PEN_PARAMS_END
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct soge *p = params_;
    const pen_weighting how = { p->neighbors, p->graph, p->heat };
    const pen_label_weights weights = { p->label_weight, p->unlabelled_weight };
    const pen_alternation rules = { "soge", p->tol, 1, p->max_iter };
    pen_graph graph;
    pen_span span;
    pen_sym S_t;
    int64_t k;

    PEN_TRY(pen_need_classes(run, x, 1));
    PEN_TRY(pen_sym_zero(run, x->d, &S_t));
    PEN_TRY(pen_scatter_total_precise(run, 1, x, PEN_TOTAL_SCATTER, &S_t));
    PEN_TRY(pen_solve_span(run, &S_t, &span));
    PEN_REQUIRE(run, span.rank >= x->classes, PEN_RANK_TOO_SMALL,
                "the rows differ in %lld directions, fewer than the %lld classes",
                (long long)span.rank, (long long)x->classes);
    PEN_TRY(pen_solve_count(run, x->classes, span.rank / x->classes * x->classes, request, &k));
    PEN_REQUIRE(run, k >= x->classes, PEN_BAD_ARGUMENT,
                "dim must be at least %lld, the classes, got %lld", (long long)x->classes,
                (long long)k);
    PEN_TRY(pen_graph_affinities(run, x, &how, &graph));
    return pen_scores_orthogonal(run, x, &graph, &weights, p->mu, &span, k, &rules, out);
}

const pen_method pen_method_soge = {
    .name = "soge",
    .title = "Semi-supervised orthogonal graph embedding",
    .cite = "Liu, Han, Nie: Semi-supervised orthogonal graph embedding with recursive projections. "
            "International Joint Conference on Artificial "
            "Intelligence (2017)",
    .dims = "classes, and on to the rank of the centered rows, in blocks of as many as there are "
            "classes",
    .cost =
        "n^2 d for the neighbors, n k d an iteration of d systems, n d^2 + d^3, d^2 classes a step",
    .source = PEN_SOURCE_PROGRAM,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_PREDICTS | PEN_PROPAGATES | PEN_UNNESTED,
    .params = params,
    .size = sizeof(struct soge),
    .common = common,
    .fit = fit,
};
