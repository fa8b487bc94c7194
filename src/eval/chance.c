/* chance.c - a permutation test of the hits of several candidates together.
 *
 * A unit is a held-out row, or a group of them. With a_us = how often the rows of unit u are told
 * the class of unit s, hits are the sum of a_u,p(u) over a permutation p of the units. Over all
 * permutations of n units (Hoeffding 1951)
 *
 *   mean = n g    variance = sum_us (a_us - r_u - c_s + g)^2 / (n - 1)
 *
 * with r_u, c_s and g the means of a row, of a column and of all of a.
 *
 * That is for given predictions. But what is told of a row depends on the labels of other rows, and
 * what is told of these on its own label, about as much. Let S_r = sum_s w_rs y_s decide between
 * two classes y = -1, 1, with w symmetric and many rows s: then
 *
 *   cov(y_r sign S_r, y_s sign S_s) = (2 / pi) w_rs^2 / var S_r
 *
 * and the variance of the hits is 1 + 2 / pi times the one above, which is what shuffled labels of
 * many sets and methods show, too. The spread of permuted hits is widened by its root. */
#include "eval/chance.h"

#include "core/rng.h"

#include <math.h>

enum { CHANCE_TAG = 6000, MOST_EXACT = 1000, MOST = 999, LEAST = 99 };

static const double MOST_WORK = 2e8; /* comparisons of classes */
static const double LEVEL = 0.05, LEVEL_OF_FEW = 0.2;
static const double ROUNDING = 1e-9;
static const double SPREAD = 1.27930; /* sqrt(1 + 2 / pi) */

struct test {
    const pen_told *told;
    int64_t count;    /* of predictions of a candidate */
    int64_t *rows;    /* [count] */
    int64_t *unit_of; /* [count] */
    int64_t units, *starts,
        *members;             /* predictions of a unit: members[starts[u] .. starts[u + 1]) */
    int32_t *classes;         /* [units] */
    int64_t *sizes;           /* [classes] units of each */
    double *mean, *deviation; /* [candidates] of hits; deviation 0: they are always the same */
};

/* ---- units ---- */

static const pen_rows *rows_of(const struct test *t)
{
    return &t->told->trials->classes;
}

/* The rows that are held out, in the order of predictions. */
static pen_status list_rows(pen_run *run, struct test *t)
{
    const pen_trials *const trials = t->told->trials;
    const int64_t n = trials->data->x.rows, folds = trials->protocol.folds;

    for (int64_t trial = 0; trial < trials->count; trial++)
        t->count += pen_trials_hidden(trials, trial);
    PEN_TRY(PEN_NEW(run, t->rows, t->count));
    for (int64_t trial = 0, at = 0; trial < trials->count; trial++)
        for (int64_t i = 0; i < n; i++)
            if (trials->folds[trial / folds * n + i] == trial % folds)
                t->rows[at++] = i;
    return PEN_OK;
}

/* Has each group one class? */
static int groups_are_pure(const struct test *t, int32_t *class_of_group)
{
    const pen_rows *const x = rows_of(t);

    if (!x->group)
        return 0;
    for (int64_t e = 0; e < t->count; e++)
        class_of_group[x->group[t->rows[e]]] = -1;
    for (int64_t e = 0; e < t->count; e++) {
        int32_t *const there = &class_of_group[x->group[t->rows[e]]],
                       own = t->told->trials->class_of[t->rows[e]];
        if (*there >= 0 && *there != own)
            return 0;
        *there = own;
    }
    return 1;
}

static pen_status list_members(pen_run *run, struct test *t)
{
    PEN_TRY(PEN_FILLED(run, t->starts, t->units + 2, 0));
    PEN_TRY(PEN_NEW(run, t->members, t->count));
    for (int64_t e = 0; e < t->count; e++)
        t->starts[t->unit_of[e] + 2]++;
    for (int64_t u = 0; u < t->units; u++)
        t->starts[u + 1] += t->starts[u];
    for (int64_t e = 0; e < t->count; e++)
        t->members[t->starts[t->unit_of[e] + 1]++] = e;
    return PEN_OK;
}

/* Units are numbered in the order of the trials, which the numbers of rows do not decide. */
static pen_status number_units(pen_run *run, struct test *t)
{
    const pen_trials *const trials = t->told->trials;
    const int64_t n = trials->data->x.rows;
    int64_t *number;
    int32_t *class_of_group;
    char *held;

    PEN_TRY(PEN_NEW(run, class_of_group, n));
    PEN_TRY(PEN_FILLED(run, number, n, -1));
    PEN_TRY(PEN_FILLED(run, held, n, 0));
    PEN_TRY(PEN_NEW(run, t->classes, n));
    PEN_TRY(PEN_NEW(run, t->unit_of, t->count));
    const int64_t *const group = groups_are_pure(t, class_of_group) ? rows_of(t)->group : NULL;
    for (int64_t e = 0; e < t->count; e++)
        held[t->rows[e]] = 1;
    for (int64_t i = 0; i < n; i++) {
        const int64_t row = trials->order[i], unit = group ? group[row] : row;
        if (!held[row] || number[unit] >= 0)
            continue;
        t->classes[t->units] = trials->class_of[row];
        number[unit] = t->units++;
    }
    for (int64_t e = 0; e < t->count; e++)
        t->unit_of[e] = number[group ? group[t->rows[e]] : t->rows[e]];
    return list_members(run, t);
}

/* ---- hits ---- */

static const int32_t *told_by(const struct test *t, int64_t candidate)
{
    return t->told->classes + candidate * t->told->stride;
}

/* Mean and standard deviation over all permutations. seen [classes]: zeros, before and after. */
static void find_moments(const struct test *t, int64_t candidate, int64_t *seen)
{
    const int32_t *const told = told_by(t, candidate);
    const double n = (double)t->units;
    double sum = 0, squares = 0, rows = 0, columns = 0;

    for (int64_t u = 0; u < t->units; u++) {
        double row = 0;
        for (int64_t k = t->starts[u]; k < t->starts[u + 1]; k++)
            seen[told[t->members[k]]]++;
        for (int64_t k = t->starts[u]; k < t->starts[u + 1]; k++) {
            const int32_t c = told[t->members[k]];
            row += (double)t->sizes[c];
            squares += (double)t->sizes[c] * (double)seen[c];
        }
        for (int64_t k = t->starts[u]; k < t->starts[u + 1]; k++)
            seen[told[t->members[k]]] = 0;
        sum += row;
        rows += row * row;
    }
    for (int64_t e = 0; e < t->count; e++)
        seen[told[e]]++;
    for (int64_t c = 0; c < rows_of(t)->classes; c++) {
        columns += (double)t->sizes[c] * (double)seen[c] * (double)seen[c];
        seen[c] = 0;
    }
    const double spread = squares - (rows + columns) / n + sum * sum / (n * n);
    t->mean[candidate] = sum / n;
    t->deviation[candidate] =
        t->units > 1 && spread > ROUNDING * squares ? sqrt(spread / (n - 1)) : 0;
}

/* The statistic where the units have these classes; -infinity if no candidate has one. */
static double largest(const struct test *t, const int32_t *classes)
{
    double most = -(double)INFINITY;

    for (int64_t i = 0; i < t->told->candidates; i++) {
        const int32_t *const told = told_by(t, i);
        int64_t hits = 0;
        if (t->deviation[i] == 0)
            continue;
        for (int64_t e = 0; e < t->count; e++)
            hits += told[e] == classes[t->unit_of[e]];
        most = fmax(most, ((double)hits - t->mean[i]) / t->deviation[i]);
    }
    return most;
}

/* ---- permutations ---- */

/* The number of ways to give the units their classes, at most `most` + 1. */
static int64_t count_ways(const struct test *t, int64_t most)
{
    double ways = 1, placed = 0;

    for (int64_t c = 0; c < rows_of(t)->classes; c++)
        for (int64_t k = 1; k <= t->sizes[c] && ways <= (double)most; k++)
            ways *= ++placed / (double)k;
    return (int64_t)fmin(nearbyint(ways), (double)most + 1);
}

/* The next one in lexicographic order; 0: that was the last. */
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
    for (j = count - 1; i < j; i++, j--) {
        const int32_t other = classes[i];
        classes[i] = classes[j];
        classes[j] = other;
    }
    return 1;
}

static double try_all(const struct test *t, double observed, int32_t *classes)
{
    int64_t ways = 0, as_good = 0;

    for (int64_t c = 0, u = 0; c < rows_of(t)->classes; c++)
        for (int64_t k = 0; k < t->sizes[c]; k++)
            classes[u++] = (int32_t)c;
    do {
        ways++;
        as_good += SPREAD * largest(t, classes) >= observed - ROUNDING;
    } while (next_way(t->units, classes));
    return (double)as_good / (double)ways;
}

static pen_status try_some(pen_run *run, const struct test *t, double observed, int32_t *classes,
                           double *p)
{
    const double work = (double)t->count * (double)t->told->candidates;
    const int64_t count = (int64_t)fmin(MOST, fmax(LEAST, MOST_WORK / work));
    pen_rng rng = { pen_rng_derive(t->told->trials->protocol.seed, CHANCE_TAG) };
    int64_t as_good = 0, *turn;

    PEN_TRY(PEN_NEW(run, turn, t->units));
    for (int64_t i = 0; i < count; i++) {
        pen_rng_permutation(&rng, t->units, turn);
        for (int64_t u = 0; u < t->units; u++)
            classes[u] = t->classes[turn[u]];
        as_good += SPREAD * largest(t, classes) >= observed - ROUNDING;
    }
    *p = (1 + (double)as_good) / (1 + (double)count);
    return PEN_OK;
}

static pen_status open_test(pen_run *run, const pen_told *told, struct test *t)
{
    int64_t *seen;

    *t = (struct test){ .told = told };
    PEN_TRY(list_rows(run, t));
    PEN_TRY(number_units(run, t));
    PEN_TRY(PEN_FILLED(run, seen, rows_of(t)->classes, 0));
    PEN_TRY(PEN_FILLED(run, t->sizes, rows_of(t)->classes, 0));
    PEN_TRY(PEN_NEW(run, t->mean, told->candidates));
    PEN_TRY(PEN_NEW(run, t->deviation, told->candidates));
    for (int64_t u = 0; u < t->units; u++)
        t->sizes[t->classes[u]]++;
    for (int64_t i = 0; i < told->candidates; i++) {
        t->deviation[i] = 0;
        if (told_by(t, i)[0] >= 0)
            find_moments(t, i, seen);
    }
    return PEN_OK;
}

pen_status pen_chance_test(pen_run *run, const pen_told *told, double *p, int *predicts)
{
    struct test t;
    int32_t *classes;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(open_test(run, told, &t));
    PEN_TRY(PEN_NEW(run, classes, t.units));
    const double observed = largest(&t, t.classes);
    const int few = count_ways(&t, MOST_EXACT) <= MOST_EXACT;
    if (isinf(observed))
        *p = 1;
    else if (few)
        *p = try_all(&t, observed, classes);
    else
        PEN_TRY(try_some(run, &t, observed, classes, p));
    *predicts = *p <= (few ? LEVEL_OF_FEW : LEVEL);
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- the majority ---- */

pen_status pen_majority_accuracy(pen_run *run, const pen_told *told, const char *member,
                                 int64_t best, double *accuracy)
{
    const pen_trials *const trials = told->trials;
    struct test t = { .told = told };
    int64_t *votes, right = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(list_rows(run, &t));
    PEN_TRY(PEN_FILLED(run, votes, trials->classes.classes, 0));
    for (int64_t e = 0; e < t.count; e++) {
        int32_t most = told_by(&t, best)[e];
        for (int64_t i = 0; i < told->candidates; i++)
            if (member[i])
                votes[told_by(&t, i)[e]]++;
        for (int64_t i = 0; i < told->candidates; i++)
            if (member[i] && votes[told_by(&t, i)[e]] > votes[most])
                most = told_by(&t, i)[e];
        for (int64_t i = 0; i < told->candidates; i++)
            if (member[i])
                votes[told_by(&t, i)[e]] = 0;
        right += most == trials->class_of[t.rows[e]];
    }
    *accuracy = (double)right / (double)t.count;
    pen_release(run, mark);
    return PEN_OK;
}
