/* salwe.c - SALWE, semi-supervised adaptive local whitening embedding: SALOE with another
 * constraint.
 *
 *   minimize  sum_ij p_ij^2 |W'x_i - W'x_j|^2 + alpha sum_ij s_ij^2 |W'x_i - W'x_j|^2,  W'S_t W = I
 *
 * S_t is the covariance of all rows, in the directions in which they differ: the embedding has
 * variance 1 in every direction and no correlation. This is saloe.c on whitened rows, except that
 * the first graphs come from the rows before whitening. Parameters: see saloe.c.
 * Nie, Wang, Wang, Li: IEEE Transactions on Knowledge and Data Engineering (2021).
 */
#include "methods/saloe.h"

static pen_status fit(pen_run *run, const pen_problem *problem, const void *params,
                      const pen_request *request, pen_projection *out)
{
    return pen_embed(run, "salwe", problem, params, PEN_EMBED_WHITENED, request, out);
}

const pen_method pen_method_salwe = {
    .name = "salwe",
    .title = "Semi-supervised adaptive local whitening embedding",
    .not_for = "many noisy columns; use --alpha 10, or self",
    PEN_SALOE_RECORD,
};
