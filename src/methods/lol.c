/* lol.c - LOL, linear optimal low-rank projection.
 *
 *   W = Q of the QR decomposition of [D' V],  W'W = I
 *
 * D: means of the other classes minus that of the largest, in order of class size (ties: the first
 * label). V: right singular vectors of the labelled rows minus their class means, largest value
 * first. A direction in the span of earlier ones gives no column. Vogelstein and others (2021).
 */
#include "methods/method.h"
#include "scatter/class_scatter.h"
#include "solve/ratio.h"

static const pen_param params[] = { PEN_COMMON_PARAMS };

/* D [classes - 1 x d]. */
static pen_status mean_differences(pen_run *run, const pen_classes *classes, pen_directions *out)
{
    const int64_t d = classes->x.d, count = classes->x.classes;
    int64_t *order;
    double *D;

    PEN_TRY(PEN_NEW(run, order, count));
    PEN_TRY(PEN_NEW(run, D, pen_times(count - 1, d)));
    pen_classes_by_size(&classes->x, order);
    for (int64_t c = 1; c < count; c++)
        pen_classes_difference(classes, order[c], order[0], D + (c - 1) * d);
    *out = (pen_directions){ count - 1, D };
    return PEN_OK;
}

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    pen_classes classes;
    pen_directions D;
    pen_factored S_w;
    pen_eig V;

    (void)params_;
    PEN_TRY(pen_classes_open(run, &problem->rows, &classes));
    PEN_TRY(mean_differences(run, &classes, &D));
    PEN_TRY(pen_scatter_within(run, &classes, &S_w));
    PEN_TRY(pen_factored_eig(run, &S_w, &V));
    return pen_solve_gram_schmidt(run, problem->rows.d, &D, &(pen_directions){ V.rank, V.vectors },
                                  request, out);
}

const pen_method pen_method_lol = {
    .name = "lol",
    .title = "Linear optimal low-rank projection",
    .cite = "Vogelstein and others: Supervised dimensionality reduction for big data. Nature "
            "Communications 12 (2021) 2872",
    .dims = "rank of the labelled rows about their mean",
    .cost = "l^2 d",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS | PEN_MERGES,
    PEN_INNER(.wide = 1, .needs = { .classes = 2 }, .fit = fit),
};
