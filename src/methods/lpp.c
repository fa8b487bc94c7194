/* lpp.c - LPP, locality preserving projections.
 *
 *   minimize  tr(W'S_l W)  with  W'S_n W = I
 *
 *   S_l = 1/2n sum_ij A_ij (x_i - x_j)(x_i - x_j)',   S_n = 1/n sum_ij A_ij x_i x_i'
 *
 * A: affinities of all rows by local scaling. The columns are eigenvectors v, S_l v = value S_n v,
 * v'S_n v = 1, the smallest value first. S_n is about the origin of the rows as given, or (origin =
 * mean) about their mean. ridge r > 0: S_n + r tr(S_n)/d I replaces S_n.
 * He, Niyogi: Advances in Neural Information Processing Systems 16 (2004) 153-160; affinities:
 * Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61, section 3.2.
 */
#include "methods/method.h"

struct lpp {
    pen_locality locality;
    double ridge;
    int column_scaling; /* 0: plain, 1: orthonormal */
};

static const pen_param params[] = {
    PEN_LOCAL_SCALING(struct lpp, locality.affinity.neighbors, "3 7 15"),
    PEN_LOCALITY_PARAMS(struct lpp, ""),
    PEN_REGULAR(struct lpp, "auto 0.01", "S_n"),
    PEN_ROW(struct lpp, column_scaling, "column_scaling", PEN_PARAM_CHOICE,
            .choices = pen_column_scaling_names + PEN_COLUMNS_PLAIN,
            .help = "length of the columns"),
    PEN_COMMON_PARAMS,
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct lpp *p = params_;
    const enum pen_columns how = p->column_scaling ? PEN_COLUMNS_ORTHONORMAL : PEN_COLUMNS_PLAIN;
    pen_sym S_n, S_l;

    PEN_TRY(PEN_ZEROS(run, problem->rows.d, &S_n, &S_l));
    PEN_TRY(pen_scatter_locality(run, 1, problem, &p->locality, &S_n, &S_l));
    PEN_REQUIRE(run, !pen_sym_is_rounding(&S_l), PEN_SINGULAR_SCATTER,
                "the scatter of near rows is zero: either all rows are equal up to rounding, or "
                "each has %lld or more duplicates; set neighbors higher",
                (long long)p->locality.affinity.neighbors);
    PEN_TRY(
        pen_solve_smallest(run, &S_l, &S_n, &(pen_ridge){ .amount = p->ridge }, how, request, out));
    for (int64_t c = 0; c < out->k; c++) /* rounding alone can put it below 0 */
        out->eigenvalues[c] = fmax(0, out->eigenvalues[c]);
    return PEN_OK;
}

const pen_method pen_method_lpp = {
    .name = "lpp",
    .title = "Locality preserving projections",
    .cite = "He, Niyogi: Locality preserving projections. Advances in Neural Information "
            "Processing Systems 16 (2004) 153-160",
    .dims = "d",
    .cost = "3 n^2 d + n d^2 + d^3",
    .not_for = "separating classes, because it ignores labels; use pca",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_USES_UNLABELLED | PEN_NEIGHBORS,
    PEN_INNER(PEN_FIT(struct lpp)),
};
