/* neighbor_source.c - neighbors from given lists, or from a search with a cache. */
#include "problem/neighbor_source.h"

#include "neighbors/neighbors.h"

#include <math.h>
#include <string.h>

enum { EXTRA = 8 }; /* list entries beyond k for rows tied with the k-th */

/* The given graph, or NULL. */
static const pen_given *given_for(const pen_problem *problem)
{
    if (!problem->neighbors || !problem->neighbors->given)
        return NULL;
    problem->neighbors->asked = 1;
    return problem->neighbors->given;
}

/* ---- search ---- */

static pen_status search(pen_run *run, const pen_view *x, int64_t k, pen_neighbor *found)
{
    const pen_subset all = { NULL, x->n };
    return pen_neighbors_nearest(run, x, all, all, k, found);
}

/* A search as a cache entry. */
struct search {
    const pen_view *x;
    int64_t k;
};

static pen_status make_neighbors(pen_run *run, void *context, pen_made *out)
{
    const struct search *s = context;
    const int64_t count = pen_times(s->x->n, s->k);
    pen_neighbor *found;

    PEN_TRY(PEN_NEW(run, found, count));
    *out = (pen_made){ .object = found, .size = pen_times(count, sizeof *found) };
    return search(run, s->x, s->k, found);
}

/* The k nearest of all rows. */
static pen_status search_all(pen_run *run, const pen_view *x, int64_t k, pen_neighbor *found)
{
    struct search s = { x, k };
    pen_cache_key *key;
    const void *value;

    if (!x->key)
        return search(run, x, k, found);
    PEN_TRY(pen_rows_key(run, x, PEN_CACHE_NEIGHBORS, (double)k, &key));
    PEN_TRY(pen_cache_get(run, key, make_neighbors, &s, &value));
    memcpy(found, value, (size_t)(x->n * k) * sizeof *found);
    return PEN_OK;
}

pen_status pen_source_nearest(pen_run *run, const pen_problem *problem, const char *name, int64_t k,
                              pen_neighbor *found)
{
    const pen_given *const given = given_for(problem);

    PEN_TRY(pen_problem_need_all(run, problem));
    if (given)
        return pen_given_nearest(run, given, name, k, found);
    return search_all(run, &problem->rows, k, found);
}

/* ---- lists with ties ---- */

/* Truncates the lists [n x width] after the rows tied with number k. Returns 0 if the ties of a
 * list may continue beyond its end. */
static int truncate_lists(int64_t n, int64_t k, int64_t width, pen_neighbor *found)
{
    for (int64_t i = 0; i < n; i++) {
        pen_neighbor *const list = found + i * width;
        const double reach2 = list[k - 1].distance2;
        if (width < n - 1 && !(list[width - 1].distance2 > reach2))
            return 0;
        for (int64_t c = k; c < width; c++)
            if (!(list[c].distance2 <= reach2))
                list[c].row = -1;
    }
    return 1;
}

/* The number of entries of a given list that are no farther than its k-th. */
static int64_t tied_count(const pen_given *given, int64_t i, int64_t k)
{
    const pen_neighbor *const list = given->entries + given->starts[i];
    int64_t count = k;

    while (count < given->starts[i + 1] - given->starts[i]
           && list[count].distance2 <= list[k - 1].distance2)
        count++;
    return count;
}

static pen_status given_tied(pen_run *run, const pen_given *given, const char *name, int64_t k,
                             int64_t *width, pen_neighbor **found)
{
    PEN_TRY(pen_given_check(run, given, name, k));
    *width = k;
    for (int64_t i = 0; i < given->n; i++)
        *width = pen_max(*width, tied_count(given, i, k));
    PEN_TRY(PEN_NEW(run, *found, pen_times(given->n, *width)));
    for (int64_t i = 0; i < given->n; i++) {
        const int64_t count = tied_count(given, i, k);
        for (int64_t c = 0; c < *width; c++)
            (*found)[i * *width + c] = c < count ? given->entries[given->starts[i] + c]
                                                 : (pen_neighbor){ (double)INFINITY, -1 };
    }
    return PEN_OK;
}

pen_status pen_source_tied(pen_run *run, const pen_problem *problem, const char *name, int64_t k,
                           int64_t most, int64_t *width, pen_neighbor **found)
{
    const pen_view *const x = &problem->rows;
    const pen_given *const given = given_for(problem);

    *found = NULL;
    PEN_TRY(pen_problem_need_all(run, problem));
    if (given)
        return given_tied(run, given, name, k, width, found);
    *width = pen_min(k + EXTRA, x->n - 1);
    if (*width > most)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, *found, pen_times(x->n, *width)));
    PEN_TRY(search_all(run, x, *width, *found));
    if (!truncate_lists(x->n, k, *width, *found))
        *found = NULL;
    return PEN_OK;
}

/* ---- local scaling ---- */

/* Uses the distances of labelled rows in the statistics. */
static pen_status known_reach(pen_run *run, const pen_view *x, pen_subset queries, int64_t k,
                              double *reach2)
{
    const pen_moments *const m = x->moments;
    const int64_t nth = pen_min(k, m->n - 1);

    PEN_REQUIRE(
        run, m->near_distance2, PEN_BAD_ARGUMENT,
        "%s needs nearest, the distances from the labelled rows to the nearest of all rows, "
        "which a second pass finds",
        m->method);
    PEN_REQUIRE(
        run, nth <= m->near, PEN_BAD_ARGUMENT,
        "neighbors must be at most %lld, the number of nearest rows in the statistics, got %lld",
        (long long)m->near, (long long)k);
    for (int64_t i = 0; i < queries.count; i++)
        reach2[i] = nth > 0 ? m->near_distance2[queries.rows[i] * m->near + nth - 1] : 0;
    return PEN_OK;
}

/* Searches among all rows, including those left out. */
static pen_status whole_reach(pen_run *run, const pen_problem *problem, pen_subset queries,
                              int64_t k, double *reach2)
{
    int64_t *numbers;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, numbers, queries.count));
    for (int64_t i = 0; i < queries.count; i++)
        numbers[i] = problem->numbers[queries.rows ? queries.rows[i] : i];
    PEN_TRY(
        pen_source_reach(run, problem->whole, (pen_subset){ numbers, queries.count }, k, reach2));
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- reach in the cache ---- */

/* For all rows: -1 until known. A pen_make_fn. */
static pen_status make_reach(pen_run *run, void *context, pen_made *out)
{
    const pen_view *const x = context;
    double *reach2;

    PEN_TRY(PEN_NEW(run, reach2, x->n));
    for (int64_t i = 0; i < x->n; i++)
        reach2[i] = -1;
    *out = (pen_made){ .object = reach2, .size = 8 * x->n };
    return PEN_OK;
}

/* Searches for the unknown queries, and stores the results. */
static pen_status shared_reach(pen_run *run, const pen_view *x, pen_subset queries, int64_t k,
                               double *reach2)
{
    const pen_subset all = { NULL, x->n };
    pen_view rows = *x;
    pen_cache_key *key;
    const void *value;
    int64_t *missing, count = 0;
    double *found;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_rows_key(run, x, PEN_CACHE_REACH, (double)k, &key));
    PEN_TRY(pen_cache_get(run, key, make_reach, &rows, &value));
    double *const known = (double *)(uintptr_t)value; /* written only under the lock */
    PEN_TRY(PEN_NEW(run, missing, queries.count));
    PEN_TRY(PEN_NEW(run, found, queries.count));
    pen_cache_lock(pen_run_cache(run));
    for (int64_t i = 0; i < queries.count; i++) {
        const int64_t row = queries.rows ? queries.rows[i] : i;
        reach2[i] = known[row];
        if (known[row] < 0)
            missing[count++] = row;
    }
    pen_cache_unlock(pen_run_cache(run));
    if (count > 0)
        PEN_TRY(pen_neighbors_reach(run, x, (pen_subset){ missing, count }, all, k, found));
    pen_cache_lock(pen_run_cache(run));
    for (int64_t m = 0; m < count; m++)
        known[missing[m]] = found[m];
    for (int64_t i = 0; i < queries.count; i++)
        reach2[i] = known[queries.rows ? queries.rows[i] : i];
    pen_cache_unlock(pen_run_cache(run));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_source_reach(pen_run *run, const pen_problem *problem, pen_subset queries, int64_t k,
                            double *reach2)
{
    const pen_view *const x = &problem->rows;
    const pen_given *const given = problem->whole ? NULL : given_for(problem);
    const int64_t nth = pen_min(k, x->n - 1);

    if (problem->whole)
        return whole_reach(run, problem, queries, k, reach2);
    if (x->moments)
        return known_reach(run, x, queries, k, reach2);
    if (!given && x->key)
        return shared_reach(run, x, queries, k, reach2);
    if (!given)
        return pen_neighbors_reach(run, x, queries, (pen_subset){ NULL, x->n }, k, reach2);
    PEN_TRY(pen_given_check(run, given, "neighbors", nth));
    for (int64_t i = 0; i < queries.count; i++) {
        const int64_t row = queries.rows ? queries.rows[i] : i;
        reach2[i] = nth > 0 ? given->entries[given->starts[row] + nth - 1].distance2 : 0;
    }
    return PEN_OK;
}

pen_status pen_source_scaling(pen_run *run, const pen_problem *problem, pen_subset queries,
                              int64_t k, double *sigma)
{
    PEN_TRY(pen_source_reach(run, problem, queries, k, sigma));
    for (int64_t i = 0; i < queries.count; i++)
        sigma[i] = sqrt(sigma[i]);
    return PEN_OK;
}
