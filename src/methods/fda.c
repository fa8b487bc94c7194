/* fda.c - FDA, Fisher discriminant analysis.
 *
 *   maximize  tr((T'S_w T)^-1 T'S_b T)
 *       S_b, S_w: scatter between and within classes, labelled rows
 *
 * gives as many columns as there are classes, less one. ridge r > 0 puts S_w + r tr(S_w)/d I in the
 * place of S_w.
 * Fisher: Annals of Eugenics 7 (1936) 179-188. Rao: Journal of the Royal Statistical Society B 10
 * (1948) 159-203.
 */
#include "methods/method.h"

struct fda {
    double ridge;
    enum pen_metric metric;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct fda, ridge, 0, 0, PEN_NO_LIMIT, "0 0.01 1",
                   "added to the diagonal of the within scatter, in units of its mean"),
    PEN_CHOICE(struct fda, metric, pen_metric_names, PEN_METRIC_WEIGHTED, "length of the columns"),
    PEN_PARAMS_END,
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct fda *p = params_;
    pen_sym S_b, S_w;

    PEN_TRY(pen_need_classes(run, x, 2));
    PEN_TRY(pen_sym_zero(run, x->d, &S_b));
    PEN_TRY(pen_sym_zero(run, x->d, &S_w));
    PEN_TRY(pen_scatter_classes(run, 1, x, &S_b, &S_w));
    return pen_solve_ratio(run, &S_b, &S_w, p->ridge, p->metric, request, out);
}

const pen_method pen_method_fda = {
    .name = "fda",
    .title = "Fisher discriminant analysis",
    .cite = "Fisher: The use of multiple measurements in taxonomic problems. Annals of Eugenics 7 "
            "(1936) 179-188",
    .dims = "classes - 1",
    .cost = "l d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS,
    .params = params,
    .size = sizeof(struct fda),
    .fit = fit,
};
