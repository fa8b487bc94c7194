/* stsd.c - STSD, semi-supervised tangent space discriminant analysis; experimental.
 *
 *   maximize  tr((W'(S_t + alpha X'RX + beta I) W)^-1 W'S_b W),  W'(...)W = I
 *
 *   S_b, S_t: between-class and total scatter, labelled rows about their mean
 *   w'X'RX w: the least value over slopes t_i [q] of
 *       sum_ij A_ij (((x_i - x_j)'(w - T_j t_j))^2 + gamma |t_i - T_i'T_j t_j|^2)
 *           + beta/alpha sum_i |t_i|^2
 *   T_i [d x q]: principal directions of row i and its neighbors;  A: their graph, edges of weight
 *   1 or exp(-|x_i - x_j|^2 / heat), pairs both ways
 *
 * After the idea of Zhou, Sun: Mathematical Problems in Engineering (2015), article 706180.
 * Reconstructed: the places of the weights, and the edge weights, are this library's.
 */
#include "methods/method.h"
#include "scatter/tangent_scatter.h"

struct stsd {
    pen_tangent_weights tangents;
    int64_t tangent_dim;
    pen_affinity_rules affinity;
};

static const pen_param params[] = {
    PEN_ROW(struct stsd, tangents.alpha, "alpha", PEN_PARAM_REAL, .initial = 0.1,
            .max = PEN_NO_LIMIT, .grid = "0.01 0.1 1", .help = "weight of the tangents"),
    PEN_ROW(struct stsd, tangents.gamma, "gamma", PEN_PARAM_REAL, .initial = 1, .max = PEN_NO_LIMIT,
            .help = "weight of differences between the slopes of neighbors"),
    PEN_ROW(struct stsd, tangents.beta, "beta", PEN_PARAM_REAL, .initial = 1e-4,
            .max = PEN_NO_LIMIT, .help = "absolute ridge weight of columns and slopes"),
    PEN_INT(struct stsd, tangent_dim, 2, 1, PEN_NO_LIMIT,
            "maximum number of directions in a tangent"),
    PEN_AFFINITY_PARAMS(struct stsd, PEN_EDGES_BINARY, " and used for its tangent"),
    PEN_COMMON_PARAMS,
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct stsd *p = params_;
    pen_sym S_b, C;

    PEN_TRY(PEN_ZEROS(run, problem->rows.d, &S_b, &C));
    PEN_TRY(pen_scatter_classes(run, 1, &problem->rows, &S_b, &C));
    pen_sym_add(&S_b, &C); /* C = S_t */
    PEN_TRY(
        pen_scatter_affine_tangents(run, problem, &p->affinity, p->tangent_dim, &p->tangents, &C));
    pen_sym_add_identity(p->tangents.beta, &C);
    out->ridge = p->tangents.beta;
    return pen_solve_ratio(run, &S_b, &C, NULL, PEN_COLUMNS_PLAIN, request, out);
}

PEN_SOUGHT(struct stsd, p->tangents.alpha > 0 ? PEN_SOUGHT_ALL : PEN_SOUGHT_NOTHING)

const pen_method pen_method_stsd = {
    .name = "stsd",
    .title = "Semi-supervised tangent space discriminant analysis",
    .cite = "after Zhou, Sun: Semisupervised tangent space discriminant analysis. Mathematical "
            "Problems in Engineering (2015), article 706180",
    .dims = "classes - 1, at most d",
    .cost = "n^2 d + n k d^2 + d^3",
    .source = PEN_SOURCE_RECONSTRUCTED,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_NEIGHBORS | PEN_MERGES,
    PEN_INNER(.sought = sought, .needs = { .classes = 2 }, .ridge = "beta", PEN_FIT(struct stsd)),
};
