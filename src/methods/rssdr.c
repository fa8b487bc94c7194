/* rssdr.c - RSSDR, perceptual relativity-based semi-supervised dimensionality reduction.
 *
 *   maximize  w'(S_C + alpha S_F) w / w'(S_M + beta S_R) w
 *       one direction after another: eigenvectors, w'(S_M + beta S_R) w = 1
 *
 * S_C, S_M: sums of (x_i - x_j)(x_i - x_j)' over cannot-links and must-links; S_F: over pairs of
 * rows of which neither is among the nearest of the other.
 * S_R = E'E, E = X - AX: what is left of rows beside the combinations of their neighbors that come
 * nearest to them in the relative space, where a row is the list of its distances to all rows, or
 * to landmarks (neighbors/relative.h). What the paper leaves open: docs/methods/rssdr.md.
 * Cai, Wen, Wei, Yu: Applied Soft Computing 16 (2014) 112-123.
 */
#include "methods/method.h"

static const char *const column_names[] = { "weighted", "unit", NULL }, *const neighborhoods[] = {
    "knn", "mutual", NULL
};
static const pen_word all_rows[] = { { "all", 0 }, { NULL, 0 } };

struct rssdr {
    double alpha, beta, lle_ridge, ridge;
    int64_t neighbors, landmarks, seed;
    enum pen_landmark_mode landmark_mode;
    enum pen_join neighborhood;
    enum { WEIGHTED, UNIT } columns;
};

static const pen_param params[] = {
    PEN_TUNED_REAL(struct rssdr, alpha, 0.1, 0, PEN_NO_LIMIT, "0.01 0.1 1",
                   "weight of the pairs of rows that are no neighbors"),
    PEN_TUNED_REAL(struct rssdr, beta, 0.1, 0, PEN_NO_LIMIT, "0.01 0.1 1",
                   "weight of what reconstructions leave"),
    PEN_INT(struct rssdr, neighbors, 5, 1, PEN_NO_LIMIT, "nearest neighbors, in either space"),
    PEN_REAL(struct rssdr, lle_ridge, 1e-3, 0, PEN_NO_LIMIT,
             "of reconstructions, in units of the sum of squared distances"),
    PEN_REAL(struct rssdr, ridge, 1e-9, 0, PEN_NO_LIMIT,
             "added to the diagonal of the denominator, in units of its mean"),
    { .name = "landmarks",
      .type = PEN_PARAM_INT,
      .min = 1,
      .max = PEN_NO_LIMIT,
      .words = all_rows,
      .offset = offsetof(struct rssdr, landmarks),
      .help = "rows that distances of the relative space are measured to; all: exact" },
    PEN_INT(struct rssdr, seed, 0, 0, PEN_NO_LIMIT, "draws the landmarks"),
    PEN_CHOICE(struct rssdr, landmark_mode, pen_landmark_mode_names, PEN_LANDMARKS_CORRECTED,
               "sums over landmarks, or estimates"),
    PEN_CHOICE(struct rssdr, neighborhood, neighborhoods, PEN_JOIN_UNION,
               "reconstruct from the nearest, or nearest to each other"),
    PEN_CHOICE(struct rssdr, columns, column_names, WEIGHTED,
               "length of the columns: as above, or one"),
    PEN_PARAMS_END,
};

static const pen_param common[] = {
    PEN_PCA(0.98, NULL),
    PEN_PARAMS_END,
};

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct rssdr *p = params_;
    const pen_relativity how = { p->neighbors,     p->landmarks,    p->seed,
                                 p->landmark_mode, p->neighborhood, p->lle_ridge };
    pen_neighbor *nearest;
    pen_graph near;
    pen_sym Num, Den;

    PEN_REQUIRE(run, x->pairs->cannot_count > 0 || p->alpha > 0, PEN_NO_PAIRS,
                "nothing to make large: no cannot-links, and alpha is 0");
    PEN_REQUIRE(run, x->pairs->must_count > 0 || p->beta > 0, PEN_NO_PAIRS,
                "nothing to make small: no must-links, and beta is 0");
    PEN_TRY(pen_graph_neighbors(run, x, "neighbors", p->neighbors, &nearest));
    PEN_TRY(pen_graph_of_neighbors(run, x->n, p->neighbors, nearest, PEN_JOIN_UNION, &near));
    PEN_TRY(pen_sym_zero(run, x->d, &Num));
    PEN_TRY(pen_sym_zero(run, x->d, &Den));
    /* Num += S_C,  Den += S_M */
    PEN_TRY(pen_scatter_pairs(run, 1, 1, x, &Num, &Den));
    /* Num += alpha S_F */
    PEN_TRY(pen_scatter_non_neighbors(run, p->alpha, x, &near, &Num));
    PEN_TRY(pen_scatter_relative_reconstruction(run, p->beta, x, &how, &Den)); /* Den += beta S_R */
    PEN_TRY(pen_scatter_note_condition(run, &Den));
    pen_request inner = *request;
    inner.columns = x->d; /* the ridge is measured over the dimensions there are */
    PEN_TRY(pen_solve_ratio(run, &Num, &Den, p->ridge, PEN_METRIC_PLAIN, &inner, out));
    if (p->columns == UNIT)
        pen_solve_unit_columns(out);
    return PEN_OK;
}

const pen_method pen_method_rssdr = {
    .name = "rssdr",
    .title = "Perceptual relativity-based semi-supervised dimensionality reduction",
    .cite = "Cai, Wen, Wei, Yu: Perceptual relativity-based semi-supervised dimensionality "
            "reduction algorithm. Applied Soft Computing 16 "
            "(2014) 112-123",
    .dims = "components; with alpha 0 rank of S_C",
    .cost = "n^3; n^2 (m + d) with m landmarks; + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED,
    .params = params,
    .common = common,
    .size = sizeof(struct rssdr),
    .fit = fit,
};
