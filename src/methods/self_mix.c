/* self_mix.c - a blend of local Fisher discriminant analysis, PCA and iLPP.
 *
 *   maximize  tr((T'C T)^-1 T'B T)     B = a S_lb + b S_t + g S_n
 *                                      C = a S_lw + b I   + g S_l,   a = 1 - b - g
 *
 *   S_lb, S_lw: local scatters, labelled rows;  S_t: total scatter
 *   S_n, S_l: those of iLPP, all rows
 *
 * g = 0 is SELF, b = 0 is SELF' (self-ilpp). The columns are sqrt(eigenvalue) times eigenvectors v,
 * v'Cv = 1. total = covariance: S_t / n replaces S_t; ridge r > 0: C + r tr(C)/d I replaces C.
 * Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61, section 4.5.1, names the
 * combination without a formula.
 */
#include "methods/method.h"

struct self_mix {
    double beta, gamma;
    pen_locality locality;
    enum pen_total total;
    double ridge;
    enum pen_columns column_scaling;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct self_mix, beta, 0.5, 0, 1, "0.001 0.25 0.5 0.75", "weight of PCA"),
    PEN_TUNED_REAL(struct self_mix, gamma, 0, 0, 1, "0 0.25",
                   "weight of iLPP; LFDA gets the remainder up to 1"),
    PEN_LOCAL_SCALING(struct self_mix, locality.affinity.neighbors, NULL),
    PEN_CHOICE(struct self_mix, total, pen_total_names, PEN_TOTAL_SCATTER,
               "PCA: the total scatter, or the scatter divided by the number of rows"),
    PEN_LOCALITY_PARAMS(struct self_mix, "iLPP: "),
    PEN_REGULAR(struct self_mix, "auto 0.01", "the within scatter"),
    PEN_COLUMN_SCALING(struct self_mix, PEN_COLUMNS_WEIGHTED),
    PEN_COMMON_PARAMS,
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    const struct self_mix *p = params_;
    const double b = p->beta, g = p->gamma, a = 1 - (b + g); /* exactly 0 for 0.9 and 0.1 */
    const pen_ridge ridge = { p->ridge, .residuals = g > 0 ? NULL : x };
    pen_sym B, C;

    PEN_TRY(PEN_ZEROS(run, x->d, &B, &C));
    /* B += a S_lb + b S_t + g S_n,  C += a S_lw + b I + g S_l */
    PEN_TRY(pen_scatter_local(run, a, a, problem, &p->locality.affinity, PEN_SCALING_ALL, &B, &C));
    PEN_TRY(pen_scatter_total(run, b, x, p->total, &B));
    pen_sym_add_identity(b, &C);
    PEN_TRY(pen_scatter_locality(run, g, problem, &p->locality, &B, &C));
    return pen_solve_ratio(run, &B, &C, &ridge, p->column_scaling, request, out);
}

PEN_SOUGHT(struct self_mix, p->gamma > 0  ? PEN_SOUGHT_ALL
                            : p->beta < 1 ? PEN_SOUGHT_NEAREST
                                          : PEN_SOUGHT_NOTHING)

const pen_method pen_method_self_mix = {
    .name = "self-mix",
    .title = "Local Fisher discriminant analysis with principal components and locality preserving "
             "projections",
    .cite = "Sugiyama, Ide, Nakajima, Sese: Semi-supervised local Fisher discriminant analysis for "
            "dimensionality reduction. Machine Learning 78 (2010) 35-61, section 4.5.1",
    .dims = "rank of the blend, at most d",
    .cost = "n^2 d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_NEIGHBORS | PEN_MERGES_ROWS,
    PEN_INNER(.sought = sought, .needs = { .unlabelled_shares = { "beta", "gamma" } },
              PEN_FIT(struct self_mix)),
};
