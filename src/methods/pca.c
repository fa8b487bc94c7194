/* pca.c - PCA, principal component analysis.
 *
 *   maximize  tr(T'S_t T),  T'T = I          S_t: total scatter, all rows
 *
 * The eigenvalues are those of S_t: n times the variances.
 * Pearson: Philosophical Magazine 2 (1901) 559-572.
 * Hotelling: Journal of Educational Psychology 24 (1933) 417-441.
 */
#include "methods/method.h"

struct pca {
    enum pen_columns column_scaling;
};

static const pen_param params[] = {
    PEN_COLUMN_SCALING(struct pca, PEN_COLUMNS_ORTHONORMAL),
    PEN_COMMON_PARAMS,
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct pca *p = params_;
    pen_sym S_t;

    PEN_TRY(pen_sym_zero(run, problem->rows.d, &S_t));
    PEN_TRY(pen_scatter_total(run, 1, &problem->rows, PEN_TOTAL_SCATTER, &S_t));
    return pen_solve_ratio(run, &S_t, NULL, NULL, p->column_scaling, request, out);
}

const pen_method pen_method_pca = {
    .name = "pca",
    .title = "Principal component analysis",
    .cite = "Pearson: On lines and planes of closest fit to systems of points in space. "
            "Philosophical Magazine 2 (1901) 559-572",
    .dims = "rank of the centered rows",
    .cost = "n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_USES_UNLABELLED | PEN_MERGES,
    PEN_INNER(.wide = 1, .leading = 1, PEN_FIT(struct pca)),
};
