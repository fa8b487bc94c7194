/* label_propagation.c - label propagation: the system of the unlabelled rows, solved until every
 * row satisfies its equation.
 *
 * Degrees of the heat kernel differ by hundreds of orders of magnitude, and a norm of the residual
 * sees only the largest. So the residual of conjugate gradients is checked row by row: converged
 * rows have residual 0 from then on, and the remaining rows determine the next solve. */
#include "graph/label_propagation.h"

#include "linalg/cg.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_STAGES = 100, MAX_ITERATIONS = 1000000 };

static const double STAGE_TOLERANCE = 1e-8; /* residual reduction of a stage */

struct propagation {
    const pen_graph *graph;
    double alpha;
    int64_t n, u, c;
    int64_t *place;        /* [n] index among the unlabelled rows, or -1 */
    double *degree, *root; /* [n] degrees and their square roots */
    pen_csr_sym sums;      /* -A: diagonal 0 */
    pen_csr_sym block;     /* I - alpha D^-1/2 A D^-1/2 over the unlabelled rows */
    double *F, *AF;        /* [n x c] */
    double *rhs, *step;    /* [u x c] */
    int64_t iterations;    /* conjugate gradient iterations of the slowest column */
};

static void hard_labels(const pen_view *x, double *F)
{
    memset(F, 0, (size_t)(x->n * x->classes) * sizeof *F);
    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++)
            F[x->members[i] * x->classes + c] = 1;
}

static pen_status number_rows(pen_run *run, const pen_view *x, struct propagation *s)
{
    PEN_TRY(PEN_FILLED(run, s->place, s->n, 0));
    PEN_TRY(PEN_NEW2(run, s->degree, s->root, s->n));
    for (int64_t i = 0; i < x->labelled; i++)
        s->place[x->members[i]] = -1;
    for (int64_t i = 0; i < s->n; i++)
        if (s->place[i] == 0)
            s->place[i] = s->u++;
    pen_graph_degrees(s->graph, s->degree);
    for (int64_t i = 0; i < s->n; i++) {
        PEN_REQUIRE(run, s->degree[i] >= DBL_MIN, PEN_BAD_DATA,
                    "row %lld (counted from 0) is isolated: it is so far from its neighbors that "
                    "the weights of its edges are 0; set a larger "
                    "heat, or graph binary",
                    (long long)i);
        s->root[i] = sqrt(s->degree[i]);
    }
    return PEN_OK;
}

/* Builds the matrix of sums over neighbors, and that of the unlabelled rows. */
static pen_status build(pen_run *run, struct propagation *s)
{
    int64_t *first, *other;
    double *weight, *ones, *zeros;

    PEN_TRY(pen_graph_csr(run, s->graph, 1, &s->sums));
    PEN_TRY(PEN_NEW(run, first, s->u + 1));
    PEN_TRY(PEN_NEW2(run, other, weight, s->sums.first[s->n]));
    PEN_TRY(PEN_NEW(run, ones, s->u));
    PEN_TRY(PEN_FILLED(run, zeros, s->n, 0));
    s->sums.diagonal = zeros;
    first[0] = 0;
    for (int64_t i = 0; i < s->n; i++) {
        if (s->place[i] < 0)
            continue;
        int64_t to = first[s->place[i]];
        for (int64_t e = s->sums.first[i]; e < s->sums.first[i + 1]; e++) {
            const int64_t j = s->sums.other[e];
            if (s->place[j] < 0)
                continue;
            weight[to] = s->alpha * s->sums.weight[e] / s->root[i] / s->root[j];
            other[to++] = s->place[j];
        }
        first[s->place[i] + 1] = to;
        ones[s->place[i]] = 1;
    }
    s->block = (pen_csr_sym){
        .n = s->u, .first = first, .other = other, .weight = weight, .diagonal = ones
    };
    return PEN_OK;
}

/* Computes the difference between the averages of F and F, times D^1/2, set to 0 for rows where it
 * is rounding. *remaining is the number of other rows. */
static pen_status find_residual(pen_run *run, struct propagation *s, int64_t *remaining)
{
    const int64_t c = s->c;

    PEN_TRY(pen_csr_apply(run, &s->sums, c, s->F, s->AF));
    *remaining = 0;
    for (int64_t i = 0; i < s->n; i++) {
        const double *const sum = s->AF + i * c, *const own = s->F + i * c;
        double *const rhs = s->rhs + pen_max(s->place[i], 0) * c;
        double largest = 0;
        if (s->place[i] < 0)
            continue;
        for (int64_t j = 0; j < c; j++) {
            rhs[j] = -s->alpha * (sum[j] / s->degree[i]) - own[j];
            largest = fmax(largest, fabs(rhs[j]));
        }
        const int rounding =
            largest <= (double)(16 + s->sums.first[i + 1] - s->sums.first[i]) * DBL_EPSILON;
        for (int64_t j = 0; j < c; j++)
            rhs[j] = rounding ? 0 : s->root[i] * rhs[j];
        *remaining += !rounding;
    }
    return PEN_OK;
}

static pen_status improve(pen_run *run, struct propagation *s)
{
    const pen_cg system = { .phase = "label propagation",
                            .n = s->u,
                            .apply = pen_csr_apply,
                            .context = &s->block,
                            .diagonal = s->block.diagonal,
                            .tol = STAGE_TOLERANCE,
                            .most = MAX_ITERATIONS,
                            .iterations = &s->iterations };

    memset(s->step, 0, (size_t)(s->u * s->c) * sizeof *s->step);
    PEN_TRY(pen_cg_solve(run, &system, s->c, s->rhs, s->step));
    pen_note(run, "cg_iterations", (double)s->iterations);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; s->place[i] >= 0 && j < s->c; j++)
            s->F[i * s->c + j] += s->step[s->place[i] * s->c + j] / s->root[i];
    return PEN_OK;
}

static pen_status solve(pen_run *run, struct propagation *s)
{
    int64_t remaining;

    PEN_TRY(PEN_NEW(run, s->AF, pen_times(s->n, s->c)));
    PEN_TRY(PEN_NEW2(run, s->rhs, s->step, pen_times(s->u, s->c)));
    for (int stage = 0; stage < MAX_STAGES; stage++) {
        PEN_TRY(find_residual(run, s, &remaining));
        if (remaining == 0)
            return PEN_OK;
        PEN_TRY(improve(run, s));
    }
    return pen_fail(run, PEN_NOT_CONVERGED,
                    "label propagation: %lld rows have not converged after %d solves",
                    (long long)remaining, MAX_STAGES);
}

pen_status pen_propagate_labels(pen_run *run, const pen_view *x, const pen_graph *graph,
                                double alpha, double *F)
{
    struct propagation s = { .graph = graph, .alpha = alpha, .n = x->n, .c = x->classes, .F = F };
    int64_t unreached;

    hard_labels(x, F);
    if (!graph || alpha == 0 || x->labelled == x->n)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(number_rows(run, x, &s));
    PEN_TRY(build(run, &s));
    PEN_TRY(pen_graph_unreached(run, &s.sums, x->labelled, x->members, &unreached));
    PEN_TRY(solve(run, &s));
    for (int64_t i = 0; i < x->n * x->classes; i++)
        F[i] = fmax(F[i], 0);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_propagate_affinities(pen_run *run, const pen_problem *problem,
                                    const pen_affinity_rules *how, double alpha, double *F)
{
    const pen_view *const x = &problem->rows;
    pen_graph graph;

    if (alpha == 0 || x->labelled == x->n)
        return pen_propagate_labels(run, x, NULL, 0, F);
    PEN_TRY(pen_graph_affinities(run, problem, how, &graph));
    return pen_propagate_labels(run, x, &graph, alpha, F);
}
