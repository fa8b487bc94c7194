/* lfda.c - LFDA, local Fisher discriminant analysis.
 *
 *   maximize  tr((T'S_lw T)^-1 T'S_lb T)
 *
 *   S_lb, S_lw: local scatters between and within classes, labelled rows
 *
 * Pairs within a class are weighted by their affinity exp(-|x_i - x_j|^2 / (sigma_i sigma_j)).
 * sigma is the distance to the neighbors-th nearest row of the class (as in the paper), of all
 * labelled rows, or of all rows. Other affinities: Sugiyama et al. 2010, section 3.2. ridge r > 0:
 * S_lw + r tr(S_lw)/d I replaces S_lw.
 * Sugiyama: Journal of Machine Learning Research 8 (2007) 1027-1061, equations 9-14.
 */
#include "methods/method.h"

struct lfda {
    pen_class_affinity affinity;
    enum pen_scaling scaling_rows;
    double ridge;
    enum pen_columns column_scaling;
};

static const pen_param params[] = {
    PEN_CLASS_AFFINITY_PARAMS(struct lfda, affinity, "3 7 15"),
    PEN_CHOICE(struct lfda, scaling_rows, pen_scaling_names, PEN_SCALING_CLASSWISE,
               "local scaling: rows to search for neighbors"),
    PEN_REGULAR(struct lfda, "auto 0.01 1", "the within scatter"),
    PEN_COLUMN_SCALING(struct lfda, PEN_COLUMNS_WEIGHTED),
    PEN_COMMON_PARAMS,
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct lfda *p = params_;
    const pen_ridge ridge = { p->ridge, .residuals = &problem->rows };
    pen_sym S_lb, S_lw;

    PEN_TRY(PEN_ZEROS(run, problem->rows.d, &S_lb, &S_lw));
    PEN_TRY(pen_scatter_local(run, 1, 1, problem, &p->affinity, p->scaling_rows, &S_lb, &S_lw));
    return pen_solve_ratio(run, &S_lb, &S_lw, &ridge, p->column_scaling, request, out);
}

PEN_SOUGHT(struct lfda, p->scaling_rows != PEN_SCALING_ALL ? PEN_SOUGHT_NOTHING
                                                           : pen_affinity_sought(&p->affinity))

const pen_method pen_method_lfda = {
    .name = "lfda",
    .title = "Local Fisher discriminant analysis",
    .cite = "Sugiyama: Dimensionality reduction of multimodal labeled data by local Fisher "
            "discriminant analysis. Journal of Machine Learning Research 8 (2007) 1027-1061",
    .dims = "rank of S_lb, at most l - 1 and d",
    .cost = "l^2 d + l d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS | PEN_NEIGHBORS | PEN_MERGES_ROWS,
    PEN_INNER(.sought = sought, .of_known_rows = 1, .needs = { .classes = 2 },
              PEN_FIT(struct lfda)),
};
