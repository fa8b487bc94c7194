/* ilpp.c - iLPP, locality preserving projections as a maximization.
 *
 *   maximize  tr((W'S_l W)^-1 W'S_n W)
 *
 *   S_l = 1/2n sum_ij A_ij (x_i - x_j)(x_i - x_j)',   S_n = 1/n sum_ij A_ij x_i x_i'
 *
 * A: affinities of all rows by local scaling. The columns are sqrt(eigenvalue) times eigenvectors
 * v, v'S_l v = 1. They span the same subspace as the columns of lpp, with reciprocal eigenvalues;
 * only the lengths differ. S_n is about the origin of the rows as given, or (origin = mean) about
 * their mean. ridge r > 0: S_l + r tr(S_l)/d I replaces S_l.
 * Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61, section 3.2.
 */
#include "methods/method.h"

struct ilpp {
    pen_locality locality;
    double ridge;
    enum pen_columns column_scaling;
};

static const pen_param params[] = {
    PEN_LOCAL_SCALING(struct ilpp, locality.affinity.neighbors, "3 7 15"),
    PEN_LOCALITY_PARAMS(struct ilpp, ""),
    PEN_REGULAR(struct ilpp, "auto 0.01", "S_l"),
    PEN_COLUMN_SCALING(struct ilpp, PEN_COLUMNS_WEIGHTED),
    PEN_COMMON_PARAMS,
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct ilpp *p = params_;
    const pen_ridge ridge = { .amount = p->ridge };
    pen_sym S_n, S_l;

    PEN_TRY(PEN_ZEROS(run, problem->rows.d, &S_n, &S_l));
    PEN_TRY(pen_scatter_locality(run, 1, problem, &p->locality, &S_n, &S_l));
    return pen_solve_ratio(run, &S_n, &S_l, &ridge, p->column_scaling, request, out);
}

const pen_method pen_method_ilpp = {
    .name = "ilpp",
    .title = "Inverted locality preserving projections",
    .cite = "Sugiyama, Ide, Nakajima, Sese: Semi-supervised local Fisher discriminant analysis for "
            "dimensionality reduction. Machine Learning 78 (2010) 35-61, section 3.2",
    .dims = "rank of S_n, at most d",
    .cost = "3 n^2 d + n d^2 + d^3",
    .not_for = "separating classes, because it ignores labels; use pca or self",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_USES_UNLABELLED | PEN_NEIGHBORS,
    PEN_INNER(PEN_FIT(struct ilpp)),
};
