/* clpp.c - CLPP, constrained locality preserving projections.
 *
 *   minimize  tr((W'X'|D|X W)^-1 W'X'(D - B)X W),  w'X'|D|X w = 1,  W in the span of the centered
 *                                                                   rows
 * B: heat kernel exp(-|x_i - x_j|^2 / heat) between nearest neighbors, overwritten by 1 for
 * must-links and -1 for cannot-links, and for pairs of rows from their neighborhoods, unless both
 * kinds claim the pair. D, |D|: diagonals of the row sums of B and of |B|. |values| <= 2.
 * The criterion is certain. Which pairs to propagate, and |D| instead of D, are our reading.
 * Cevikalp, Verbeek, Jurie, Klaeser: International Conference on Computer Vision Theory and
 * Applications (2008) 489-496.
 */
#include "graph/constraint_propagation.h"
#include "methods/method.h"

struct clpp {
    int64_t neighbors;
    double heat;
    int propagate_pairs;
    double ridge;
    int64_t max_pairs;
};

static const pen_param params[] = {
    PEN_TUNED_INT(struct clpp, neighbors, 5, 1, PEN_NO_LIMIT, "3 5 10",
                  "number of nearest neighbors joined to each row"),
    PEN_HEAT(struct clpp, heat),
    PEN_FLAG_ON(struct clpp, propagate_pairs, "propagate pairs to the neighborhoods of their rows"),
    PEN_RIDGE(struct clpp, 1e-9, NULL, "the matrix that normalizes the columns"),
    PEN_MAX_PAIRS(struct clpp, "maximum number of pairs: given, propagated and neighbors"),
    PEN_PAIR_COMMON_PARAMS("off"),
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    const struct clpp *p = params_;
    pen_inner inner;
    pen_graph B;
    pen_span span;
    pen_sym A, N;
    double *degree;

    PEN_TRY(pen_graph_constraints(run, problem, p->neighbors, p->heat, p->propagate_pairs,
                                  p->max_pairs, &B));
    PEN_TRY(PEN_NEW(run, degree, x->n));
    pen_graph_absolute_degrees(&B, degree);
    PEN_TRY(PEN_ZEROS(run, x->d, &A, &N));
    PEN_TRY(pen_scatter_graph(run, 1, x, &B, NULL, &A));
    PEN_TRY(pen_scatter_graph(run, 1, x, NULL, degree, &N));
    PEN_TRY(pen_solve_span_of(run, x, &span));
    PEN_TRY(pen_solve_enter(run, &span, &A, &N, request, &inner));
    PEN_TRY(pen_solve_smallest(run, &inner.A, &inner.B, &(pen_ridge){ .amount = p->ridge },
                               PEN_COLUMNS_PLAIN, &inner.request, out));
    return pen_solve_return(run, &span, out);
}

const pen_method pen_method_clpp = {
    .name = "clpp",
    .title = "Constrained locality preserving projections",
    .cite = "Cevikalp, Verbeek, Jurie, Klaeser: Semi-supervised dimensionality reduction using "
            "pairwise equivalence constraints. International Conference on Computer Vision Theory "
            "and Applications (2008) 489-496",
    .dims = "rank of the centered rows",
    .cost = "n^2 d + 10 l^2 d + 50 l^2 k + n d^2 + d^3",
    .not_for = "general use with few or many pairs; use wbdr or rca",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED | PEN_NEIGHBORS,
    PEN_INNER(PEN_FIT(struct clpp)),
};
