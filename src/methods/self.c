/* self.c - SELF, semi-supervised local Fisher discriminant analysis.
 *
 *   maximize  tr((T'C T)^-1 T'B T)     B = (1-b) S_lb + b S_t
 *                                      C = (1-w) S_lw + w I
 *
 *   S_lb, S_lw: local scatters, labelled rows;  S_t: total scatter, all rows
 *
 * By default w = b (section 4.2). b = 0 is LFDA with local scaling over all rows, b = 1 is PCA;
 * with affinity one it blends FDA and PCA (section 4.1). The columns are sqrt(eigenvalue) times
 * eigenvectors v, v'Cv = 1. total = covariance: S_t / n replaces S_t, as in the experiments of the
 * paper. ridge r > 0: C + r tr(C)/d I replaces C.
 * Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61, Figure 2.
 */
#include "methods/method.h"
#include "solve/choose_beta.h"

struct self {
    double beta;
    pen_share_rules rules;
    enum pen_columns column_scaling;
};

static const pen_param params[] = {
    PEN_ROW(struct self, beta, "beta", PEN_PARAM_REAL, .initial = PEN_BETA_AUTO, .max = 1,
            .words = pen_auto_besides_0, .grid = "0.001 0.25 0.5 0.75 1",
            .help = "0 uses labels only (LFDA), 1 ignores labels (PCA); auto: by cross-validation"),
    PEN_ROW(struct self, rules.within, "beta_within", PEN_PARAM_REAL, .initial = PEN_BETA_SAME,
            .max = 1, .words = pen_same_words,
            .help = "beta in the denominator; same: equal to beta"),
    PEN_CLASS_AFFINITY_PARAMS(struct self, rules.affinity, NULL),
    PEN_ROW(struct self, rules.total, "total", PEN_PARAM_CHOICE, .choices = pen_total_names,
            .help = "the total scatter, or the scatter divided by the number of rows"),
    PEN_REGULAR_AT(struct self, rules.ridge, "auto 0.01", "the within scatter"),
    PEN_COLUMN_SCALING(struct self, PEN_COLUMNS_WEIGHTED),
    PEN_COMMON_PARAMS,
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    const struct self *p = params_;
    const pen_share_rules *r = &p->rules;
    const pen_ridge ridge = { r->ridge, .residuals = x };
    double b = p->beta;
    pen_sym B, C;

    PEN_TRY(pen_choose_beta(run, problem, r, request, &b));
    const double w = pen_beta_within(r->within, b);
    PEN_TRY(PEN_ZEROS(run, x->d, &B, &C));
    /* B += (1-b) S_lb + b S_t,  C += (1-w) S_lw + w I */
    PEN_TRY(pen_scatter_local(run, 1 - b, 1 - w, problem, &r->affinity, PEN_SCALING_ALL, &B, &C));
    PEN_TRY(pen_scatter_total(run, b, x, r->total, &B));
    pen_sym_add_identity(w, &C);
    return pen_solve_ratio(run, &B, &C, &ridge, p->column_scaling, request, out);
}

PEN_SOUGHT(struct self, p->beta == 1 && pen_beta_within(p->rules.within, 1) == 1
                            ? PEN_SOUGHT_NOTHING
                            : pen_affinity_sought(&p->rules.affinity))

const pen_method pen_method_self = {
    .name = "self",
    .title = "Semi-supervised local Fisher discriminant analysis",
    .cite = "Sugiyama, Ide, Nakajima, Sese: Semi-supervised local Fisher discriminant analysis for "
            "dimensionality reduction. Machine Learning 78 (2010) 35-61",
    .dims = "rank of the blend, at most n - 1 and d",
    .cost = "n l d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_NEIGHBORS | PEN_MERGES_ROWS,
    PEN_INNER(.sought = sought, .direct = 1,
              .needs = { .unlabelled_shares = { "beta" }, .share_within = "beta_within" },
              PEN_FIT(struct self)),
};
