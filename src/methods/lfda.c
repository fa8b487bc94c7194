/* lfda.c - LFDA, local Fisher discriminant analysis.
 *
 *   maximize  tr((T'S_lw T)^-1 T'S_lb T)
 *       S_lb, S_lw: local scatters between and within classes, labelled rows
 *
 * Pairs of one class count by their affinity exp(-|x_i - x_j|^2 / (sigma_i sigma_j)), sigma the
 * distance to the neighbors-th nearest sample of the class (as the paper has it), of all labelled
 * rows, or of all rows. ridge r > 0 puts S_lw + r tr(S_lw)/d I in the place of S_lw. Sugiyama:
 * Journal of Machine Learning Research 8 (2007) 1027-1061, equations 9-14.
 */
#include "methods/method.h"

struct lfda {
    int64_t neighbors;
    enum pen_scaling scaling;
    double ridge;
    enum pen_metric metric;
};

static const pen_param params[] = {
    PEN_TUNED_INT(struct lfda, neighbors, 7, 1, PEN_NO_LIMIT, "3 7 15",
                  "local scaling: distance to this neighbor"),
    PEN_CHOICE(struct lfda, scaling, pen_scaling_names, PEN_SCALING_CLASSWISE,
               "local scaling: neighbors are sought among these rows"),
    PEN_TUNED_REAL(struct lfda, ridge, 0, 0, PEN_NO_LIMIT, "0 0.01 1",
                   "added to the diagonal of the within scatter, in units of its mean"),
    PEN_CHOICE(struct lfda, metric, pen_metric_names, PEN_METRIC_WEIGHTED, "length of the columns"),
    PEN_PARAMS_END,
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct lfda *p = params_;
    pen_sym S_lb, S_lw;

    PEN_TRY(pen_need_classes(run, x, 2));
    PEN_TRY(pen_sym_zero(run, x->d, &S_lb));
    PEN_TRY(pen_sym_zero(run, x->d, &S_lw));
    PEN_TRY(pen_scatter_local(run, 1, x, p->neighbors, p->scaling, &S_lb, &S_lw));
    return pen_solve_ratio(run, &S_lb, &S_lw, p->ridge, p->metric, request, out);
}

const pen_method pen_method_lfda = {
    .name = "lfda",
    .title = "Local Fisher discriminant analysis",
    .cite = "Sugiyama: Dimensionality reduction of multimodal labeled data by local Fisher "
            "discriminant analysis. "
            "Journal of Machine Learning Research 8 (2007) 1027-1061",
    .dims = "rank of S_lb, at most l - 1 and d",
    .cost = "l^2 d + l d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS,
    .params = params,
    .size = sizeof(struct lfda),
    .fit = fit,
};
