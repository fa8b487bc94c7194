/* scores.c - scores with a ridge regression: the criterion, and the projection from the scores. */
#include "solve/scores.h"

#include "linalg/products.h"
#include "solve/regression.h"

#include <string.h>

/* tr((F - Y)'U(F - Y)) + tr(F'LF). */
static double spread(const pen_view *x, const pen_graph *graph, const pen_label_weights *weights,
                     const double *F)
{
    const int64_t n = x->n, c = x->classes;
    double sum = 0, pull = 0, fit = 0;

    for (int64_t i = 0; i < n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++)
            for (int64_t k = 0; k < c; k++) {
                const double off = F[i * c + k] - F[graph->other[e] * c + k];
                sum += graph->weight[e] * off * off;
            }
    for (int64_t i = 0; weights->unlabelled > 0 && i < n * c; i++)
        pull += F[i] * F[i];
    for (int64_t a = 0; a < c; a++)
        for (int64_t i = x->starts[a]; i < x->starts[a + 1]; i++)
            for (int64_t k = 0; k < c; k++) {
                const double f = F[x->members[i] * c + k];
                fit += (f - (k == a)) * (f - (k == a));
                pull -= weights->unlabelled > 0 ? f * f : 0;
            }
    return sum + weights->labelled * fit + weights->unlabelled * pull;
}

/* |W|^2 / gamma + |X W + 1 b' - F|^2; z [n x c]: scratch. */
static pen_status misfit(pen_run *run, const pen_view *x, double gamma, const pen_projection *map,
                         double *z, double *out)
{
    const int64_t n = x->n, c = x->classes;
    double sum = 0;

    PEN_TRY(pen_rows_multiply(run, x, c, map->W, z));
    for (int64_t i = 0; i < n * c; i++) {
        const double off = z[i] + map->bias[i % c] - map->propagated[i];
        sum += off * off;
    }
    *out = pen_dot(x->d * c, map->W, map->W) / gamma + sum;
    return PEN_OK;
}

pen_status pen_scores_flexible(pen_run *run, const pen_view *x, const pen_graph *graph,
                               const pen_label_weights *weights, double mu, double gamma,
                               pen_projection *out)
{
    const int64_t n = x->n, d = x->d, c = x->classes;
    pen_score_system s;
    double *UY, *F, off;

    PEN_TRY(PEN_NEW(run, F, pen_times(n, c)));
    PEN_TRY(PEN_NEW(run, out->W, pen_times(d, c)));
    PEN_TRY(pen_score_system_open(run, x, graph, weights, mu * gamma, &s));
    PEN_REQUIRE(run, s.unreached == 0 || s.weight > 0 || weights->unlabelled > 0,
                PEN_SINGULAR_SCATTER,
                "%lld of %lld rows are not connected with a labelled row, so their scores are "
                "undetermined; set mu > 0, unlabelled_weight > 0 or more neighbors",
                (long long)s.unreached, (long long)n);
    PEN_TRY(pen_score_system_invert(run, gamma, &s));
    PEN_TRY(pen_score_targets(run, &s, &UY));
    PEN_TRY(pen_score_system_solve(run, &s, c, UY, F));
    pen_note(run, "cg_iterations", (double)s.iterations);
    memcpy(UY, F, (size_t)(n * c) * sizeof *UY);
    PEN_TRY(pen_score_gather(run, x, c, UY, out->W));
    pen_score_system_divide(&s, c, out->W);
    out->d = d;
    out->k = c;
    out->propagated = F;
    PEN_TRY(pen_score_means(run, n, c, F, &out->bias));
    PEN_TRY(misfit(run, x, gamma, out, UY, &off));
    PEN_TRY(pen_trace(run, "objective", spread(x, graph, weights, F) + mu * gamma * off));
    return pen_scores_check(run, out);
}
