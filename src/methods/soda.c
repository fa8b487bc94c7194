/* soda.c - SODA, semi-supervised orthogonal discriminant analysis via label propagation.
 *
 *   maximize  tr(W'S_b W) / tr(W'(S_w + ridge max diag(S_w) I) W),  W'W = I
 *
 * S_b, S_w: scatters between and within classes with soft membership F (scatter/soft_scatter.h).
 * Labelled rows belong to their class. Unlabelled rows get F_i = alpha sum_j A_ij F_j / sum_j A_ij
 * by label propagation along the graph A of nearest neighbors (graph/label_propagation.h).
 * Nie, Xiang, Jia, Zhang: Pattern Recognition 42 (2009) 2615-2627.
 */
#include "graph/label_propagation.h"
#include "methods/method.h"
#include "scatter/soft_scatter.h"
#include "solve/trace_ratio.h"

struct soda {
    double alpha, ridge;
    pen_affinity_rules affinity;
};

static const pen_param params[] = {
    PEN_BELOW(struct soda, alpha, 0.99, 1,
              "fraction that an unlabelled row takes from its neighbors; 0: no label propagation"),
    PEN_TUNED_REAL(struct soda, ridge, 1e-3, 0, PEN_NO_LIMIT, "0.001 0.1",
                   "added to the diagonal of S_w, in units of its largest entry"),
    PEN_AFFINITY_PARAMS(struct soda, PEN_EDGES_HEAT, ""),
    PEN_COMMON_PARAMS_OF(PEN_DIM_AUTO("twice the number of classes"), PEN_PCA("0.95", "off 0.95")),
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    const struct soda *p = params_;
    double *F, largest;
    pen_sym S_b, S_w;
    pen_inner inner;
    pen_span span;
    int64_t k;

    PEN_TRY(PEN_NEW(run, F, pen_times(x->n, x->classes)));
    PEN_TRY(pen_propagate_affinities(run, problem, &p->affinity, p->alpha, F));
    out->propagated = F;
    PEN_TRY(pen_solve_span_of(run, x, &span));
    PEN_TRY(pen_solve_count(run, 2 * x->classes, span.rank, request, &k));
    PEN_TRY(PEN_ZEROS(run, x->d, &S_b, &S_w));
    PEN_TRY(pen_scatter_soft(run, x, F, &S_b, &S_w, &largest));
    out->ridge = p->ridge * largest;
    pen_sym_add_identity(out->ridge, &S_w);
    PEN_TRY(pen_solve_enter(run, &span, &S_b, &S_w, request, &inner));
    PEN_TRY(pen_solve_trace_ratio(run, &inner.A, &inner.B, k, PEN_NEWTON_DECOMPOSED, out, NULL));
    return pen_solve_return(run, &span, out);
}

const pen_method pen_method_soda = {
    .name = "soda",
    .title = "Semi-supervised orthogonal discriminant analysis via label propagation",
    .cite = "Nie, Xiang, Jia, Zhang: Semi-supervised orthogonal discriminant analysis via label "
            "propagation. Pattern Recognition 42 (2009) 2615-2627",
    .dims = "rank of the centered rows; auto: twice the classes",
    .cost = "n^2 d + n k c t + n d^2 + d^3 t",
    .not_for = "its projection alone (its class predictions are good); use sda or self",
    .source = PEN_SOURCE_PROGRAM,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_PROPAGATES | PEN_UNNESTED | PEN_NEIGHBORS,
    PEN_INNER(.needs = { .classes = 2 }, PEN_FIT(struct soda)),
};
