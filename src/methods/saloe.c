/* saloe.c - SALOE, semi-supervised adaptive local orthogonal embedding.
 *
 *   minimise  sum_ij p_ij^2 |W'x_i - W'x_j|^2 + alpha sum_ij s_ij^2 |W'x_i - W'x_j|^2,  W'W = I
 *
 * over W and the weights of two graphs: P joins a labelled row to its `within_neighbors` nearest of the same class, S a row to its `neighbors` nearest
 * of all, both in the embedding; the weights of a row are positive and sum to 1. W and the graphs are found in turn: eigenvectors of X'(L_p + alpha L_s)X with the
 * smallest values, L Laplacians of the squared weights, in the directions in which rows differ; then neighbours, and weights in closed form
 * (graph/adaptive.h). The parameters: scatter/embed.c. What the paper leaves open: docs/methods/saloe.md.
 * Nie, Wang, Wang, Li: IEEE Transactions on Knowledge and Data Engineering (2021).
 */
#include "methods/method.h"

#include "scatter/embed.h"

static const pen_param common[] = {
    PEN_DIM_AUTO("dimensions of the embedding; auto: one less than the classes"),
    PEN_PCA(0.95, "0.8 0.95"),
    PEN_PARAMS_END,
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params, pen_map *out)
{
    return embed(run, "saloe", x, params, PEN_EMBED_ORTHONORMAL, out);
}

const pen_method pen_method_saloe = {
    .name = "saloe",
    .title = "Semi-supervised adaptive local orthogonal embedding",
    .cite = "Nie, Wang, Wang, Li: Adaptive local embedding learning for semi-supervised dimensionality reduction. IEEE Transactions on "
            "Knowledge and Data Engineering (2021)",
    .dims = "rank of the centred rows; auto: classes - 1",
    .cost = "n^2 dim, n k d + n d^2 and d^3 an iteration",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_LABELS | PEN_USES_UNLABELLED | PEN_UNNESTED,
    .params = pen_embedding_params,
    .common = common,
    .size = sizeof(pen_embedding),
    .fit = fit,
};
