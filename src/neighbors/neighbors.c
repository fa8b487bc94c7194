/* neighbors.c - searches by codes; if they do not suit, by products of tiles, a filter with a
 * proven margin, and direct differences for the candidates that pass. */
#include "neighbors/neighbors.h"

#include "core/duplicate_rows.h"
#include "core/parallel.h"
#include "core/sort.h"
#include "linalg/blas.h"
#include "neighbors/code_search.h"
#include "neighbors/equal_rows.h"
#include "neighbors/heap.h"
#include "neighbors/sparse_neighbors.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    GROUP = 16,                /* products filtered at a time */
    TILE = 512,                /* queries and candidates multiplied at a time */
    ASK = 64,                  /* queries between checks whether the caller stops the call */
    BATCH_ELEMENTS = 1 << 21,  /* coordinates of queries held at a time */
    BATCH_NEIGHBORS = 1 << 16, /* neighbors held at a time, for each thread */
    TASK = 256,                /* guesses evaluated in one task */
};

/* One pass over the candidates for a batch of queries. Each worker keeps the best neighbors it has
 * seen. */
struct search {
    pen_run *run;
    const pen_view *x; /* the candidates' */
    const pen_view *q; /* the queries', x itself or of another array */
    pen_subset queries, candidates;
    int64_t first, count; /* the batch */
    int64_t k;
    /* |expanded - true| <= margin (|a|^2 + |b|^2) + floor; floor covers products that underflow */
    double margin, floor;
    const void *query;    /* [count x d] */
    const double *query2; /* [count] squared lengths */
    int64_t wide;         /* most candidates in a tile, at most TILE */
    pen_slices tiles;     /* candidates [wide x d], half lengths [wide], products [. x wide] */
    pen_slices lengths;   /* [3 TILE] */
    pen_slices passed;    /* [TILE] */
    pen_slices best;      /* [count x k] heaps, worst entry first */
};

static int64_t row_of(pen_subset set, int64_t i)
{
    return set.rows ? set.rows[i] : i;
}

/* One tile of candidates, with the buffers of a worker. */
struct candidates {
    int64_t first, wide;
    double *b2;      /* [TILE] squared lengths */
    double longest;  /* the largest of them */
    void *half;      /* [TILE] b2 (1 - margin) / 2, in the precision of the products */
    double *lower;   /* [2 x TILE] */
    int64_t *passed; /* [TILE] */
};

/* A lower bound on the squared distance to candidate j of a tile. */
static double lower_bound(const struct search *s, double a2, const double *b2, const void *products,
                          int64_t j)
{
    const double ab = s->x->work == PEN_F64 ? ((const double *)products)[j]
                                            : (double)((const float *)products)[j];
    return (a2 + b2[j]) * (1 - s->margin) - 2 * ab - s->floor;
}

/* The number of 16 products that reach their limit, half + rest, in the precision of the
 * products. */
static int count_passing(pen_dtype type, const void *products, const void *half, double rest)
{
    int count = 0;
    if (type == PEN_F64) {
        const double *restrict ab = products, *restrict h = half;
        for (int j = 0; j < GROUP; j++)
            count += ab[j] - h[j] >= rest;
    } else {
        const float *restrict ab = products, *restrict h = half;
        const float limit = (float)rest;
        for (int j = 0; j < GROUP; j++)
            count += ab[j] - h[j] >= limit;
    }
    return count;
}

/* The candidates of a tile whose lower bound is at most `worst`. Groups of 16 are filtered first,
 * with an allowance for the rounding of the filter itself:
 *
 *   lower <= worst   <=>   ab - b2 (1 - margin) / 2 >= (a2 (1 - margin) - worst) / 2 */
static int64_t filter(const struct search *s, const struct candidates *c, double a2,
                      const void *products, double worst)
{
    const size_t size = pen_size(s->x->work);
    const double slack = 4 * (s->x->work == PEN_F64 ? DBL_EPSILON : (double)FLT_EPSILON);
    const double rest = (a2 * (1 - s->margin) - worst) / 2,
                 loose = rest - slack * (fabs(rest) + a2 + c->longest) - s->floor;
    int64_t count = 0;

    for (int64_t j = 0; j < c->wide; j += GROUP) {
        const size_t at = (size_t)j * size;
        if (j + GROUP <= c->wide
            && count_passing(s->x->work, (const char *)products + at, (const char *)c->half + at,
                             loose)
                   == 0)
            continue;
        for (int64_t i = j; i < pen_min(j + GROUP, c->wide); i++) {
            const double low = lower_bound(s, a2, c->b2, products, i);
            if (low <= worst) {
                c->lower[count] = low;
                c->passed[count++] = i;
            }
        }
    }
    return count;
}

/* A bound on the k-th distance from this tile alone, so that an adverse order of rows does not
 * require an exact distance for every candidate. */
static double tile_limit(const struct search *s, double a2, const double *b2, const double *lower,
                         const int64_t *passed, int64_t count, double *upper)
{
    if (count <= 4 * s->k)
        return (double)INFINITY;
    for (int64_t p = 0; p < count; p++)
        upper[p] = lower[p] + 2 * (s->margin * (a2 + b2[passed[p]]) + s->floor);
    /* index k, not k - 1: the query itself may be among them */
    return pen_select_kth(upper, count, s->k);
}

/* Compares one query with all candidates of the tile. */
static void scan(const struct search *s, const struct candidates *c, int64_t query,
                 const void *products, pen_neighbor *heap)
{
    const double a2 = s->query2[query];
    const int64_t self = row_of(s->queries, s->first + query),
                  count = filter(s, c, a2, products, heap_reach(heap[0].distance2));
    const double limit =
        heap_reach(tile_limit(s, a2, c->b2, c->lower, c->passed, count, c->lower + TILE));

    for (int64_t p = 0; p < count; p++) {
        const int64_t row = row_of(s->candidates, c->first + c->passed[p]);
        if ((row == self && s->q == s->x) || c->lower[p] > limit
            || c->lower[p] > heap_reach(heap[0].distance2))
            continue;
        const pen_neighbor found = { pen_rows_distance2_between(s->q, self, s->x, row), row };
        if (heap_worse(heap[0], found))
            pen_heap_replace(heap, s->k, found);
    }
}

static void search_tile(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    const int64_t d = s->x->d, first = task * TILE;
    const size_t size = pen_size(s->x->work);
    pen_neighbor *const best = pen_slice(&s->best, worker);
    char *const block = pen_slice(&s->tiles, worker);
    char *const halves = block + (size_t)(s->wide * d) * size;
    char *const products = halves + (size_t)s->wide * size;
    struct candidates c = { .first = first,
                            .wide = pen_min(TILE, s->candidates.count - first),
                            .half = halves };

    c.b2 = pen_slice(&s->lengths, worker);
    c.lower = c.b2 + TILE;
    c.passed = pen_slice(&s->passed, worker);
    pen_rows_block(s->x, s->candidates.rows, first, c.wide, block);
    pen_squared_lengths(s->x->work, block, c.wide, d, c.b2);
    for (int64_t j = 0; j < c.wide; j++) {
        const double half = c.b2[j] * (1 - s->margin) / 2;
        c.longest = fmax(c.longest, c.b2[j]);
        if (s->x->work == PEN_F64)
            ((double *)c.half)[j] = half;
        else
            ((float *)c.half)[j] = (float)half;
    }
    for (int64_t q = 0; q < s->count && !pen_stopped(s->run, worker); q += TILE) {
        const int64_t high = pen_min(TILE, s->count - q);
        pen_blas_gemm(s->x->work, PEN_PLAIN, PEN_TRANSPOSED, high, c.wide, d, 1,
                      (const char *)s->query + (size_t)(q * d) * size, d, block, d, 0, products,
                      s->wide);
        for (int64_t i = 0; i < high && (i % ASK || !pen_stopped(s->run, worker)); i++)
            scan(s, &c, q + i, products + (size_t)(i * s->wide) * size, best + (q + i) * s->k);
    }
}

/* The squared distance of the last valid entry of a sorted list; 0 if there is none. */
static double last_distance2(const pen_neighbor *list, int64_t k)
{
    while (k > 0 && list[k - 1].row < 0)
        k--;
    return k > 0 ? list[k - 1].distance2 : 0;
}

/* Merges the heaps of all workers, sorted: the list of each query into `found`, or the distance of
 * its last entry, squared, into `reach2`. */
static void merge(const struct search *s, int workers, pen_neighbor *found, double *reach2)
{
    for (int64_t i = 0; i < s->count; i++) {
        pen_neighbor *const heap = (pen_neighbor *)pen_slice(&s->best, 0) + i * s->k;
        for (int w = 1; w < workers; w++) {
            const pen_neighbor *const other =
                (const pen_neighbor *)pen_slice(&s->best, w) + i * s->k;
            for (int64_t j = 0; j < s->k; j++)
                if (heap_worse(heap[0], other[j]))
                    pen_heap_replace(heap, s->k, other[j]);
        }
        pen_heap_sort(heap, s->k);
        if (found)
            memcpy(found + (s->first + i) * s->k, heap, (size_t)s->k * sizeof *heap);
        if (reach2)
            reach2[s->first + i] = last_distance2(heap, s->k);
    }
}

/* Requires that the products of a batch of queries, if these are candidates, do not overflow. */
static pen_status need_lengths(pen_run *run, const struct search *s)
{
    const double most = (s->x->work == PEN_F64 ? DBL_MAX : (double)FLT_MAX) / 8;

    for (int64_t i = 0; s->q == s->x && i < s->count; i++)
        PEN_REQUIRE(run, s->query2[i] <= most, PEN_BAD_DATA,
                    "rows are too far apart: squared distances overflow, a squared length is %g",
                    s->query2[i]);
    return PEN_OK;
}

/* Allocates memory that all batches reuse. */
static pen_status prepare(pen_run *run, struct search *s, int workers, int64_t batch, void **query,
                          double **query2)
{
    const int64_t d = s->x->d;
    const size_t size = pen_size(s->x->work);

    s->wide = pen_min(TILE, s->candidates.count);
    PEN_TRY(pen_slices_new(run, workers, pen_times(s->wide, pen_plus(d, 1 + pen_min(TILE, batch))),
                           size, &s->tiles));
    PEN_TRY(pen_slices_new(run, workers, 3 * TILE, sizeof(double), &s->lengths));
    PEN_TRY(pen_slices_new(run, workers, TILE, sizeof(int64_t), &s->passed));
    PEN_TRY(pen_slices_new(run, workers, pen_times(batch, s->k), sizeof(pen_neighbor), &s->best));
    PEN_TRY(PEN_NEW(run, *query2, batch));
    *query = pen_scratch(run, pen_times(batch, d), size);
    return *query ? PEN_OK : PEN_NO_MEMORY;
}

static pen_status search_tiles(pen_run *run, const pen_view *q, pen_subset queries,
                               const pen_view *x, pen_subset candidates, int64_t k,
                               pen_neighbor *found, double *reach2)
{
    const int64_t tasks = (candidates.count + TILE - 1) / TILE;
    const int64_t batch =
        pen_min(queries.count, pen_max(1, pen_min(BATCH_ELEMENTS / x->d, BATCH_NEIGHBORS / k)));
    const int workers = pen_workers(run, tasks);
    struct search s = { .run = run,
                        .x = x,
                        .q = q,
                        .queries = queries,
                        .candidates = candidates,
                        .k = k,
                        .margin = pen_neighbors_margin(x),
                        .floor = (double)(x->d + 16)
                                 * (x->work == PEN_F64 ? DBL_MIN : (double)FLT_MIN) };
    void *query;
    double *query2;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(prepare(run, &s, workers, batch, &query, &query2));
    s.query = query;
    s.query2 = query2;
    for (s.first = 0; s.first < queries.count; s.first += batch) {
        s.count = pen_min(batch, queries.count - s.first);
        pen_rows_block(q, queries.rows, s.first, s.count, query);
        pen_squared_lengths(x->work, query, s.count, x->d, query2);
        PEN_TRY(need_lengths(run, &s));
        for (int w = 0; w < workers; w++)
            pen_heap_clear(pen_slice(&s.best, w), s.count * k);
        PEN_TRY(pen_parallel(
            run, PEN_PART("nearest neighbors", s.first, s.first + s.count, queries.count), tasks,
            search_tile, &s));
        merge(&s, workers, found, reach2);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* Finds the lists of sparse rows, or the squared distances of their last entries. */
static pen_status search_sparse(pen_run *run, const pen_view *q, pen_subset queries,
                                const pen_view *x, pen_subset candidates, int64_t k,
                                pen_neighbor *found, double *reach2)
{
    pen_neighbor *list = found;

    const pen_mark_t mark = pen_mark(run);
    if (!list)
        PEN_TRY(PEN_NEW(run, list, pen_times(queries.count, k)));
    PEN_TRY(pen_sparse_neighbors(run, q, queries, x, candidates, k, list));
    for (int64_t i = 0; reach2 && i < queries.count; i++)
        reach2[i] = last_distance2(list + i * k, k);
    pen_release(run, mark);
    return PEN_OK;
}

/* Searches by codes, if they suit; bound2: see pen_code_search_task. */
static pen_status search_dense(pen_run *run, const pen_view *q, pen_subset queries,
                               const pen_view *x, pen_subset candidates, int64_t k,
                               const double *bound2, pen_neighbor *found, double *reach2)
{
    const pen_code_search_task task = {
        { q, queries.rows, queries.count }, { x, candidates.rows, candidates.count }, k, bound2, 0
    };
    pen_neighbor *list = found;
    int done = 0;

    const pen_mark_t mark = pen_mark(run);
    if (!list && pen_code_search_is_worth(&task))
        PEN_TRY(PEN_NEW(run, list, pen_times(queries.count, k)));
    PEN_TRY(pen_code_search(run, &task, list, &done));
    for (int64_t i = 0; done && reach2 && i < queries.count; i++)
        reach2[i] = last_distance2(list + i * k, k);
    pen_release(run, mark);
    return done ? PEN_OK : search_tiles(run, q, queries, x, candidates, k, found, reach2);
}

static pen_status search_all(pen_run *run, const pen_view *q, pen_subset queries, const pen_view *x,
                             pen_subset candidates, int64_t k, pen_neighbor *found, double *reach2)
{
    return pen_rows_are_sparse(x) && pen_rows_are_sparse(q)
               ? search_sparse(run, q, queries, x, candidates, k, found, reach2)
               : search_dense(run, q, queries, x, candidates, k, NULL, found, reach2);
}

/* ---- all rows ---- */

struct guesses {
    const pen_view *x;
    int64_t n, k;
    const pen_neighbor *guesses;
    double *bound2;  /* [n] */
    pen_slices seen; /* [n] one more than the last row with this guess; or 0 */
};

/* A squared distance within which a row certainly has k others: the distance to the farthest of its
 * guesses. Infinite if these repeat a row or contain the row itself or an invalid row. */
static void bound_rows(void *context, int64_t task, int worker)
{
    const struct guesses *s = context;
    int64_t *const seen = pen_slice(&s->seen, worker);

    for (int64_t i = task * TASK; i < pen_min((task + 1) * TASK, s->n); i++) {
        double most = 0;
        seen[i] = i + 1;
        for (int64_t e = 0; e < s->k && isfinite(most); e++) {
            const int64_t row = s->guesses[i * s->k + e].row;
            const int valid = row >= 0 && row < s->n && seen[row] != i + 1;
            most = valid ? fmax(most, pen_rows_distance2(s->x, i, row)) : (double)INFINITY;
            if (valid)
                seen[row] = i + 1;
        }
        s->bound2[i] = most;
    }
}

pen_status pen_neighbors_refresh(pen_run *run, const pen_view *x, int64_t n, int64_t k,
                                 const pen_neighbor *guesses, pen_neighbor *found)
{
    const pen_subset all = { NULL, n };
    const int64_t tasks = (n + TASK - 1) / TASK;
    const int workers = pen_workers(run, tasks);
    struct guesses s = { .x = x, .n = n, .k = k, .guesses = guesses };
    pen_neighbor *nearest;
    int64_t *duplicate;
    pen_groups g;

    if (pen_rows_are_sparse(x))
        return pen_sparse_neighbors(run, x, all, x, all, k, found);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, duplicate, n));
    PEN_TRY(pen_duplicates_find(run, x, n, duplicate));
    PEN_TRY(pen_groups_open(run, n, duplicate, &g));
    if (g.count < n) {
        const pen_subset distinct = { g.first, g.count };
        PEN_TRY(PEN_NEW(run, nearest, pen_times(g.count, k)));
        PEN_TRY(search_dense(run, x, distinct, x, distinct, k, NULL, nearest, NULL));
        PEN_TRY(pen_groups_complete(run, &g, n, k, nearest, found));
    } else {
        if (guesses) {
            PEN_TRY(PEN_NEW(run, s.bound2, n));
            PEN_TRY(pen_slices_new(run, workers, n, sizeof(int64_t), &s.seen));
            for (int w = 0; w < workers; w++)
                memset(pen_slice(&s.seen, w), 0, (size_t)n * sizeof(int64_t));
            PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, bound_rows, &s));
        }
        PEN_TRY(search_dense(run, x, all, x, all, k, s.bound2, found, NULL));
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_neighbors_nearest(pen_run *run, const pen_view *x, pen_subset queries,
                                 pen_subset candidates, int64_t k, pen_neighbor *found)
{
    if (!queries.rows && !candidates.rows && queries.count == candidates.count)
        return pen_neighbors_refresh(run, x, queries.count, k, NULL, found);
    return search_all(run, x, queries, x, candidates, k, found, NULL);
}

pen_status pen_neighbors_reach(pen_run *run, const pen_view *x, pen_subset queries,
                               pen_subset candidates, int64_t k, double *reach2)
{
    return search_all(run, x, queries, x, candidates, pen_max(1, pen_min(k, candidates.count)),
                      NULL, reach2);
}

pen_status pen_neighbors_among(pen_run *run, const pen_view *q, const pen_view *x, int64_t k,
                               pen_neighbor *found)
{
    const pen_subset queries = { NULL, q->n }, candidates = { NULL, x->n };
    return search_all(run, q, queries, x, candidates, k, found, NULL);
}
