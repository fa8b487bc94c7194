/* chance.c - a permutation test of the hits of several candidates.
 *
 * A unit is a held-out row or a group of them. A way assigns the classes to the units in some
 * order: all ways if they are few, otherwise the true one and random ones. Over these ways the hits
 * of each candidate have a mean and a deviation.
 *
 * This holds for given predictions. But the prediction of a row depends on the labels of other
 * rows, and their predictions depend on its label, about equally. Let S_r = sum_s w_rs y_s decide
 * between two classes y = -1, 1, with w symmetric and many rows s. Then
 *
 *   cov(y_r sign S_r, y_s sign S_s) = (2 / pi) w_rs^2 / var S_r
 *
 * and the variance of the hits is 1 + 2 / pi times the one above. Shuffled labels of many sets and
 * methods show the same. So the spread of permuted hits is multiplied by the root of this
 * factor. */
#include "eval/measures/chance.h"

#include "core/rng.h"
#include "core/sort.h"
#include "eval/measures/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHANCE_TAG = 7000, MOST_EXACT = 1000, MOST = 999, LEAST = 99 };

static const double MOST_WORK = 2e8; /* comparisons of classes */
static const double LEVEL = 0.05, LEVEL_OF_FEW = 0.2;
static const double ROUNDING = 1e-9;
static const double SPREAD = 1.27930; /* sqrt(1 + 2 / pi) */

struct test {
    const pen_trial_set *trials;
    int64_t candidates;
    const int32_t *const *predicted; /* [candidates] */
    int64_t count;                   /* predictions of a candidate */
    const int64_t *rows;             /* [count] */
    int64_t *unit_of;                /* [count] */
    int64_t units;
    int32_t *classes, *turned; /* [units] true, and of a way */
    int64_t ways;
    double *hits; /* [ways x candidates] the true way first */
};

/* ---- units ---- */

/* Numbers the units in the order of the trials, which does not depend on row numbers. number [n]:
 * room. Returns 0 if a group has several classes. */
static int number_units(struct test *t, const int64_t *group, int64_t *number)
{
    const pen_trial_set *const trials = t->trials;
    const int64_t n = trials->data->x.rows, none = -1, held = -2;
    int pure = 1;

    t->units = 0;
    for (int64_t i = 0; i < n; i++)
        number[i] = none;
    for (int64_t e = 0; e < t->count; e++)
        number[group ? group[t->rows[e]] : t->rows[e]] = held;
    for (int64_t i = 0; i < n; i++) {
        int64_t *const unit = &number[group ? group[trials->order[i]] : trials->order[i]];
        if (*unit == held) {
            t->classes[t->units] = -1;
            *unit = t->units++;
        }
    }
    for (int64_t e = 0; e < t->count; e++) {
        int32_t *const of_unit = &t->classes[number[group ? group[t->rows[e]] : t->rows[e]]],
                       own = trials->class_of[t->rows[e]];
        t->unit_of[e] = of_unit - t->classes;
        pure &= *of_unit < 0 || *of_unit == own;
        *of_unit = own;
    }
    return pure;
}

static pen_status open_test(pen_run *run, struct test *t)
{
    const int64_t n = t->trials->data->x.rows;
    int64_t *number;

    t->rows = t->trials->held;
    t->count = t->trials->starts[t->trials->count];
    PEN_TRY(PEN_NEW3(run, number, t->classes, t->turned, n));
    PEN_TRY(PEN_NEW(run, t->unit_of, t->count));
    if (!number_units(t, t->trials->classes.group, number))
        number_units(t, NULL, number);
    return PEN_OK;
}

/* ---- ways ---- */

/* A candidate without predictions has no hits. */
static void add_way(struct test *t, const int32_t *classes)
{
    double *const out = t->hits + t->ways++ * t->candidates;

    for (int64_t i = 0; i < t->candidates; i++) {
        const int32_t *const predicted = t->predicted[i];
        int64_t hits = 0;
        for (int64_t e = 0; predicted && e < t->count; e++)
            hits += predicted[e] == classes[t->unit_of[e]];
        out[i] = (double)hits;
    }
}

/* The number of ways to order classes (ascending). */
static double count_ways(int64_t count, const int32_t *classes)
{
    double ways = 1, alike = 0;

    for (int64_t u = 0; u < count; u++) {
        alike = u > 0 && classes[u] == classes[u - 1] ? alike + 1 : 1;
        ways *= (double)(u + 1) / alike;
    }
    return nearbyint(ways);
}

/* The next order, lexicographically; 0: none. */
static int next_way(int64_t count, int32_t *classes)
{
    int64_t i = count - 1, j = count - 1;

    while (i > 0 && classes[i - 1] >= classes[i])
        i--;
    if (i <= 0)
        return 0;
    while (classes[j] <= classes[i - 1])
        j--;
    const int32_t kept = classes[i - 1];
    classes[i - 1] = classes[j];
    classes[j] = kept;
    qsort(classes + i, (size_t)(count - i), sizeof *classes, pen_by_int32);
    return 1;
}

/* Tries the true way, then all or random ones. *few 1: all. */
static pen_status try_ways(pen_run *run, struct test *t, int *few)
{
    const double work = (double)t->count * (double)t->candidates;
    pen_rng rng = { pen_rng_derive(t->trials->protocol.seed, CHANCE_TAG) };
    int64_t *turn;

    memcpy(t->turned, t->classes, (size_t)t->units * sizeof *t->turned);
    qsort(t->turned, (size_t)t->units, sizeof *t->turned, pen_by_int32);
    const double all = count_ways(t->units, t->turned);
    *few = all <= MOST_EXACT;
    const int64_t ways = 1 + (int64_t)(*few ? all : fmin(MOST, fmax(LEAST, MOST_WORK / work)));
    PEN_TRY(PEN_NEW(run, t->hits, pen_times(ways, t->candidates)));
    PEN_TRY(PEN_NEW(run, turn, t->units));
    add_way(t, t->classes);
    if (*few) {
        do
            add_way(t, t->turned);
        while (next_way(t->units, t->turned));
        return PEN_OK;
    }
    while (t->ways < ways) {
        pen_rng_permutation(&rng, t->units, turn);
        for (int64_t u = 0; u < t->units; u++)
            t->turned[u] = t->classes[turn[u]];
        add_way(t, t->turned);
    }
    return PEN_OK;
}

/* The fraction of the ways, from `first` on, that are as good as the true one. */
static pen_status share_as_good(pen_run *run, const struct test *t, int64_t first, double *p)
{
    const int64_t candidates = t->candidates, count = t->ways - first;
    int64_t as_good = 0;
    double *most, mean, deviation;

    PEN_TRY(PEN_NEW(run, most, t->ways));
    for (int64_t w = 0; w < t->ways; w++)
        most[w] = -(double)INFINITY;
    for (int64_t i = 0; i < candidates; i++) {
        pen_summarize(t->hits + first * candidates + i, candidates, count, &mean, &deviation);
        for (int64_t w = 0; w < t->ways && deviation > 0; w++)
            most[w] = fmax(most[w], (t->hits[w * candidates + i] - mean) / deviation);
    }
    for (int64_t w = first; w < t->ways; w++)
        as_good += w == 0 || isinf(most[0]) || SPREAD * most[w] >= most[0] - ROUNDING;
    *p = (double)as_good / (double)count;
    return PEN_OK;
}

pen_status pen_chance_test(pen_run *run, const pen_trial_set *trials, int64_t candidates,
                           const int32_t *const *predicted, double *p, int *predicts)
{
    struct test t = { .trials = trials, .candidates = candidates, .predicted = predicted };
    int few;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(open_test(run, &t));
    PEN_TRY(try_ways(run, &t, &few));
    PEN_TRY(share_as_good(run, &t, few, p));
    *predicts = *p <= (few ? LEVEL_OF_FEW : LEVEL);
    pen_release(run, mark);
    return PEN_OK;
}
