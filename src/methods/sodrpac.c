/* sodrpac.c - SODRPaC, subclass-oriented dimension reduction with constraint transformation and
 * manifold regularization.
 *
 *   maximize  tr(W'(S_C / |C'| - S_N / |N_S| - lambda X'MX) W),  W'W = I
 *
 *   C': cannot-links, given and derived (graph/constraint_derivation.h), each with a reliability L;
 *       S_C = sum over C' of L (x_i - x_j)(x_i - x_j)'
 *   N_S: pairs of rows that are among each other's nearest;
 *       S_N = sum over N_S of (number of nearest neighbors they share) (x_i - x_j)(x_i - x_j)'
 *   M: normalized Laplacian of exp(-|x_i - x_j|^2 / gamma) between nearest neighbors
 *
 * gamma: squared mean length of centered rows. scaling sum: without |C'| and |N_S|, as in the
 * paper's equations 6 to 11, where the first two terms have exchanged signs; balanced: lambda / n.
 * lambda or gamma cv: by labels and pairs that are held out (solve/held_out.h), the outlook of the
 * paper.
 * Tong, Suzuki: Pacific-Asia Conference on Knowledge Discovery and Data Mining (2010).
 */
#include "methods/method.h"
#include "solve/held_out.h"

enum scaling { SCALING_MEAN, SCALING_SUM, SCALING_BALANCED };

static const char *const scalings[] = { "mean", "sum", "balanced", NULL };

struct sodrpac {
    double lambda, gamma;
    int64_t snn_neighbors, manifold_neighbors, max_pairs;
    enum scaling scaling;
    int only_if_no_enemy;
};

/* The values of the word cv. */
enum { LAMBDA_CV = -1, GAMMA_CV = 0 };

static const pen_word lambda_words[] = { { "cv", LAMBDA_CV }, { NULL, 0 } };
static const pen_word gamma_words[] = {
    { "auto", -1 },     { "auto/16", -0.0625 }, { "auto/8", -0.125 }, { "auto/4", -0.25 },
    { "auto/2", -0.5 }, { "auto*2", -2 },       { "auto*4", -4 },     { "auto*8", -8 },
    { "auto*16", -16 }, { "cv", GAMMA_CV },     { NULL, 0 },
};

static const pen_param params[] = {
    PEN_ROW(struct sodrpac, lambda, "lambda", PEN_PARAM_REAL, .initial = 0.125, .max = PEN_NO_LIMIT,
            .words = lambda_words, .grid = "0.125 0 64 0.03 16 0.5 256 1024",
            .help = "weight of the manifold term; cv: by held-out labels or pairs"),
    PEN_TUNED_POSITIVE(struct sodrpac, gamma, -1, PEN_NO_LIMIT, gamma_words,
                       "auto auto/4 auto*8 auto/16 auto/8",
                       "width of the kernels; auto: squared mean length of centered rows; cv: by "
                       "held-out labels or pairs"),
    PEN_INT(struct sodrpac, snn_neighbors, 3, 1, PEN_NO_LIMIT,
            "nearest neighbors among which shared ones are counted"),
    PEN_INT(struct sodrpac, manifold_neighbors, 5, 1, PEN_NO_LIMIT,
            "nearest neighbors of the manifold term"),
    PEN_TUNED_CHOICE(struct sodrpac, scaling, scalings, SCALING_MEAN, "mean sum",
                     "pair terms as means, as sums, or as means with lambda / n"),
    PEN_FLAG(struct sodrpac, only_if_no_enemy,
             "derive cannot-links from those of near rows only for rows that have none"),
    PEN_MAX_PAIRS(struct sodrpac, "maximum number of pairs, given and derived"),
    PEN_PARAMS_END,
};

/* ---- the criterion ---- */

struct graphs {
    pen_graph near, manifold;
};

static pen_status open_graphs(pen_run *run, const pen_rows *x, const struct sodrpac *p,
                              struct graphs *g)
{
    return pen_graph_shared_and_nearest(run, x, "snn_neighbors", p->snn_neighbors, &g->near,
                                        "manifold_neighbors", p->manifold_neighbors, &g->manifold);
}

/* A += S_C / |C'| - S_N / |N_S|,  M -= lambda X'MX; both may be one matrix. */
static pen_status add_terms(pen_run *run, const pen_rows *x, const struct sodrpac *p, double gamma,
                            double lambda, struct graphs *g, pen_sym *A, pen_sym *M)
{
    const pen_derivation_rules rules = { .gamma = gamma,
                                         .only_if_no_enemy = p->only_if_no_enemy,
                                         .most = p->max_pairs };
    const double sum = p->scaling == SCALING_SUM;
    pen_derived derived;

    PEN_TRY(pen_derive_constraints(run, x, &g->near, &rules, &derived));
    pen_graph_heat_weights(&g->manifold, gamma);
    pen_note(run, "gamma", gamma);
    pen_note(run, "shared_neighbor_pairs", (double)g->near.edges);

    const double c = (double)derived.cannot.edges, s = (double)g->near.edges;
    PEN_TRY(pen_scatter_graph(run, c > 0 ? sum + (1 - sum) / c : 0, x, &derived.cannot, NULL, A));
    PEN_TRY(pen_scatter_graph(run, s > 0 ? -(sum + (1 - sum) / s) : 0, x, &g->near, NULL, A));
    return pen_scatter_manifold(
        run, p->scaling == SCALING_BALANCED ? -lambda / (double)x->n : -lambda, x, &g->manifold, M);
}

/* ---- lambda and gamma by what is held out ---- */

/* Nearest to the defaults first, so that these are kept where nothing is much better. */
static const double LAMBDAS[] = { 0.125,       0.5, 0.03125, 2,   0.0078125, 8,
                                  0.001953125, 32,  0,       128, 1024 };
static const double GAMMAS[] = { -1, -4, -0.25, -16, -0.0625 };
enum {
    LAMBDA_COUNT = sizeof LAMBDAS / sizeof *LAMBDAS,
    GAMMA_COUNT = sizeof GAMMAS / sizeof *GAMMAS
};

struct choice {
    const struct sodrpac *p;
    struct graphs graphs;
    int64_t lambdas, gammas; /* each gamma is a group */
    double lambda[LAMBDA_COUNT], gamma[GAMMA_COUNT];
    pen_sym S_t, A, M; /* A without the manifold term, M with lambda -1 */
};

static pen_status prepare(void *context, pen_run *run, const pen_rows *known, int64_t group)
{
    struct choice *const c = context;

    PEN_TRY(PEN_ZEROS(run, known->d, &c->A, &c->M));
    return add_terms(run, known, c->p, c->gamma[group], -1, &c->graphs, &c->A, &c->M);
}

static pen_status fit_candidate(void *context, pen_run *run, int64_t group, int64_t i,
                                const pen_request *request, pen_map *out)
{
    const struct choice *c = context;
    pen_sym A;

    (void)group;
    PEN_TRY(pen_sym_copy(run, &c->A, &A));
    pen_sym_add_scaled(-c->lambda[i], &c->M, &A);
    return pen_solve_difference(run, &A, &c->S_t, request, out);
}

/* Of the losses within half a standard error of the least, that of the candidate nearest to the
 * defaults: steps of lambda and gamma from them, in order. */
static int64_t pick(const struct choice *c, const pen_held_out *held)
{
    const int64_t count = c->lambdas * c->gammas;
    int64_t best = 0, steps = INT64_MAX;
    double least = 1;

    for (int64_t i = 0; i < count; i++)
        least = fmin(least, held->loss[i]);
    for (int64_t i = 0; i < count && held->there; i++) {
        const int64_t here = i % c->lambdas + i / c->lambdas;
        if (held->loss[i] <= least + held->error / 2 && here < steps) {
            steps = here;
            best = i;
        }
    }
    return best;
}

static pen_status choose(pen_run *run, const pen_rows *x, const pen_request *request,
                         struct sodrpac *p)
{
    struct choice c = { .p = p,
                        .lambdas = p->lambda == LAMBDA_CV ? LAMBDA_COUNT : 1,
                        .gammas = p->gamma == GAMMA_CV ? GAMMA_COUNT : 1 };
    const pen_candidates candidates = { c.gammas, c.lambdas, prepare, fit_candidate, &c };
    pen_held_out held;

    if (c.lambdas * c.gammas == 1)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    for (int64_t i = 0; i < c.lambdas; i++)
        c.lambda[i] = c.lambdas > 1 ? LAMBDAS[i] : p->lambda;
    for (int64_t g = 0; g < c.gammas; g++)
        PEN_TRY(pen_graph_width(run, x, c.gammas > 1 ? GAMMAS[g] : p->gamma, &c.gamma[g]));
    PEN_TRY(open_graphs(run, x, p, &c.graphs));
    PEN_TRY(pen_scatter_rows(run, x, PEN_TOTAL_COVARIANCE, &c.S_t));
    PEN_TRY(pen_hold_out(run, x, request, &candidates, &held));
    const int64_t best = pick(&c, &held);
    for (int64_t i = 0; i < c.lambdas * c.gammas && held.there; i++)
        PEN_TRY(pen_trace(run, "held_out_loss", held.loss[i]));
    p->lambda = c.lambda[best % c.lambdas];
    p->gamma = c.gamma[best / c.lambdas];
    pen_note(run, "lambda", p->lambda);
    pen_note(run, "isolated", 0); /* of the candidates */
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status fit(pen_run *run, const pen_rows *x, const void *params_,
                      const pen_request *request, pen_map *out)
{
    struct sodrpac p = *(const struct sodrpac *)params_;
    struct graphs graphs;
    pen_sym S_t, A;
    double gamma;

    PEN_TRY(choose(run, x, request, &p));
    PEN_TRY(pen_graph_width(run, x, p.gamma, &gamma));
    PEN_TRY(open_graphs(run, x, &p, &graphs));
    PEN_TRY(pen_scatter_rows(run, x, PEN_TOTAL_COVARIANCE, &S_t));
    PEN_TRY(pen_sym_zero(run, x->d, &A));
    PEN_TRY(add_terms(run, x, &p, gamma, p.lambda, &graphs, &A, &A));
    PEN_TRY(pen_solve_difference(run, &A, &S_t, request, out));
    PEN_REQUIRE(
        run, pen_sym_largest(&A) > 0, PEN_NO_PAIRS,
        "nothing to learn from: there are no cannot-links, no shared neighbors, and no manifold");
    return PEN_OK;
}

const pen_method pen_method_sodrpac = {
    .name = "sodrpac",
    .title = "Subclass-oriented dimension reduction with constraint transformation and manifold "
             "regularization",
    .cite = "Tong, Suzuki: Subclass-oriented dimension reduction with constraint transformation "
            "and manifold regularization. Pacific-Asia Conference on Knowledge Discovery and Data "
            "Mining (2010)",
    .dims = "rank of the centered rows",
    .cost = "n^2 d + 10 l^2 d + 150 l^2 + n d^2 + d^3",
    .source = PEN_SOURCE_PAPER,
    .traits = PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_USES_UNLABELLED,
    PEN_FIT(struct sodrpac),
};
