/* ssda.c - SSDA, semi-supervised discriminant analysis by path similarities; experimental.
 *
 *   maximize  tr((W'(S_w + beta tr(S_w)/d I) W)^-1 W'S_t W),  W'(...)W = I
 *
 *   S_t = sum_i (x_i - m)(x_i - m)' over all rows, m their mean
 *   S_w = sum_{i<j} Q_ij (x_i - x_j)(x_i - x_j)'
 *   Q_ij: for two labelled rows 1 within a class and 0 across classes; for other pairs the path
 *   similarity, which is the largest over paths from i to j of the smallest step
 *   a_i a_j exp(-|x_i - x_j|^2 / t) (graph/paths.h)
 *
 * After the idea of Zhang, Yeung: IEEE Conference on Computer Vision and Pattern Recognition
 * (2008). Reconstructed: the scatters, the weights a_i and t are this library's.
 */
#include "methods/method.h"
#include "scatter/pair_scatter.h"
#include "scatter/path_scatter.h"

struct ssda {
    double beta;
    int64_t neighbors;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct ssda, beta, 10, 0, PEN_NO_LIMIT, "0.001 0.1 1 10",
                   "added to the diagonal of the within scatter, in units of its mean"),
    PEN_INT(struct ssda, neighbors, 5, 1, PEN_NO_LIMIT,
            "number of nearest neighbors that show whether a row is an outlier"),
    PEN_COMMON_PARAMS,
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params_,
                      const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    const struct ssda *p = params_;
    const pen_ridge ridge = { p->beta, .residuals = x };
    pen_merges merges;
    pen_sym S_t, S_w;

    PEN_TRY(pen_paths_robust(run, problem, p->neighbors, &merges));
    PEN_TRY(pen_scatter_rows(run, x, PEN_TOTAL_SCATTER, &S_t));
    PEN_TRY(pen_sym_zero(run, x->d, &S_w));
    PEN_TRY(pen_scatter_paths(run, 1, x, &merges, &S_w));
    PEN_TRY(pen_scatter_labels_as_pairs(run, x, 0, 1, &S_t, &S_w));
    return pen_solve_ratio(run, &S_t, &S_w, &ridge, PEN_COLUMNS_PLAIN, request, out);
}

const pen_method pen_method_ssda = {
    .name = "ssda",
    .title = "Semi-supervised discriminant analysis by path similarities",
    .cite = "after Zhang, Yeung: Semi-supervised discriminant analysis using robust path-based "
            "similarity. IEEE Conference on Computer Vision and Pattern Recognition (2008)",
    .dims = "rank of the centered rows",
    .cost = "3 n^2 d + n d^2 + d^3",
    .not_for = "few labels; use fda or self",
    .source = PEN_SOURCE_RECONSTRUCTED,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_NEIGHBORS,
    PEN_INNER(.needs = { .classes = 1 }, .ridge = "beta", PEN_FIT(struct ssda)),
};
