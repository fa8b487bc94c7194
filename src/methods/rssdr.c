/* rssdr.c - RSSDR, perceptual relativity-based semi-supervised dimensionality reduction.
 *
 *   maximize  w'(S_C + alpha S_F) w / w'(S_M + beta S_R) w
 *
 * one direction after another: eigenvectors, w'(S_M + beta S_R) w = 1.
 *
 *   S_C, S_M: sums of (x_i - x_j)(x_i - x_j)' over cannot-links and must-links
 *   S_F: the same over pairs of rows neither of which is among the nearest of the other
 *   S_R = E'E, E = X - AX: residuals of rows from the combinations of their neighbors that are
 *   nearest in the relative space. A row there is the list of its distances to all rows, or to
 *   landmarks (neighbors/relative.h)
 *
 * docs/methods/rssdr.md lists what the paper leaves open.
 * Cai, Wen, Wei, Yu: Applied Soft Computing 16 (2014) 112-123.
 */
#include "methods/method.h"

static const char *const lengths[] = { "weighted", "unit", NULL };
static const char *const neighborhoods[] = { "knn", "mutual", NULL };

struct rssdr {
    double alpha, beta;
    pen_reconstruction_rules rules;
    double ridge;
    enum { WEIGHTED, UNIT } column_scaling;
};

static const pen_param params[] = {
    PEN_CV_WEIGHT(struct rssdr, alpha, 0.1, "0.01 0.1 1", "weight of pairs of non-neighbors"),
    PEN_CV_WEIGHT(struct rssdr, beta, 1, "0.1 1 10", "weight of the reconstruction residuals"),
    PEN_RECONSTRUCTION_PARAMS(struct rssdr, rules),
    PEN_RIDGE(struct rssdr, 1e-9, NULL, "the denominator"),
    PEN_ROW(struct rssdr, rules, "space", PEN_PARAM_TEXT, .form = &pen_space_form,
            .text = "relative", .syntax = "plain|relative|relative:K",
            .help =
                "distances for reconstruction: relative, to all rows or to K of them, or plain"),
    PEN_ROW(struct rssdr, rules.neighborhood, "neighborhood", PEN_PARAM_CHOICE,
            .initial = PEN_JOIN_UNION, .choices = neighborhoods,
            .help = "reconstruct from nearest neighbors, or only from mutual ones"),
    PEN_CHOICE(struct rssdr, column_scaling, lengths, WEIGHTED,
               "scale columns so that the denominator along them is 1, or to length one"),
    PEN_PAIR_COMMON_PARAMS("0.98"),
};

static pen_needs needs(const pen_problem *problem, const void *params_)
{
    const struct rssdr *p = params_;
    if (problem->pairs->cannot_count == 0 && p->alpha == 0)
        return (pen_needs){ .missing = "nothing to maximize: no cannot-links, and alpha is 0" };
    if (problem->pairs->must_count == 0 && p->beta == 0)
        return (pen_needs){ .missing = "nothing to minimize: no must-links, and beta is 0" };
    return (pen_needs){ .missing = NULL };
}

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const struct rssdr *p = params_;
    pen_request inner = *request;
    pen_sym Num, Den;

    PEN_TRY(PEN_ZEROS(run, problem->rows.d, &Num, &Den));
    PEN_TRY(pen_scatter_pairs(run, 1, 1, problem, &Num, &Den)); /* Num += S_C,  Den += S_M */
    /* Num += alpha S_F,  Den += beta S_R */
    PEN_TRY(pen_scatter_far_rows(run, p->alpha, problem, p->rules.neighbors, &Num));
    PEN_TRY(pen_scatter_near_reconstruction(run, p->beta, problem, &p->rules, request->seed, &Den));
    PEN_TRY(pen_scatter_note_condition(run, &Den));
    inner.columns = inner.spanned = problem->rows.d; /* the mean over the columns is the unit of the
                                                      * ridge */
    PEN_TRY(pen_solve_ratio(run, &Num, &Den, &(pen_ridge){ .amount = p->ridge }, PEN_COLUMNS_PLAIN,
                            &inner, out));
    if (p->column_scaling == UNIT)
        pen_solve_unit_columns(out);
    return PEN_OK;
}

const pen_method pen_method_rssdr = {
    .name = "rssdr",
    .title = "Perceptual relativity-based semi-supervised dimensionality reduction",
    .cite = "Cai, Wen, Wei, Yu: Perceptual relativity-based semi-supervised dimensionality "
            "reduction algorithm. Applied Soft Computing 16 (2014) 112-123",
    .dims = "number of components; with alpha 0, rank of S_C",
    .cost = "n^3 + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED,
    PEN_INNER(.needs_of = needs, PEN_FIT(struct rssdr)),
};
