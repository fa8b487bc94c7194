/* saloe.c - SALOE, semi-supervised adaptive local orthogonal embedding.
 *
 *   minimize  sum_ij p_ij^2 |W'x_i - W'x_j|^2 + alpha sum_ij s_ij^2 |W'x_i - W'x_j|^2,  W'W = I
 *
 * over W and the weights of two graphs: P joins a labelled row to its `within_neighbors` nearest of
 * the same class, S a row to its `neighbors` nearest of all, both in the embedding. The weights of
 * a row are positive and sum to 1. W and the graphs alternate. W: eigenvectors of
 * X'(L_p + alpha L_s)X with the smallest values, L Laplacians of the squared weights, in the
 * directions in which rows differ. Graphs: neighbors, then weights in closed form
 * (graph/adaptive.h). docs/methods/saloe.md lists what the paper leaves open.
 * Nie, Wang, Wang, Li: IEEE Transactions on Knowledge and Data Engineering (2021).
 */
#include "methods/saloe.h"

static const char *const inits[] = { "adjacency", "zero", "random", NULL };
static const char *const stops[] = { "scaled", "absolute", "relative", NULL };

const pen_param pen_saloe_params[] = {
    PEN_TUNED_REAL(pen_embedding, alpha, 0.1, 0, PEN_NO_LIMIT, "0.1 100 0.001 10 1 0.01 1000",
                   "weight of the graph of all rows"),
    PEN_TUNED_INT(pen_embedding, within_neighbors, 2, 1, PEN_NO_LIMIT, "1 2 4",
                  "nearest neighbors of a labelled row in its class"),
    PEN_INT(pen_embedding, neighbors, 10, 1, PEN_NO_LIMIT, "nearest neighbors among all rows"),
    PEN_CHOICE(pen_embedding, init, inits, PEN_EMBED_ADJACENCY,
               "initial graphs: of nearest neighbors, none, or random"),
    PEN_INT(pen_embedding, restarts, 1, 1, PEN_NO_LIMIT,
            "number of starts from random graphs; keep the lowest objective"),
    PEN_REAL(pen_embedding, tol, 1e-4, 0, PEN_NO_LIMIT,
             "stop when the objective changes by no more than this"),
    PEN_CHOICE(pen_embedding, stop, stops, PEN_EMBED_SCALED,
               "change that tol limits: of the objective per 1000 rows of unit length if there are "
               "more, of the objective itself, or relative to it"),
    PEN_INT(pen_embedding, max_iter, 100, 1, PEN_NO_LIMIT, "maximum number of iterations"),
    PEN_POSITIVE(pen_embedding, null_tol, 1e-10, PEN_NO_LIMIT, NULL,
                 "leave out directions whose variance is at most this fraction of the largest"),
    PEN_COMMON_PARAMS_OF(PEN_DIM_AUTO("the number of classes minus one"),
                         PEN_PCA("0.95", "0.8 0.95")),
};

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params,
                      const pen_request *request, pen_projection *out)
{
    return pen_embed(run, "saloe", problem, params, PEN_EMBED_ORTHONORMAL, request, out);
}

const pen_method pen_method_saloe = {
    .name = "saloe",
    .title = "Semi-supervised adaptive local orthogonal embedding",
    .not_for = "classes of one cluster each, or noisy columns; use self, or reduce rows by pca to "
               "the number of dimensions",
    PEN_SALOE_RECORD,
};
