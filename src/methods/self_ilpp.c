/* self_ilpp.c - SELF', local Fisher discriminant analysis blended with iLPP.
 *
 *   maximize  tr((T'C T)^-1 T'B T)     B = (1-b) S_lb + b S_n
 *                                      C = (1-b) S_lw + b S_l
 *
 *   S_lb, S_lw: local scatters, labelled rows;  S_n, S_l: those of iLPP, all rows
 *
 * b = 0 is LFDA with local scaling over all rows, b = 1 is iLPP. The columns are sqrt(eigenvalue)
 * times eigenvectors v, v'Cv = 1. ridge r > 0: C + r tr(C)/d I replaces C.
 * Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61, section 4.5.1.
 */
#include "methods/method.h"

struct self_ilpp {
    double beta;
    pen_locality locality;
    double ridge;
    enum pen_columns column_scaling;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct self_ilpp, beta, 0.5, 0, 1, "0.001 0.25 0.5 0.75 1",
                   "0 uses labels only (LFDA), 1 ignores labels (iLPP)"),
    PEN_LOCAL_SCALING(struct self_ilpp, locality.affinity.neighbors, NULL),
    PEN_LOCALITY_PARAMS(struct self_ilpp, "iLPP: "),
    PEN_REGULAR(struct self_ilpp, "auto 0.01", "the within scatter"),
    PEN_COLUMN_SCALING(struct self_ilpp, PEN_COLUMNS_WEIGHTED),
    PEN_COMMON_PARAMS,
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct self_ilpp *p = params_;
    const double b = p->beta;
    const pen_ridge ridge = { p->ridge, .residuals = b > 0 ? NULL : &problem->rows };
    pen_sym B, C;

    PEN_TRY(PEN_ZEROS(run, problem->rows.d, &B, &C));
    /* B += (1-b) S_lb,  C += (1-b) S_lw */
    PEN_TRY(pen_scatter_local(run, 1 - b, 1 - b, problem, &p->locality.affinity, PEN_SCALING_ALL,
                              &B, &C));
    /* B += b S_n,  C += b S_l */
    PEN_TRY(pen_scatter_locality(run, b, problem, &p->locality, &B, &C));
    return pen_solve_ratio(run, &B, &C, &ridge, p->column_scaling, request, out);
}

PEN_SOUGHT(struct self_ilpp, p->beta > 0 ? PEN_SOUGHT_ALL : PEN_SOUGHT_NEAREST)

const pen_method pen_method_self_ilpp = {
    .name = "self-ilpp",
    .title = "Local Fisher discriminant analysis with locality preserving projections",
    .cite = "Sugiyama, Ide, Nakajima, Sese: Semi-supervised local Fisher discriminant analysis for "
            "dimensionality reduction. Machine Learning 78 (2010) 35-61, section 4.5.1",
    .dims = "rank of the blend, at most d",
    .cost = "3 n^2 d + n d^2 + d^3",
    .not_for = "general use; use self, which has the total scatter instead of near rows",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_NEIGHBORS | PEN_MERGES_ROWS,
    PEN_INNER(.sought = sought, .needs = { .unlabelled_shares = { "beta" } },
              PEN_FIT(struct self_ilpp)),
};
