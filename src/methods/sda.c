/* sda.c - SDA, semi-supervised discriminant analysis.
 *
 *   maximize  tr((W'(S_l + alpha X'LX + ridge I) W)^-1 W'S_b W),  columns of length one
 *
 *   S_l = sum over labelled rows of x x',   S_b = sum_c n_c m_c m_c',   x centered on the mean of
 *   all rows, m_c and n_c mean and size of class c
 *   L: Laplacian of the graph of nearest neighbors over all rows, edges of weight 1 or
 *   exp(-|x_i - x_j|^2 / heat)
 *
 * Cai, He, Han: IEEE International Conference on Computer Vision (2007).
 */
#include "methods/method.h"

struct sda {
    double alpha, ridge;
    pen_affinity_rules affinity;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct sda, alpha, 0.1, 0, PEN_NO_LIMIT, "0.01 0.1 1 10", "weight of the graph"),
    PEN_TUNED_REAL(struct sda, ridge, 0.1, 0, PEN_NO_LIMIT, "0.1 10",
                   "absolute ridge: added to the diagonal as given, not in units of its mean"),
    PEN_AFFINITY_PARAMS(struct sda, PEN_EDGES_BINARY, ""),
    PEN_COMMON_PARAMS,
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct sda *p = params_;
    pen_sym S_b, C;

    PEN_TRY(PEN_ZEROS(run, problem->rows.d, &S_b, &C));
    PEN_TRY(pen_scatter_classes_about_all(run, &problem->rows, &S_b, &C));     /* S_b, C += S_l */
    PEN_TRY(pen_scatter_affinities(run, p->alpha, problem, &p->affinity, &C)); /* C += alpha X'LX */
    pen_sym_add_identity(p->ridge, &C);
    out->ridge = p->ridge;
    PEN_TRY(pen_solve_ratio(run, &S_b, &C, NULL, PEN_COLUMNS_PLAIN, request, out));
    pen_solve_unit_columns(out);
    return PEN_OK;
}

PEN_SOUGHT(struct sda, p->alpha > 0 ? PEN_SOUGHT_ALL : PEN_SOUGHT_NOTHING)

const pen_method pen_method_sda = {
    .name = "sda",
    .title = "Semi-supervised discriminant analysis",
    .cite = "Cai, He, Han: Semi-supervised discriminant analysis. IEEE International Conference on "
            "Computer Vision (2007)",
    .dims = "classes, at most d",
    .cost = "n^2 d + n k d + n d^2 + d^3",
    .source = PEN_SOURCE_PROGRAM,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_NEIGHBORS | PEN_MERGES,
    PEN_INNER(.sought = sought, .direct = 1, .needs = { .classes = 2 }, PEN_FIT(struct sda)),
};
