/* filter_choice.c - chooses the number of axes with the lowest cost of products and of distances of
 * passing pairs, from measured costs and the fraction of passing pairs in a sample. */
#include "linalg/blas.h"
#include "core/sort.h"
#include "neighbors/filter.h"

#include <math.h>
#include <string.h>

enum {
    QUERIES = 48,    /* queries whose passing pairs are counted */
    MOST_AXES = 256, /* maximum number of axes */
};

/* Measured nanoseconds: of a pair, to compare integers or bounds of floats; of a distance, with the
 * search for the pair; of a row, to prepare it. */
static const double COMPARE = 0.1, BOUNDS = 0.8;
static const double DISTANCE = 10, BYTE = 0.03, FLOAT = 0.18;
static const double ROW = 4000, COLUMN = 3;
static const double LEAST = 2e8;   /* cost of all products; below it a filter does not pay */
static const double SHARE = 0.035; /* the part of that cost for the axes */
static const double GAIN = 1.2;    /* least expected gain */
/* Factor because both rows of a pair have a bound. */
static const double EITHER = 1.6;

/* Estimates the distance to the k-th nearest of all rows. In a sample of a fraction of them its
 * rank is k times the fraction. If that is below one, the nearest of the sample is farther, as is
 * the k-th while lists are not full. near [QUERIES]. */
static void estimate_reach(const pen_filter_sample *s, double k, const double *distance2,
                           double *sorted, double *near)
{
    const int64_t rank = (int64_t)(k * (double)s->count / (double)s->of->count),
                  at = pen_min(s->count - 1, pen_max(1, rank)); /* the 0-th is the row itself */

    for (int64_t i = 0; i < QUERIES; i++) {
        memcpy(sorted, distance2 + i * s->count, (size_t)s->count * sizeof *sorted);
        near[i] = sqrt(fmax(0, pen_select_kth(sorted, s->count, at)));
    }
}

/* The squared distance of two rows along the next axes. */
static double step_distance2(const double *a, const double *b)
{
    double sum = 0;
    for (int c = 0; c < PEN_FILTER_STEP; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

/* shares [q / PEN_FILTER_STEP]: the fraction of pairs that one of their rows does not rule out by
 * the first 1, 2, .. steps of axes. Not from rows that set the axes. between2 [QUERIES x count]. */
static void count_passing(const pen_filter_sample *s, const double *near, double *between2,
                          double *shares)
{
    const int64_t q = s->q, others = s->count - s->fitted, first = s->count - QUERIES;
    const double most = pen_tiles_most(s->of->coding->tiles);
    double variance = 0;

    memset(between2, 0, (size_t)(QUERIES * others) * sizeof *between2);
    for (int64_t m = 0; m < q; m += PEN_FILTER_STEP) {
        int64_t passing = 0;
        for (int64_t i = 0; i < s->count; i++)
            for (int64_t c = i * q + m; c < i * q + m + PEN_FILTER_STEP; c++)
                variance += s->coordinates[c] * s->coordinates[c] / (double)s->count;
        /* residuals of two rows if the largest coordinate is 4.5 deviations */
        const double rest = 2.2 * 4.5 / most * sqrt(variance / 12);
        for (int64_t i = 0; i < QUERIES; i++)
            for (int64_t j = 0; j < others; j++) {
                double *const sum = between2 + i * others + j;
                *sum += step_distance2(s->coordinates + (first + i) * q + m,
                                       s->coordinates + (s->fitted + j) * q + m);
                passing += *sum <= (near[i] + rest) * (near[i] + rest);
            }
        shares[m / PEN_FILTER_STEP] = (double)(passing - QUERIES) / (double)(QUERIES * others);
    }
}

static pen_status estimate_passing(pen_run *run, const pen_filter_sample *s, double k,
                                   double *shares)
{
    const int64_t count = s->count, first = count - QUERIES;
    double *distance2, *length2, near[QUERIES];

    PEN_TRY(PEN_NEW(run, distance2, pen_times(QUERIES, count)));
    PEN_TRY(PEN_NEW(run, length2, pen_times(2, count)));
    pen_squared_lengths(PEN_F64, s->rows, count, s->d, length2);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, QUERIES, count, s->d, -2,
                  s->rows + first * s->d, s->d, s->rows, s->d, 0, distance2, count);
    for (int64_t i = 0; i < QUERIES; i++)
        for (int64_t j = 0; j < count; j++)
            distance2[i * count + j] += length2[first + i] + length2[j];
    estimate_reach(s, k, distance2, length2 + count, near);
    count_passing(s, near, distance2, shares);
    return PEN_OK;
}

/* ---- costs ---- */

/* The cost of a pair by full products, of a distance, and of a row before the search. */
static double cost_of_products(const pen_filter_rows *rows)
{
    const pen_coding *const c = rows->coding;

    return (double)c->depth * c->tiles->cost + (c->whole || rows->bound2 ? COMPARE : BOUNDS);
}

static double cost_of_distance(const pen_coding *c)
{
    return DISTANCE + (double)c->d * (c->whole ? BYTE : FLOAT);
}

static double cost_of_row(const pen_coding *c, int64_t m)
{
    return ROW + (double)c->d * (COLUMN + (double)m * PEN_FILTER_MULTIPLY);
}

int64_t pen_filter_axes(const pen_filter_rows *rows, int64_t sample, double each)
{
    const double n = (double)rows->count, all = n * n / 2 * cost_of_products(rows);
    const int64_t most = pen_min(pen_min(MOST_AXES, rows->coding->d), sample / 4);
    const double estimate = QUERIES * (double)sample; /* a nanosecond per axis and pair */
    const double axes = all < LEAST ? 0 : SHARE * all / (each + estimate);

    return (int64_t)fmin(axes, (double)most) / PEN_FILTER_STEP * PEN_FILTER_STEP;
}

pen_status pen_filter_choose(pen_run *run, const pen_filter_sample *s, int64_t k,
                             pen_filter_basis *out)
{
    const pen_coding *const c = s->of->coding;
    const double all = cost_of_products(s->of), distance = cost_of_distance(c);
    double shares[MOST_AXES / PEN_FILTER_STEP], least = all / GAIN;

    out->m = 0;
    if (s->count - s->fitted < 2 * QUERIES)
        return PEN_OK;
    PEN_TRY(estimate_passing(run, s, (double)k, shares));
    for (int64_t m = PEN_FILTER_STEP; m <= s->q; m += PEN_FILTER_STEP) {
        const double products = (double)pen_tiles_depth(c->tiles, m) * c->tiles->cost + COMPARE
                                + 2 * cost_of_row(c, m) / (double)s->of->count,
                     cost = products + EITHER * shares[m / PEN_FILTER_STEP - 1] * distance;
        if (cost < least) {
            least = cost;
            out->m = m;
            out->most = (all - products) / distance;
        }
    }
    return PEN_OK;
}
