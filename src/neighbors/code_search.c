/* code_search.c - all pairs of rows in tiles of 32 x 32, in blocks that stay in cache.
 *
 * Whole numbers: the squared distance of a pair is an exact integer, and a list is a heap of
 * numbers distance * 2^32 + row, so that ties go to the lower row.
 *
 * Other rows: with their residuals (codes.h) each product gives a lower and an upper bound of a
 * distance. The heap of a row holds its k smallest upper bounds; the largest of them bounds the
 * distance to its k-th neighbor. A pair with a lower bound above it is dropped; all other pairs go
 * to the row's buffer. At the end their distances are computed by direct differences in double, and
 * the nearest remain. A full buffer first drops pairs that the bound has ruled out since, or is
 * rescored: distances are computed and the k nearest stay. If rescoring is too frequent, bounds do
 * not help for these rows, and the search gives up. */
#include "neighbors/code_search.h"

#include "core/float_bits.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "core/sort.h"
#include "neighbors/codes.h"
#include "neighbors/filter.h"
#include "neighbors/heap.h"
#include "neighbors/tile_walk.h"

#include <math.h>
#include <stdlib.h>

enum {
    FEWEST_TASKS = 16, /* number of tasks of queries, if possible */
    MOST_NEIGHBORS = 1024,
    ORDER_TAG = 7002,
    FEWEST_QUERIES = 64,       /* coding a row costs as much as some comparisons */
    FEWEST_PRODUCTS = 1 << 22, /* of coordinates: fewer do not justify the preparations, */
    FILTER_COLUMNS = 32,       /* if the filter of a pair counts as this number */
    EXACT_PER_ROW = 64,        /* number of distances always allowed per row, */
};

/* plus this fraction of all pairs; more cost as much as a search by products. */
static const double MOST_EXACT = 1.0 / 64;

/* A row that may be among the nearest. */
struct survivor {
    float low; /* lower bound of the distance */
    uint32_t row;
};

struct side {
    const pen_view *x;
    int64_t count;
    const int64_t *order; /* [count] the row at each position, */
    const int64_t *place; /* and its place among the given rows */
    pen_codes codes;
    int64_t block, blocks; /* rows of a block; number of blocks */
    /* Lists of queries, [codes.padded]. The filters read whole_reach or reach. */
    int32_t *whole_reach;       /* the k-th squared distance so far */
    float *reach;               /* the k-th upper bound so far, plus the slack */
    uint64_t *keys;             /* [count x k] heaps, the largest first */
    struct survivor *survivors; /* [count x room] */
    int32_t *kept;              /* [count] */
};

struct search {
    pen_coding coding;
    int64_t k, room;
    struct side *queries, *candidates; /* equal pointers if the sides are equal */
    int one_array;                     /* a candidate may be the query itself */
    pen_tile_walk walk;
    pen_slices scored; /* [room], unless rows are whole numbers */
    pen_neighbor *found;
    /* with unequal sides: the first block of queries in a loop, and by task the number of distances
     * that rescoring computed */
    int64_t first, *exact;
};

/* ---- heaps of keys ---- */

static uint64_t key_of(uint32_t distance, uint32_t row)
{
    return (uint64_t)distance << 32 | row;
}

static double positive(double value)
{
    return value > 0 ? value : 0;
}

/* ---- whole numbers ---- */

static void offer_whole(const struct search *s, struct side *side, int64_t i, int32_t distance2,
                        int64_t row)
{
    uint64_t *const heap = side->keys + i * s->k, key = key_of((uint32_t)distance2, (uint32_t)row);

    if (key >= heap[0])
        return;
    pen_key_replace(heap, s->k, key);
    side->whole_reach[i] = (int32_t)(heap[0] >> 32);
}

static void meet_whole(const struct search *s, int64_t i, int64_t j, int32_t product)
{
    struct side *const a = s->queries, *const b = s->candidates;
    const int32_t distance2 = (int32_t)((uint32_t)a->codes.length2[i] + (uint32_t)b->codes.base[j]
                                        - 2 * (uint32_t)product);

    offer_whole(s, a, i, distance2, b->order[j]);
    if (a == b)
        offer_whole(s, b, j, distance2, a->order[i]);
}

/* ---- other rows ---- */

/* Rows up to this distance may be among the k nearest of row i. */
static double limit_of(const struct search *s, const struct side *side, int64_t i)
{
    return (double)pen_float_of((uint32_t)(side->keys[i * s->k] >> 32))
           * (1 + PEN_DISTANCE_ROUNDING);
}

/* Sets the reach; the filter adds the slack of the other row to it. */
static void set_reach(const struct search *s, struct side *side, int64_t i)
{
    const double filter = 0x1p-22; /* the roundings of t in pen_scaled_filter, 4 units of 2^-24 */
    side->reach[i] =
        pen_float_above((limit_of(s, side, i) + (double)side->codes.slack[i]) * (1 + filter));
}

/* Drops entries that the bound has ruled out. Returns the number left. */
static int32_t drop(struct survivor *list, int32_t count, double limit)
{
    int32_t left = 0;

    for (int32_t i = 0; i < count; i++)
        if ((double)list[i].low <= limit)
            list[left++] = list[i];
    return left;
}

/* Computes the distances of the survivors of row i, into a heap of the k nearest. */
static void score(const struct search *s, const struct side *side, const pen_view *others,
                  int64_t i, pen_neighbor *heap)
{
    const struct survivor *const list = side->survivors + i * s->room;

    pen_heap_clear(heap, s->k);
    for (int32_t e = 0; e < side->kept[i]; e++) {
        if (e + 1 < side->kept[i])
            pen_rows_fetch(others, list[e + 1].row);
        const pen_neighbor entry = {
            pen_rows_distance2_between(side->x, side->order[i], others, list[e].row), list[e].row
        };
        if (heap_worse(heap[0], entry))
            pen_heap_replace(heap, s->k, entry);
    }
}

/* Keeps the k nearest of the survivors of row i, which are more than k, by their distances. */
static void rescore(const struct search *s, struct side *side, const pen_view *others, int64_t i,
                    pen_neighbor *scored)
{
    struct survivor *const list = side->survivors + i * s->room;

    score(s, side, others, i, scored);
    for (int64_t e = 0; e < s->k; e++) {
        const double distance = sqrt(scored[e].distance2) * s->coding.unit;
        list[e] = (struct survivor){ pen_float_below(distance * (1 - PEN_DISTANCE_ROUNDING)),
                                     (uint32_t)scored[e].row };
        /* the order of a heap of pairs is also that of a heap of distances */
        side->keys[i * s->k + e] =
            key_of(pen_float_bits(pen_float_above(distance * (1 + PEN_DISTANCE_ROUNDING))), 0);
    }
    side->kept[i] = (int32_t)s->k;
    set_reach(s, side, i);
}

/* Returns the number of distances computed. */
static int64_t offer(const struct search *s, struct side *side, const pen_view *others, int64_t i,
                     double low, double high, int64_t row, pen_neighbor *scored)
{
    uint64_t *const heap = side->keys + i * s->k,
                    key = key_of(pen_float_bits(pen_float_above(high)), 0);
    struct survivor *const list = side->survivors + i * s->room;
    int64_t computed = 0;

    if (low > limit_of(s, side, i))
        return 0;
    if (key < heap[0]) {
        pen_key_replace(heap, s->k, key);
        set_reach(s, side, i);
    }
    list[side->kept[i]++] = (struct survivor){ pen_float_below(low), (uint32_t)row };
    if (side->kept[i] < s->room)
        return 0;
    side->kept[i] = drop(list, side->kept[i], limit_of(s, side, i));
    if (side->kept[i] > (s->room + s->k) / 2) {
        computed = side->kept[i];
        rescore(s, side, others, i, scored);
    }
    return computed;
}

/* Bounds a distance by codes a and b and their slacks. The squared distance of the coded
 * approximations is known to `error`, eight roundings of a sum of squares. */
static int64_t meet(const struct search *s, int64_t i, int64_t j, int32_t product,
                    pen_neighbor *scored)
{
    struct side *const p = s->queries, *const q = s->candidates;
    const pen_codes *const a = &p->codes, *const b = &q->codes;
    const double u = (double)a->scale[i], v = (double)b->scale[j],
                 lengths2 = u * u * (double)a->length2[i] + v * v * (double)b->length2[j],
                 between2 = lengths2 - 2 * u * v * (double)(product - b->base[j]),
                 error = 0x1p-50 * lengths2, slack = (double)a->slack[i] + (double)b->slack[j];
    const double low = positive(sqrt(positive(between2 - error)) * (1 - PEN_DISTANCE_ROUNDING)
                                - slack),
                 high = sqrt(positive(between2 + error)) * (1 + PEN_DISTANCE_ROUNDING) + slack;
    int64_t computed = offer(s, p, q->x, i, low, high, q->order[j], scored);

    if (p == q)
        computed += offer(s, q, p->x, j, low, high, p->order[i], scored);
    return computed;
}

/* ---- tiles ---- */

static int filter(const void *context, int64_t i, int64_t j, const int32_t *products,
                  uint32_t *passing)
{
    const struct search *s = context;
    const struct side *const p = s->queries, *const q = s->candidates;

    if (s->coding.whole) {
        const pen_whole_filter f = { p->codes.length2 + i, p->whole_reach + i, q->codes.base + j,
                                     q->whole_reach + j };
        return s->coding.tiles->whole(&f, products, passing);
    }
    const pen_scaled_filter f = { p->codes.low + i,   p->codes.twice + i, p->codes.slack + i,
                                  p->reach + i,       q->codes.base + j,  q->codes.low + j,
                                  q->codes.scale + j, q->codes.slack + j, q->reach + j };
    return s->coding.tiles->scaled(&f, products, passing);
}

/* Returns the number of distances computed. */
static int64_t meet_passing(const void *context, int64_t i, int64_t j, int32_t product, int worker)
{
    const struct search *s = context;

    if (s->one_array && s->queries->order[i] == s->candidates->order[j])
        return 0;
    if (!s->coding.whole)
        return meet(s, i, j, product, pen_slice(&s->scored, worker));
    meet_whole(s, i, j, product);
    return 0;
}

static void run_task(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    const int64_t block = s->queries->block, first = (s->first + task) * block;

    s->exact[task] =
        pen_tile_walk_blocks(&s->walk, first, first + block, 0, s->candidates->count, 0, worker);
}

/* ---- the search ---- */

/* Runs the first tasks, then twice the number, and so on. In between it checks whether bounds
 * help. */
static pen_status search_unequal(pen_run *run, struct search *s, double always, int *done)
{
    const int64_t tasks = s->queries->blocks;
    const double each = (double)s->queries->block * (double)s->candidates->count * MOST_EXACT;
    int64_t computed = 0;

    *done = 1;
    PEN_TRY(PEN_NEW(run, s->exact, tasks));
    for (int64_t count; *done && s->first < tasks; s->first += count) {
        count = pen_min(pen_max(FEWEST_TASKS, s->first), tasks - s->first);
        PEN_TRY(pen_parallel(run, PEN_PART("nearest neighbors", s->first, s->first + count, tasks),
                             count, run_task, s));
        for (int64_t t = 0; t < count; t++)
            computed += s->exact[t];
        *done = (double)computed <= each * (double)(s->first + count) + always;
    }
    return PEN_OK;
}

/* Sorts the lists of a block of queries into the place of each query. */
static void finish_block(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    const struct side *const side = s->queries;
    const int64_t k = s->k, end = pen_min((task + 1) * side->block, side->count);

    for (int64_t i = task * side->block; i < end; i++) {
        pen_neighbor *const list = s->found + side->place[i] * k;
        uint64_t *const keys = side->keys + i * k;
        if (s->coding.whole) {
            qsort(keys, (size_t)k, sizeof *keys, pen_by_int64); /* below 2^63 */
            for (int64_t e = 0; e < k; e++)
                list[e] = (uint32_t)keys[e] == UINT32_MAX
                              ? (pen_neighbor){ (double)INFINITY, -1 }
                              : (pen_neighbor){ (double)(keys[e] >> 32), (uint32_t)keys[e] };
            continue;
        }
        side->kept[i] = drop(side->survivors + i * s->room, side->kept[i], limit_of(s, side, i));
        score(s, side, s->candidates->x, i, list);
        pen_heap_sort(list, k);
    }
    (void)worker;
}

/* Sets the order in which to search the rows. */
static pen_status shuffle(pen_run *run, const int64_t *rows, struct side *side)
{
    int64_t *order, *place;

    PEN_TRY(PEN_NEW2(run, order, place, side->count));
    PEN_TRY(pen_neighbors_shuffle(run, pen_rng_derive(0, ORDER_TAG), side->count, place));
    for (int64_t i = 0; i < side->count; i++)
        order[i] = rows ? rows[place[i]] : place[i];
    side->order = order;
    side->place = place;
    return PEN_OK;
}

static pen_status open_side(pen_run *run, const struct search *s, const pen_code_search_side *from,
                            int64_t most, struct side *side)
{
    *side = (struct side){ .x = from->x,
                           .count = from->count,
                           .block = pen_tile_walk_rows(
                               pen_min(most, s->coding.tiles->block / s->coding.depth)) };
    side->blocks = (from->count + side->block - 1) / side->block;
    PEN_TRY(shuffle(run, from->rows, side));
    return pen_codes_make(run, &s->coding, pen_coded_rows(&s->coding, from->x), side->order,
                          side->count, &side->codes);
}

/* Opens empty lists, or lists of entries at the known bounds that rank after every row. */
static pen_status open_lists(pen_run *run, const struct search *s, const double *bound2,
                             struct side *side)
{
    const int64_t padded = side->codes.padded;

    PEN_TRY(PEN_NEW(run, side->keys, pen_times(side->count, s->k)));
    if (s->coding.whole) {
        PEN_TRY(PEN_NEW(run, side->whole_reach, padded));
    } else {
        PEN_TRY(PEN_NEW(run, side->reach, padded));
        PEN_TRY(PEN_NEW(run, side->kept, side->count));
        PEN_TRY(PEN_NEW(run, side->survivors, pen_times(side->count, s->room)));
    }
    for (int64_t i = 0; i < padded; i++) {
        const double bound = i < side->count && bound2 ? bound2[side->place[i]] : (double)INFINITY;
        const double distance = sqrt(bound) * s->coding.unit * (1 + PEN_DISTANCE_ROUNDING);
        const uint32_t start = !s->coding.whole  ? pen_float_bits(pen_float_above(distance))
                               : isfinite(bound) ? (uint32_t)bound
                                                 : INT32_MAX;
        for (int64_t e = 0; i < side->count && e < s->k; e++)
            side->keys[i * s->k + e] = key_of(start, UINT32_MAX);
        if (s->coding.whole) {
            side->whole_reach[i] = i < side->count ? (int32_t)start : -1;
        } else if (i < side->count) {
            side->kept[i] = 0;
            set_reach(s, side, i);
        } else {
            side->reach[i] = 0;
        }
    }
    return PEN_OK;
}

/* Opens candidates without lists. */
static pen_status open_no_lists(pen_run *run, const struct search *s, struct side *side)
{
    return s->coding.whole ? PEN_FILLED(run, side->whole_reach, side->codes.padded, -1)
                           : PEN_FILLED(run, side->reach, side->codes.padded, 0);
}

static pen_tile_side side_of(const struct side *side)
{
    return (pen_tile_side){ side->codes.panels, side->count };
}

static pen_status open_memory(pen_run *run, struct search *s)
{
    const int workers = pen_workers(run, s->queries->blocks);

    s->walk = (pen_tile_walk){ .run = run,
                               .tiles = s->coding.tiles,
                               .depth = s->coding.depth,
                               .block = s->queries->block,
                               .left = side_of(s->queries),
                               .right = side_of(s->candidates),
                               .context = s,
                               .filter = filter,
                               .meet = meet_passing };
    PEN_TRY(pen_slices_new(run, workers, s->room, sizeof(pen_neighbor), &s->scored));
    return pen_tile_walk_open(run, &s->walk);
}

static int are_equal(const pen_code_search_side *a, const pen_code_search_side *b)
{
    return a->x == b->x && a->rows == b->rows && a->count == b->count;
}

int pen_code_search_is_worth(const pen_code_search_task *task)
{
    const int64_t pairs = pen_times(task->queries.count, task->candidates.count);

    return task->k <= MOST_NEIGHBORS && task->candidates.x->n <= INT32_MAX
           && task->queries.count <= INT32_MAX && task->queries.count >= FEWEST_QUERIES
           && pen_times(pairs, task->queries.x->d + FILTER_COLUMNS) >= FEWEST_PRODUCTS;
}

static pen_status search(pen_run *run, struct search *s, const pen_code_search_task *task,
                         int *done)
{
    const int equal = are_equal(&task->queries, &task->candidates);
    struct side sides[2];

    s->queries = &sides[0];
    s->candidates = equal ? s->queries : &sides[1];
    s->one_array = task->queries.x == task->candidates.x;
    s->room = s->coding.whole ? 0 : 3 * s->k + 18;
    const int64_t most = task->queries.count / (equal ? PEN_FEWEST_BLOCKS : FEWEST_TASKS);
    PEN_TRY(open_side(run, s, &task->queries, most, s->queries));
    PEN_TRY(open_lists(run, s, task->bound2, s->queries));
    if (!equal) {
        PEN_TRY(open_side(run, s, &task->candidates, PEN_MOST_BLOCK_ROWS, s->candidates));
        PEN_TRY(open_no_lists(run, s, s->candidates));
    }
    PEN_TRY(open_memory(run, s));
    const double always = (double)EXACT_PER_ROW * (double)task->queries.count;
    PEN_TRY(equal ? pen_tile_walk_all(run, &s->walk, MOST_EXACT, always, done)
                  : search_unequal(run, s, always, done));
    return *done ? pen_parallel(run, PEN_SILENT, s->queries->blocks, finish_block, s) : PEN_OK;
}

/* Searches by few coordinates first, or by all. */
static pen_status search_coded(pen_run *run, struct search *s, const pen_code_search_task *task,
                               int *done)
{
    const pen_code_search_side *const side = &task->queries;
    const pen_filter_rows rows = { &s->coding, pen_coded_rows(&s->coding, side->x), side->rows,
                                   side->count, task->bound2 };

    *done = 0;
    if (are_equal(side, &task->candidates) && !task->unfiltered)
        PEN_TRY(pen_filter_search(run, &rows, task->k, 0, s->found, done));
    return *done ? PEN_OK : search(run, s, task, done);
}

pen_status pen_code_search(pen_run *run, const pen_code_search_task *task, pen_neighbor *found,
                           int *done)
{
    struct search s = { .k = task->k, .found = found };
    const pen_view *const x = task->candidates.x;
    const pen_view *const others = task->queries.x == x ? NULL : task->queries.x;

    *done = 0;
    if (!pen_code_search_is_worth(task))
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_coding_open(run, x, others, &s.coding, done));
    if (*done)
        PEN_TRY(search_coded(run, &s, task, done));
    pen_release(run, mark);
    return PEN_OK;
}
