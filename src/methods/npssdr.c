/* npssdr.c - NPSSDR, neighborhood preserving semi-supervised dimensionality reduction.
 *
 *   difference  maximize  tr(W'(alpha / q S_C - beta / m S_M - mu / n S_R) W),  W'W = I,
 *       W in the span of the centered rows
 *   ratio       maximize  w'S_C w / w'(S_M + beta S_R) w
 *       one direction after another: eigenvectors, w'(S_M + beta S_R) w = 1
 *
 * S_C, S_M: sums of (x_i - x_j)(x_i - x_j)' over the q cannot-links and the m must-links. S_R =
 * E'E, E = X - AX: what is left of rows beside the combinations of their nearest neighbors that
 * come nearest to them. That these three terms make the method is known; how they are put together
 * is not: both forms are reconstructions.
 * Wei, Peng: Electronics Letters 44 (2008).
 */
#include "methods/method.h"

enum form { FORM_DIFFERENCE, FORM_RATIO };

static const char *const forms[] = { "difference", "ratio", NULL };

struct npssdr {
    enum form form;
    double alpha, beta, mu, lle_ridge, ridge;
    int64_t neighbors;
};

static const pen_param params[] = {
    PEN_CHOICE(struct npssdr, form, forms, FORM_DIFFERENCE, "terms are added, or divided"),
    PEN_TUNED_REAL(struct npssdr, alpha, 1, 0, PEN_NO_LIMIT, "1 10",
                   "difference: weight of the mean cannot-link scatter"),
    PEN_TUNED_REAL(
        struct npssdr, beta, 20, 0, PEN_NO_LIMIT, "1 20",
        "difference: weight of the mean must-link scatter; ratio: of what reconstructions leave"),
    PEN_TUNED_REAL(struct npssdr, mu, 1, 0, PEN_NO_LIMIT, "0.1 1 10",
                   "difference: weight of what reconstructions leave, on average"),
    PEN_INT(struct npssdr, neighbors, 5, 1, PEN_NO_LIMIT,
            "nearest neighbors a row is reconstructed from"),
    PEN_REAL(struct npssdr, lle_ridge, 1e-3, 0, PEN_NO_LIMIT,
             "of reconstructions, in units of the sum of squared distances"),
    PEN_REAL(struct npssdr, ridge, 1e-9, 0, PEN_NO_LIMIT,
             "ratio: added to the diagonal of the denominator, in units of its mean"),
    PEN_PARAMS_END,
};

/* S += weight S_R. */
static pen_status add_rest(pen_run *run, double weight, const struct npssdr *p, const pen_rows *x,
                           pen_sym *S)
{
    pen_neighbor *nearest;
    pen_reconstruction A;

    if (weight == 0)
        return PEN_OK;
    PEN_TRY(pen_graph_neighbors(run, x, "neighbors", p->neighbors, &nearest));
    PEN_TRY(pen_reconstruct_rows(run, x, p->neighbors, nearest, "lle_ridge", p->lle_ridge, &A));
    return pen_scatter_reconstruction(run, weight, x, &A, S);
}

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct npssdr *p = params_;
    const int ratio = p->form == FORM_RATIO;
    const double q = (double)x->pairs->cannot_count, m = (double)x->pairs->must_count,
                 cannot = q > 0 ? p->alpha / q : 0, must = m > 0 ? -p->beta / m : 0;
    pen_sym S_t, Num, Den;
    pen_inner inner;
    pen_span span;

    PEN_REQUIRE(run, ratio || cannot > 0 || must < 0 || p->mu > 0, PEN_NO_PAIRS,
                "nothing to learn from: all terms are without pairs or weight");
    PEN_REQUIRE(run, !ratio || q > 0, PEN_NO_PAIRS,
                "nothing to make large: the ratio needs cannot-links");
    PEN_REQUIRE(run, !ratio || m > 0 || p->beta > 0, PEN_NO_PAIRS,
                "nothing to make small: no must-links, and beta is 0");
    PEN_TRY(pen_sym_zero(run, x->d, &S_t));
    PEN_TRY(pen_sym_zero(run, x->d, &Num));
    PEN_TRY(pen_sym_zero(run, x->d, &Den));
    PEN_TRY(pen_scatter_total_precise(run, 1, x, PEN_TOTAL_COVARIANCE, &S_t));
    PEN_TRY(
        pen_scatter_pairs(run, ratio ? 1 : cannot, ratio ? 1 : must, x, &Num, ratio ? &Den : &Num));
    PEN_TRY(add_rest(run, ratio ? p->beta : -p->mu / (double)x->n, p, x, ratio ? &Den : &Num));
    if (!ratio)
        return pen_solve_difference(run, &Num, &S_t, request, out);
    PEN_TRY(pen_solve_span(run, &S_t, &span));
    PEN_TRY(pen_solve_enter(run, &span, &Num, &Den, request, &inner));
    PEN_TRY(pen_scatter_note_condition(run, &inner.B));
    PEN_TRY(
        pen_solve_ratio(run, &inner.A, &inner.B, p->ridge, PEN_METRIC_PLAIN, &inner.request, out));
    return pen_solve_return(run, &span, out);
}

const pen_method pen_method_npssdr = {
    .name = "npssdr",
    .title = "Neighborhood preserving semi-supervised dimensionality reduction",
    .cite = "Wei, Peng: Neighborhood preserving based semi-supervised dimensionality reduction. "
            "Electronics Letters 44 (2008)",
    .dims = "rank of the centered rows; ratio: rank of S_C",
    .cost = "n^2 d + n k d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct npssdr),
    .fit = fit,
};
