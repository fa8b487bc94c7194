/* pair_agreement.c - the votes on the pairs of a row i are sums over its affinities: first all
 * pairs {u, v} leave A_iu at v and A_iv at u, then each pair {i, j} multiplies these sums by the
 * affinities of j. */
#include "graph/pair_agreement.h"

#include "core/parallel.h"
#include "neighbors/neighbors.h"

#include <math.h>
#include <string.h>

enum { SCALING_NEIGHBOR = 15 };

static const double DOUBT = 0.5; /* votes for neither kind */

/* A pair with the smallest weight still joins its rows. */
static const double LEAST = 0.01;

struct votes {
    pen_run *run;
    const pen_view *x;
    const pen_pair_set *pairs;
    double *sigma;      /* [positions] */
    double *factor[2];  /* [count] of the cannot-links, the must-links */
    pen_slices buffers; /* [4 x positions]: affinities of i and j, sums of signs and of votes */
};

static const pen_links *links_of(const struct votes *v, int must)
{
    return must ? &v->pairs->must : &v->pairs->cannot;
}

/* The affinities [positions] of position i. */
static void find_affinities(const struct votes *v, int64_t i, double *a)
{
    const int64_t *const rows = v->pairs->rows;

    for (int64_t u = 0; u < v->pairs->must.n; u++) {
        const double scale = v->sigma[i] * v->sigma[u],
                     distance2 = u == i ? 0 : pen_rows_distance2(v->x, rows[i], rows[u]);
        a[u] = distance2 == 0 ? 1 : scale > 0 ? exp(-distance2 / scale) : 0;
    }
}

/* Every pair leaves its votes on the pairs of i at its other end. */
static void collect(const struct votes *v, const double *a, double *signs, double *sums)
{
    const int64_t n = v->pairs->must.n;

    memset(signs, 0, (size_t)n * sizeof *signs);
    memset(sums, 0, (size_t)n * sizeof *sums);
    for (int must = 0; must < 2; must++) {
        const pen_links *const links = links_of(v, must);
        for (int64_t p = 0; p < n; p++)
            for (int64_t k = links->first[p]; k < links->first[p + 1]; k++) {
                const int64_t q = (int64_t)links->keys[k];
                const double weight = links->weights[k], sign = must ? weight : -weight;
                signs[q] += sign * a[p];
                signs[p] += sign * a[q];
                sums[q] += weight * a[p];
                sums[p] += weight * a[q];
            }
    }
}

/* The factor in (0, 1] for an agreement. */
static double factor_of(double agreement)
{
    return fmin(1, fmax(LEAST, 0.5 + 1.25 * agreement));
}

/* The agreement of pair number k, {i, j}, without its own vote. */
static double agreement_of(const struct votes *v, int must, int64_t k, const double *b,
                           const double *signs, const double *sums, double own)
{
    const double weight = links_of(v, must)->weights[k], sign = must ? 1 : -1;
    double sum = -sign * weight * own, votes = -weight * own;

    for (int64_t u = 0; u < v->pairs->must.n; u++) {
        sum += b[u] * signs[u];
        votes += b[u] * sums[u];
    }
    return sign * sum / (DOUBT + fmax(votes, 0));
}

static void weigh_row(void *context, int64_t i, int worker)
{
    const struct votes *v = context;
    const int64_t n = v->pairs->must.n;
    double *const a = pen_slice(&v->buffers, worker), *const b = a + n, *const signs = b + n,
                  *const sums = signs + n;

    if (v->pairs->must.first[i] == v->pairs->must.first[i + 1]
        && v->pairs->cannot.first[i] == v->pairs->cannot.first[i + 1])
        return;
    find_affinities(v, i, a);
    collect(v, a, signs, sums);
    for (int must = 0; must < 2; must++) {
        const pen_links *const links = links_of(v, must);
        for (int64_t k = links->first[i]; k < links->first[i + 1] && !pen_stopped(v->run, worker);
             k++) {
            const int64_t j = (int64_t)links->keys[k];
            find_affinities(v, j, b);
            v->factor[must][k] =
                factor_of(agreement_of(v, must, k, b, signs, sums, 1 + a[j] * a[j]));
        }
    }
}

/* Multiplies the weights. Returns the growth of their sum. */
static double apply(pen_links *links, const double *factor)
{
    const double before = pen_links_total(links);

    for (int64_t k = 0; k < links->count; k++)
        links->weights[k] *= factor[k];
    return pen_links_total(links) - before;
}

/* sigma [positions]: found for the rows in ascending order, then moved to their positions. */
static pen_status find_scaling(pen_run *run, const pen_view *x, const pen_pair_set *pairs,
                               double *sigma)
{
    const pen_mark_t mark = pen_mark(run);
    const int64_t n = pairs->must.n;
    int64_t *position, *rows, count = 0;
    double *ascending;

    PEN_TRY(PEN_FILLED(run, position, x->n, -1));
    PEN_TRY(PEN_NEW2(run, rows, ascending, n));
    for (int64_t i = 0; i < n; i++)
        position[pairs->rows[i]] = i;
    for (int64_t i = 0; i < x->n; i++)
        if (position[i] >= 0)
            rows[count++] = i;
    const pen_subset all = { rows, n };
    PEN_TRY(pen_neighbors_reach(run, x, all, all, SCALING_NEIGHBOR, ascending));
    for (int64_t i = 0; i < n; i++)
        sigma[position[rows[i]]] = sqrt(ascending[i]);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_pairs_weigh_by_agreement(pen_run *run, const pen_view *x, pen_pair_set *pairs)
{
    const int64_t n = pairs->must.n;
    struct votes v = { .run = run, .x = x, .pairs = pairs };

    if (pairs->must.count + pairs->cannot.count == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, v.sigma, n));
    PEN_TRY(PEN_NEW(run, v.factor[0], pairs->cannot.count));
    PEN_TRY(PEN_NEW(run, v.factor[1], pairs->must.count));
    PEN_TRY(find_scaling(run, x, pairs, v.sigma));
    PEN_TRY(pen_slices_new(run, pen_workers(run, n), pen_times(4, n), sizeof(double), &v.buffers));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("agreement of pairs"), n, weigh_row, &v));
    pairs->cannot_weight += apply(&pairs->cannot, v.factor[0]);
    pairs->must_weight += apply(&pairs->must, v.factor[1]);
    pen_release(run, mark);
    return PEN_OK;
}
