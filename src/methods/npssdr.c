/* npssdr.c - NPSSDR, neighborhood preserving semi-supervised dimensionality reduction.
 *
 *   difference  maximize  tr(W'(alpha / q S_C - beta / m S_M - mu / n S_R) W),  W'W = I,
 *                         W in the span of the centered rows
 *   ratio       maximize  w'S_C w / w'(S_M + beta S_R) w,  one direction after another:
 *                         eigenvectors, w'(S_M + beta S_R) w = 1
 *
 *   S_C, S_M: sums of (x_i - x_j)(x_i - x_j)' over the q cannot-links and the m must-links
 *   S_R = E'E, E = X - AX: residuals of rows from the nearest combinations of their neighbors
 *
 * The method is known to combine these three terms, but not how. Both forms are reconstructions.
 * Wei, Peng: Electronics Letters 44 (2008).
 */
#include "methods/method.h"

enum form { FORM_DIFFERENCE, FORM_RATIO };

static const char *const forms[] = { "difference", "ratio", NULL };

struct npssdr {
    enum form form;
    double alpha, beta, mu, ridge;
    pen_reconstruction_rules rules;
};

static const pen_param params[] = {
    PEN_CHOICE(struct npssdr, form, forms, FORM_DIFFERENCE,
               "combine the terms as a difference or a ratio"),
    PEN_CV_WEIGHT(struct npssdr, alpha, 1, "1 10",
                  "difference: weight of the mean cannot-link scatter"),
    PEN_CV_WEIGHT(struct npssdr, beta, 20, "1 20",
                  "weight of the mean must-link scatter; ratio: of the reconstruction residuals"),
    PEN_CV_WEIGHT(struct npssdr, mu, 1, "0.1 1 10",
                  "difference: weight of the mean reconstruction residual"),
    PEN_RECONSTRUCTION_PARAMS(struct npssdr, rules),
    PEN_RIDGE(struct npssdr, 1e-9, NULL, "the denominator of the ratio"),
    PEN_PAIR_COMMON_PARAMS("off"),
};

static pen_needs needs(const pen_problem *problem, const void *params_)
{
    const struct npssdr *p = params_;
    const int ratio = p->form == FORM_RATIO, cannot = problem->pairs->cannot_count > 0,
              must = problem->pairs->must_count > 0 && p->beta > 0;
    pen_needs n = { .missing = NULL };

    if (!ratio && !(cannot && p->alpha > 0) && !must && p->mu == 0)
        n.missing = "nothing to learn from: every term has no pairs or weight 0";
    else if (ratio && !cannot)
        n.missing = "nothing to maximize: the ratio needs cannot-links";
    else if (ratio && problem->pairs->must_count == 0 && p->beta == 0)
        n.missing = "nothing to minimize: no must-links, and beta is 0";
    return n;
}

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    const struct npssdr *p = params_;
    const int ratio = p->form == FORM_RATIO;
    pen_sym S_t, Num, Den, *const rest = ratio ? &Den : &Num;
    pen_inner inner;
    pen_span span;

    PEN_TRY(PEN_ZEROS(run, x->d, &Num, &Den));
    PEN_TRY(ratio ? pen_scatter_pairs(run, 1, 1, problem, &Num, &Den)
                  : pen_scatter_mean_pairs(run, p->alpha, p->beta, problem, &Num));
    PEN_TRY(pen_scatter_near_reconstruction(run, ratio ? p->beta : -p->mu / (double)x->n, problem,
                                            &p->rules, request->seed, rest));
    PEN_TRY(pen_scatter_rows(run, x, PEN_TOTAL_COVARIANCE, &S_t));
    if (!ratio)
        return pen_solve_difference(run, &Num, &S_t, request, out);
    PEN_TRY(pen_solve_span(run, &S_t, &span));
    PEN_TRY(pen_solve_enter(run, &span, &Num, &Den, request, &inner));
    PEN_TRY(pen_scatter_note_condition(run, &inner.B));
    PEN_TRY(pen_solve_ratio(run, &inner.A, &inner.B, &(pen_ridge){ .amount = p->ridge },
                            PEN_COLUMNS_PLAIN, &inner.request, out));
    return pen_solve_return(run, &span, out);
}

PEN_SOUGHT(struct npssdr,
           (p->form == FORM_RATIO ? p->beta : p->mu) > 0 ? PEN_SOUGHT_ALL : PEN_SOUGHT_NOTHING)

const pen_method pen_method_npssdr = {
    .name = "npssdr",
    .title = "Neighborhood preserving semi-supervised dimensionality reduction",
    .cite = "Wei, Peng: Neighborhood preserving based semi-supervised dimensionality reduction. "
            "Electronics Letters 44 (2008)",
    .dims = "rank of the centered rows; ratio: rank of S_C",
    .cost = "n^2 d + n k d + n d^2 + d^3",
    .source = PEN_SOURCE_RECONSTRUCTED,
    .traits =
        PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED | PEN_NEIGHBORS | PEN_MERGES_ROWS,
    PEN_INNER(.sought = sought, .direct = 1, .needs_of = needs, PEN_FIT(struct npssdr)),
};
