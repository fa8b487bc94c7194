/* self.c - SELF, semi-supervised local Fisher discriminant analysis.
 *
 *   maximize  tr((T'C T)^-1 T'B T)   B = (1-b) S_lb + b S_t    S_lb, S_lw: local scatters, labelled
 *                                    C = (1-b) S_lw + b I      S_t: total scatter, all rows
 *
 * b = 0 is LFDA with local scaling over all rows, b = 1 is PCA. The columns are sqrt(eigenvalue)
 * times eigenvectors v, v'Cv = 1.
 * total = covariance puts S_t / n in the place of S_t, as the experiments of the paper do. ridge r
 * > 0 puts C + r tr(C)/d I in the place of C.
 * Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61, Figure 2.
 */
#include "methods/method.h"

struct self {
    double beta;
    int64_t neighbors;
    enum pen_total total;
    double ridge;
    enum pen_metric metric;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct self, beta, 0.5, 0, 1, "0.001 0.25 0.5 0.75 1",
                   "0: labels only (LFDA); 1: no labels (PCA)"),
    PEN_INT(struct self, neighbors, 7, 1, PEN_NO_LIMIT, "local scaling: distance to this neighbor"),
    PEN_CHOICE(struct self, total, pen_total_names, PEN_TOTAL_SCATTER,
               "total scatter, or divided by the number of rows"),
    PEN_TUNED_REAL(struct self, ridge, 0, 0, PEN_NO_LIMIT, "0 0.01",
                   "added to the diagonal of the within scatter, in units of its mean"),
    PEN_CHOICE(struct self, metric, pen_metric_names, PEN_METRIC_WEIGHTED, "length of the columns"),
    PEN_PARAMS_END,
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct self *p = params_;
    const double b = p->beta;
    pen_sym B, C;

    PEN_TRY(pen_need_classes(run, x, b == 0 ? 2 : b < 1 ? 1 : 0));
    PEN_TRY(pen_sym_zero(run, x->d, &B));
    PEN_TRY(pen_sym_zero(run, x->d, &C));
    /* B += (1-b) S_lb,  C += (1-b) S_lw */
    PEN_TRY(pen_scatter_local(run, 1 - b, x, p->neighbors, PEN_SCALING_ALL, &B, &C));
    PEN_TRY(pen_scatter_total(run, b, x, p->total, &B)); /* B += b S_t */
    pen_sym_add_identity(b, &C);
    return pen_solve_ratio(run, &B, &C, p->ridge, p->metric, request, out);
}

const pen_method pen_method_self = {
    .name = "self",
    .title = "Semi-supervised local Fisher discriminant analysis",
    .cite = "Sugiyama, Ide, Nakajima, Sese: Semi-supervised local Fisher discriminant analysis for "
            "dimensionality reduction. "
            "Machine Learning 78 (2010) 35-61",
    .dims = "rank of the blend, at most n - 1 and d",
    .cost = "n l d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct self),
    .fit = fit,
};
