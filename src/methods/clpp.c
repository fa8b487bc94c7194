/* clpp.c - CLPP, constrained locality preserving projections.
 *
 *   minimize  tr((W'X'|D|X W)^-1 W'X'(D - B)X W),  w'X'|D|X w = 1,
 *       W in the span of the centered rows
 *
 * B: heat kernel exp(-|x_i - x_j|^2 / heat) between nearest neighbors, overwritten with 1 for
 * must-links and -1 for cannot-links, and (propagate) for pairs of rows of their neighborhoods,
 * unless both kinds claim one. D, |D|: diagonals of the row sums of B and of |B|. |values| <= 2.
 * The criterion is secured; which pairs are spread, and |D| in the place of D, are this library's
 * reading.
 * Cevikalp, Verbeek, Jurie, Klaeser: International Conference on Computer Vision Theory and
 * Applications (2008) 489-496.
 */
#include "graph/constraint_propagation.h"
#include "methods/method.h"

struct clpp {
    int64_t neighbors;
    double heat;
    int propagate;
    double ridge;
    int64_t max_pairs;
};

static const pen_param params[] = {
    PEN_TUNED_INT(struct clpp, neighbors, 5, 1, PEN_NO_LIMIT, "3 5 10",
                  "nearest neighbors of a row that are joined to it"),
    PEN_POSITIVE(struct clpp, heat, 0, PEN_NO_LIMIT, pen_auto_words,
                 "width of the heat kernel; auto: mean squared distance of neighbors"),
    PEN_FLAG_ON(struct clpp, propagate, "spread pairs to the neighborhoods of their rows"),
    PEN_REAL(struct clpp, ridge, 1e-9, 0, PEN_NO_LIMIT,
             "added to the diagonal of the normalizer, in units of its mean"),
    PEN_INT(struct clpp, max_pairs, 50000000, 1, PEN_NO_LIMIT, "pairs that are spread at most"),
    PEN_PARAMS_END,
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct clpp *p = params_;
    pen_neighbor *nearest;
    pen_graph neighbors, B;
    pen_sym S_t, A, N;
    pen_inner inner;
    pen_span span;
    double *degree;

    PEN_TRY(pen_graph_neighbors(run, x, "neighbors", p->neighbors, &nearest));
    PEN_TRY(pen_graph_of_neighbors(run, x->n, p->neighbors, nearest, PEN_JOIN_UNION, &neighbors));
    const double heat = p->heat > 0 ? p->heat : pen_graph_mean_distance2(&neighbors);
    PEN_REQUIRE(run, heat > 0, PEN_BAD_DATA, "heat auto: all neighbors are equal rows; set heat");
    pen_graph_weigh_heat(&neighbors, heat);
    PEN_TRY(pen_propagate_constraints(run, x, &neighbors, p->neighbors, nearest, p->propagate,
                                      p->max_pairs, &B));
    PEN_TRY(PEN_NEW(run, degree, x->n));
    pen_graph_absolute_degrees(&B, degree);
    PEN_REQUIRE(run, B.edges > 0, PEN_BAD_DATA,
                "heat %g is so small that no row has a neighbor with a weight above 0, and there "
                "are no pairs",
                heat);
    pen_note(run, "heat", heat);

    PEN_TRY(pen_sym_zero(run, x->d, &S_t));
    PEN_TRY(pen_sym_zero(run, x->d, &A));
    PEN_TRY(pen_sym_zero(run, x->d, &N));
    PEN_TRY(pen_scatter_total_precise(run, 1, x, PEN_TOTAL_SCATTER, &S_t));
    PEN_TRY(pen_scatter_graph(run, 1, x, &B, NULL, &A));
    PEN_TRY(pen_scatter_graph(run, 1, x, NULL, degree, &N));
    PEN_TRY(pen_solve_span(run, &S_t, &span));
    PEN_TRY(pen_solve_enter(run, &span, &A, &N, request, &inner));
    PEN_TRY(pen_solve_smallest(run, &inner.A, &inner.B, p->ridge, PEN_METRIC_PLAIN, &inner.request,
                               out));
    return pen_solve_return(run, &span, out);
}

const pen_method pen_method_clpp = {
    .name = "clpp",
    .title = "Constrained locality preserving projections",
    .cite = "Cevikalp, Verbeek, Jurie, Klaeser: Semi-supervised dimensionality reduction using "
            "pairwise equivalence constraints. International "
            "Conference on Computer Vision Theory and Applications (2008) 489-496",
    .dims = "rank of the centered rows",
    .cost = "n^2 d + n k d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct clpp),
    .fit = fit,
};
