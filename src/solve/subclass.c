/* subclass.c - the criterion of SODRPaC, and lambda and gamma by what is held out. */
#include "solve/subclass.h"

#include "graph/constraint_derivation.h"
#include "graph/graph_set.h"
#include "scatter/scatter.h"
#include "solve/cross_validation.h"

#include <math.h>

struct graphs {
    pen_graph near, manifold;
};

static pen_status open_graphs(pen_run *run, const pen_problem *problem, const pen_subclass_rules *p,
                              struct graphs *g)
{
    return pen_graph_shared_and_nearest(run, problem, "snn_neighbors", p->snn_neighbors, &g->near,
                                        "manifold_neighbors", p->manifold_neighbors, &g->manifold);
}

/* A += S_C / |C'| - S_N / |N_S|,  M -= lambda X'MX; both may be one matrix. */
static pen_status add_terms(pen_run *run, const pen_problem *problem, const pen_subclass_rules *p,
                            double gamma, double lambda, struct graphs *g, pen_sym *A, pen_sym *M)
{
    const pen_view *const x = &problem->rows;
    const pen_derivation_rules rules = { .gamma = gamma,
                                         .only_if_no_enemy = p->derive == PEN_DERIVE_UNLINKED,
                                         .most = p->max_pairs };
    const double sum = p->pair_terms == PEN_SUBCLASS_SUM;
    pen_derived derived;

    PEN_TRY(pen_derive_constraints(run, problem, &g->near, &rules, &derived));
    pen_graph_heat_weights(&g->manifold, gamma);
    PEN_TRY(pen_graphs_add(run, "manifold", &g->manifold));
    PEN_TRY(pen_graphs_add(run, "shared_neighbors", &g->near));
    PEN_TRY(pen_graphs_add(run, "cannot_links", &derived.cannot));
    pen_note(run, "gamma", gamma);
    pen_note(run, "shared_neighbor_pairs", (double)g->near.edges);

    const double c = derived.mass, s = (double)g->near.edges;
    PEN_TRY(pen_scatter_graph(run, c > 0 ? sum + (1 - sum) / c : 0, x, &derived.cannot, NULL, A));
    PEN_TRY(pen_scatter_graph(run, s > 0 ? -(sum + (1 - sum) / s) : 0, x, &g->near, NULL, A));
    return pen_scatter_manifold(
        run, p->pair_terms == PEN_SUBCLASS_BALANCED ? -lambda / (double)x->n : -lambda, x,
        &g->manifold, M);
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
    const pen_subclass_rules *p;
    struct graphs graphs;
    int64_t lambdas, gammas; /* each gamma is a group */
    double lambda[LAMBDA_COUNT], gamma[GAMMA_COUNT];
    pen_sym S_t, A, M; /* A without the manifold term, M with lambda -1 */
};

static pen_status prepare(void *context, pen_run *run, const pen_problem *known, int64_t group)
{
    struct choice *const c = context;

    PEN_TRY(PEN_ZEROS(run, known->rows.d, &c->A, &c->M));
    return add_terms(run, known, c->p, c->gamma[group], -1, &c->graphs, &c->A, &c->M);
}

static pen_status fit_candidate(void *context, pen_run *run, int64_t group, int64_t i,
                                const pen_request *request, pen_projection *out)
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

pen_status pen_subclass_choose(pen_run *run, const pen_problem *problem, const pen_request *request,
                               pen_subclass_rules *p)
{
    const pen_view *const x = &problem->rows;
    struct choice c = { .p = p,
                        .lambdas = p->lambda == PEN_LAMBDA_CV ? LAMBDA_COUNT : 1,
                        .gammas = p->gamma == PEN_GAMMA_CV ? GAMMA_COUNT : 1 };
    const pen_candidates candidates = { c.gammas, c.lambdas, prepare, fit_candidate, &c };
    pen_held_out held;

    if (c.lambdas * c.gammas == 1)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    for (int64_t i = 0; i < c.lambdas; i++)
        c.lambda[i] = c.lambdas > 1 ? LAMBDAS[i] : p->lambda;
    for (int64_t g = 0; g < c.gammas; g++)
        PEN_TRY(pen_graph_width(run, x, c.gammas > 1 ? GAMMAS[g] : p->gamma, &c.gamma[g]));
    PEN_TRY(open_graphs(run, problem, p, &c.graphs));
    PEN_TRY(pen_scatter_rows(run, x, PEN_TOTAL_COVARIANCE, &c.S_t));
    PEN_TRY(pen_cross_validate(run, problem, request, &candidates, &held));
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

pen_status pen_subclass_solve(pen_run *run, const pen_problem *problem, const pen_subclass_rules *p,
                              const pen_request *request, pen_projection *out)
{
    const pen_view *const x = &problem->rows;
    struct graphs graphs;
    pen_sym S_t, A;
    double gamma;

    PEN_TRY(pen_graph_width(run, x, p->gamma, &gamma));
    PEN_TRY(open_graphs(run, problem, p, &graphs));
    PEN_TRY(pen_scatter_rows(run, x, PEN_TOTAL_COVARIANCE, &S_t));
    PEN_TRY(pen_sym_zero(run, x->d, &A));
    PEN_TRY(add_terms(run, problem, p, gamma, p->lambda, &graphs, &A, &A));
    PEN_TRY(pen_solve_difference(run, &A, &S_t, request, out));
    PEN_REQUIRE(
        run, A.terms || pen_sym_largest(&A) > 0, PEN_NO_PAIRS,
        "nothing to learn from: there are no cannot-links, no shared neighbors, and no manifold");
    return PEN_OK;
}
