/* asl.c - ASL, adaptive semi-supervised learning: soft labels and a regression to them.
 *
 *   minimize  sum_labelled |f_i - e_y|^2 + sum_unlabelled sum_k p_ik^r |f_i - e_k|^2 + ridge |W|^2,
 *             f_i = W'x_i + b,   over W, b and p
 *
 * r: `exponent`. p_i >= 0 sums to 1 over the classes; e_k is 1 for class k and 0 elsewhere. If a
 * row is far from every class or near several, its p_ik^r are small and it counts little.
 * Wang, Nie, Huang: Large-scale adaptive semi-supervised learning via unified inductive and
 * transductive model. ACM SIGKDD International Conference on Knowledge Discovery and Data Mining
 * (2014). The criterion is reconstructed from papers that describe it.
 */
#include "methods/method.h"
#include "solve/alternate.h"
#include "solve/regression.h"

struct asl {
    double exponent, ridge, tol;
    int64_t max_iter;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(
        struct asl, exponent, 1.5, 1, 2, "1.5 1 2 1.25 1.75",
        "r: 1 assigns each row to one class; larger values give doubtful rows less weight"),
    PEN_REAL(struct asl, ridge, 1, 0, PEN_NO_LIMIT, "absolute ridge weight"),
    PEN_STOP_PARAMS(struct asl, 1e-8, 1000),
    PEN_COMMON_PARAMS_OF(PEN_DIM_AUTO("always the number of classes"), PEN_PCA_OFF),
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    const struct asl *p = params_;
    const pen_alternation rules = { "asl", p->tol, 1, x->labelled < x->n ? p->max_iter : 1 };
    pen_soft_labels soft;

    (void)request;
    PEN_TRY(pen_soft_labels_open(run, x, p->exponent, p->ridge, &soft));
    PEN_TRY(pen_alternate(run, &rules, pen_soft_labels_step, NULL, &soft));
    if (x->labelled == x->n)
        pen_note(run, "converged", 1);
    return pen_soft_labels_map(run, &soft, out);
}

const pen_method pen_method_asl = {
    .name = "asl",
    .title = "Adaptive semi-supervised learning",
    .cite = "Wang, Nie, Huang: Large-scale adaptive semi-supervised learning via unified inductive "
            "and transductive model. ACM SIGKDD International Conference on Knowledge Discovery "
            "and Data Mining (2014)",
    .dims = "classes",
    .cost = "n d^2 t + d^3 t",
    .source = PEN_SOURCE_RECONSTRUCTED,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_PREDICTS | PEN_PROPAGATES | PEN_UNNESTED,
    PEN_INNER(.needs = { .classes = 2, .dim_of_classes = 1 }, PEN_FIT(struct asl)),
};
