/* fda.c - FDA, Fisher discriminant analysis.
 *
 *   maximize  tr((T'S_w T)^-1 T'S_b T)
 *
 *   S_b, S_w: scatter between and within classes, labelled rows
 *
 * The number of columns is the number of classes minus one. ridge r > 0: S_w + r tr(S_w)/d I
 * replaces S_w.
 * Fisher: Annals of Eugenics 7 (1936) 179-188.
 * Rao: Journal of the Royal Statistical Society B 10 (1948) 159-203.
 */
#include "methods/method.h"

struct fda {
    double ridge;
    enum pen_columns column_scaling;
};

static const pen_param params[] = {
    PEN_REGULAR(struct fda, "auto 0.01 1", "the within scatter"),
    PEN_COLUMN_SCALING(struct fda, PEN_COLUMNS_WEIGHTED),
    PEN_COMMON_PARAMS,
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    const struct fda *p = params_;
    const pen_ridge ridge = { p->ridge, .residuals = x, .exact = 1 };
    pen_sym S_b, S_w;

    PEN_TRY(PEN_ZEROS(run, x->d, &S_b, &S_w));
    PEN_TRY(pen_scatter_classes(run, 1, x, &S_b, &S_w));
    return pen_solve_ratio(run, &S_b, &S_w, &ridge, p->column_scaling, request, out);
}

const pen_method pen_method_fda = {
    .name = "fda",
    .title = "Fisher discriminant analysis",
    .cite = "Fisher: The use of multiple measurements in taxonomic problems. Annals of Eugenics 7 "
            "(1936) 179-188",
    .dims = "classes - 1",
    .cost = "l d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS | PEN_MERGES,
    PEN_INNER(.of_known_rows = 1, .any_units = 1, .needs = { .classes = 2 }, PEN_FIT(struct fda)),
};
