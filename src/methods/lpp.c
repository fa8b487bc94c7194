/* lpp.c - LPP, locality preserving projections.
 *
 *   minimize  tr(W'S_l W)  with  W'S_n W = I      S_l = 1/2n sum_ij A_ij (x_i - x_j)(x_i - x_j)',
 *       S_n = 1/n sum_ij A_ij x_i x_i'
 *
 * A: affinities of all rows by local scaling. The columns are eigenvectors v of S_l v = value S_n
 * v, v'S_n v = 1, the smallest value first. S_n is about the origin of the rows as they were given,
 * or with origin = mean about their mean. ridge r > 0 puts S_n + r tr(S_n)/d I in the place of S_n.
 * He, Niyogi: Advances in Neural Information Processing Systems 16 (2004) 153-160; with these
 * affinities Sugiyama, Ide, Nakajima, Sese: Machine Learning 78 (2010) 35-61, section 3.2.
 */
#include "methods/method.h"

static const char *const lengths[] = { "plain", "orthonormal", NULL };

struct lpp {
    int64_t neighbors;
    enum pen_affinity_graph graph;
    enum pen_origin origin;
    double ridge;
    enum { PLAIN, ORTHONORMAL } metric;
};

static const pen_param params[] = {
    PEN_TUNED_INT(struct lpp, neighbors, 7, 1, PEN_NO_LIMIT, "3 7 15",
                  "local scaling: distance to this neighbor"),
    PEN_CHOICE(struct lpp, graph, pen_affinity_graph_names, PEN_AFFINITY_DENSE,
               "affinities of all rows, or of mutual neighbors only"),
    PEN_CHOICE(struct lpp, origin, pen_origin_names, PEN_ORIGIN_ZERO,
               "rows are measured from 0, or from their mean"),
    PEN_TUNED_REAL(struct lpp, ridge, 0, 0, PEN_NO_LIMIT, "0 0.01",
                   "added to the diagonal of S_n, in units of its mean"),
    PEN_CHOICE(struct lpp, metric, lengths, PLAIN, "length of the columns"),
    PEN_PARAMS_END,
};

/* Every direction would be as good as any other. */
static int is_zero(const pen_sym *S_l)
{
    for (int64_t j = 0; j < S_l->d; j++)
        if (S_l->a[j * S_l->d + j] > S_l->floor[j])
            return 0;
    return 1;
}

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    const struct lpp *p = params_;
    const pen_locality locality = { p->neighbors, p->graph, p->origin };
    pen_sym S_n, S_l;

    PEN_TRY(pen_sym_zero(run, x->d, &S_n));
    PEN_TRY(pen_sym_zero(run, x->d, &S_l));
    PEN_TRY(pen_scatter_locality(run, 1, x, &locality, &S_n, &S_l));
    PEN_REQUIRE(run, !is_zero(&S_l), PEN_SINGULAR_SCATTER,
                "the scatter of near rows is zero: all rows are equal, but for rounding, or each "
                "has %lld equal ones or more; set neighbors higher",
                (long long)p->neighbors);
    PEN_TRY(pen_solve_smallest(run, &S_l, &S_n, p->ridge,
                               p->metric == PLAIN ? PEN_METRIC_PLAIN : PEN_METRIC_ORTHONORMAL,
                               request, out));
    for (int64_t c = 0; c < out->k; c++) /* below 0 for rounding alone */
        out->eigenvalues[c] = fmax(0, out->eigenvalues[c]);
    return PEN_OK;
}

const pen_method pen_method_lpp = {
    .name = "lpp",
    .title = "Locality preserving projections",
    .cite = "He, Niyogi: Locality preserving projections. Advances in Neural Information "
            "Processing Systems 16 (2004) 153-160",
    .dims = "d",
    .cost = "n^2 d + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_USES_UNLABELLED,
    .params = params,
    .size = sizeof(struct lpp),
    .fit = fit,
};
