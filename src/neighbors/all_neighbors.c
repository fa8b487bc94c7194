/* all_neighbors.c - nearest neighbors of all rows, with each distance used for both of its rows.
 *
 * Rows are partitioned into blocks. Each pair of blocks is multiplied once, and each product serves
 * both of its rows. The pairs are scheduled like a round-robin tournament: within a round no block
 * occurs twice, so concurrent tasks never touch the same list. First each block is paired with
 * itself, so that every row has some neighbors. Runs of rows are in random order, which keeps the
 * expected number of improvements of a list near k log(n / k) whatever the order of the given rows.
 *
 * Doubles are multiplied in single precision unless its rounding lets too many non-neighbors pass;
 * the final decision is made by direct differences in double anyway. If the rows have few columns,
 * they are kept as floats, in tiles that a product uses in place. */
#include "neighbors/all_neighbors.h"

#include "core/duplicate_rows.h"
#include "core/parallel.h"
#include "neighbors/heap.h"
#include "neighbors/equal_rows.h"
#include "neighbors/tile_filter.h"
#include "neighbors/sparse_neighbors.h"
#include "neighbors/tournament.h"
#include "linalg/blas.h"

#include <float.h>
#include <math.h>

enum {
    RUN = 16, /* rows converted at a time */
    /* columns of products computed at a time, so that they are still in cache when they are
     * filtered */
    CHUNK = 256,
    MAX_ROWS = 1024,          /* maximum number of rows of a block */
    MIN_BLOCKS = 32,          /* minimum number of blocks, if there are enough rows */
    BLOCK_ELEMENTS = 1 << 21, /* maximum number of coordinates of a block */
    MIN_ROWS = 64,            /* minimum number of rows of a block, with precedence */
    FEW_COLUMNS = 64,         /* rows with at most this number of columns are kept as floats */
    /* rows and columns of products of stored tiles, which fit the cache and the small-matrix
     * kernels */
    SIDE = 128,
    TRIAL_BLOCKS = 4, /* blocks that test single precision before the others */
    /* products in double cost as much more as one wasted exact distance in this number of pairs */
    PAIRS_PER_WASTED = 64,
    EXACT_LENGTH2 = 1 << 24, /* sums of products of integers are exact in float up to this value */
    ASK = 128,               /* rows after which the caller may stop the call */
    SLACK = 8,               /* rounding errors of the filter, in units of the last place */
};

/* A position is an index into the random order. `reach` and `half` have the precision of the
 * products. */
struct all {
    pen_run *run;
    const pen_rows *x;
    int64_t n, k;
    const pen_neighbor *guesses; /* [n x k] initial guesses, or NULL */
    int64_t block, blocks;       /* rows of a block, number of blocks */
    int64_t round, first;        /* -1: each block with itself; the first task of the batch */
    pen_dtype work;              /* precision of the products */
    int64_t tall, wide;          /* rows and columns of products computed at a time */
    int exact;                   /* products are exact */
    /* |expanded - true| <= margin (|a|^2 + |b|^2) + floor; floor covers products that underflow */
    double margin, floor;
    double all_longest; /* the largest squared length */
    int64_t *order;     /* [n] row at each position */
    int64_t *duplicate; /* [n] the first row equal to each row */
    double *length2;    /* [n] squared length at each position */
    double *longest;    /* [blocks] the largest of them in each block */
    char *half;         /* [n] length2 (1 - margin) / 2 */
    /* [n] half the squared distance to the worst neighbor in the row's list, rounded up */
    char *reach;
    float *stored;    /* [tiles of all blocks][d x SIDE] rows as floats, or NULL */
    pen_slices tiles; /* see struct buffers */
    /* [blocks] for each task, the pairs that passed the filter only because of rounding */
    int64_t *wasted;
    pen_neighbor *found; /* [n x k] heaps, indexed by row */
};

/* The buffers of a worker. */
struct buffers {
    char *rows, *chunk; /* [block x d], [up to CHUNK x d] */
    char *products;     /* [block x CHUNK] */
    double *run;        /* [RUN x d] rows to be converted to floats */
};

static double unit_of(const struct all *s)
{
    return s->work == PEN_F64 ? DBL_EPSILON : (double)FLT_EPSILON;
}

static void set_value(pen_dtype type, void *values, int64_t i, double value)
{
    if (type == PEN_F64)
        ((double *)values)[i] = value;
    else
        ((float *)values)[i] = (float)value;
}

static int64_t rows_of_chunk(const struct all *s)
{
    return pen_min(CHUNK, s->block);
}

static int64_t rows_of_block(const struct all *s, int64_t block)
{
    return pen_min(s->block, s->n - block * s->block);
}

static struct buffers buffers_of(const struct all *s, int worker)
{
    const size_t size = pen_size(s->x->work), row = (size_t)s->x->d * size;
    struct buffers m = { .rows = pen_slice(&s->tiles, worker) };

    m.chunk = m.rows + (size_t)s->block * row;
    m.products = m.chunk + (size_t)rows_of_chunk(s) * row;
    m.run = (double *)(void *)(m.products + (size_t)(s->block * CHUNK) * size);
    return m;
}

static void set_reach(const struct all *s, int64_t position, double distance2)
{
    set_value(s->work, s->reach, position, distance2 / 2 * (1 + SLACK * unit_of(s)));
}

/* ---- initialization ---- */

/* A squared distance within which the row certainly has k others: that of the farthest of its k
 * guesses. Infinite if the guesses repeat a row or contain the row itself or an invalid row. `list`
 * is work space. */
static double initial_bound(const struct all *s, int64_t row, pen_neighbor *list)
{
    for (int64_t j = 0; j < s->k; j++) {
        const int64_t guess = s->guesses[row * s->k + j].row;
        if (guess < 0 || guess >= s->n || guess == row)
            return (double)INFINITY;
        list[j] = (pen_neighbor){ pen_rows_distance2(s->x, row, guess), guess };
    }
    pen_heap_sort(list, s->k);
    for (int64_t j = 1; j < s->k; j++)
        if (list[j].row == list[j - 1].row)
            return (double)INFINITY;
    return list[s->k - 1].distance2;
}

/* Clears a list. With a bound on its last distance, all entries are at that distance and have the
 * highest row number, so every row that is found replaces one of them. */
static void clear_list(const struct all *s, int64_t row)
{
    pen_neighbor *const list = s->found + row * s->k;
    const double bound = s->guesses ? initial_bound(s, row, list) : (double)INFINITY;

    pen_heap_clear(list, s->k);
    for (int64_t j = 0; isfinite(bound) && j < s->k; j++)
        list[j] = (pen_neighbor){ bound, INT64_MAX };
}

static void measure_block(void *context, int64_t task, int worker)
{
    const struct all *s = context;
    const int64_t first = task * s->block, count = rows_of_block(s, task);
    char *const rows = buffers_of(s, worker).rows;

    pen_rows_block(s->x, s->order, first, count, rows);
    pen_squared_lengths(s->x->work, rows, count, s->x->d, s->length2 + first);
    s->longest[task] = 0;
    for (int64_t i = first; i < first + count; i++) {
        s->longest[task] = fmax(s->longest[task], s->length2[i]);
        clear_list(s, s->order[i]);
    }
}

static double largest_length2(pen_dtype type)
{
    return (type == PEN_F64 ? DBL_MAX : (double)FLT_MAX) / 8;
}

static pen_status find_longest(pen_run *run, struct all *s)
{
    s->all_longest = 0;
    for (int64_t b = 0; b < s->blocks; b++)
        s->all_longest = fmax(s->all_longest, s->longest[b]);
    PEN_REQUIRE(
        run, s->all_longest <= largest_length2(s->x->work), PEN_BAD_DATA,
        "rows are too far apart: squared distances overflow, the largest squared length is %g",
        s->all_longest);
    return PEN_OK;
}

/* Sets the precision of all further products: their error bounds, and the filter values of each
 * row. */
static void set_precision(struct all *s, pen_dtype work)
{
    const int whole = s->x->work == PEN_F32 && s->x->epsilon <= DBL_EPSILON; /* bytes minus 128 */
    pen_rows rows = *s->x;

    rows.work = s->work = work;
    s->tall = s->block;
    s->wide = CHUNK;
    s->stored = NULL;
    s->exact = whole && s->all_longest <= EXACT_LENGTH2;
    s->margin = s->exact ? 0 : pen_neighbors_margin(&rows);
    s->floor =
        s->exact ? 0 : (double)(s->x->d + 16) * (work == PEN_F64 ? DBL_MIN : (double)FLT_MIN);
    for (int64_t i = 0; i < s->n; i++) {
        set_value(work, s->half, i, s->length2[i] * (1 - s->margin) / 2);
        set_reach(s, i, s->found[s->order[i] * s->k].distance2);
    }
}

/* Rows at positions first .. first + count - 1 in the precision of the products. */
static void load(const struct all *s, int64_t first, int64_t count, double *run, char *to)
{
    const int64_t d = s->x->d;
    float *floats = (float *)(void *)to;

    if (s->work == s->x->work) {
        pen_rows_block(s->x, s->order, first, count, to);
        return;
    }
    for (int64_t i = 0; i < count; i += RUN) {
        const int64_t rows = pen_min(RUN, count - i);
        pen_rows_block(s->x, s->order, first + i, rows, run);
        for (int64_t j = 0; j < rows * d; j++)
            floats[j] = (float)run[j];
        floats += rows * d;
    }
}

/* The stored tile that starts with row `first` of a block. */
static float *stored_tile(const struct all *s, int64_t block, int64_t first)
{
    return s->stored + (block * ((s->block + SIDE - 1) / SIDE) + first / SIDE) * SIDE * s->x->d;
}

static void store_tiles(void *context, int64_t task, int worker)
{
    const struct all *s = context;
    const int64_t d = s->x->d, count = rows_of_block(s, task);
    const struct buffers m = buffers_of(s, worker);
    const float *rows = (const float *)(const void *)m.rows;

    load(s, task * s->block, count, m.run, m.rows);
    for (int64_t first = 0; first < count; first += SIDE) {
        float *const tile = stored_tile(s, task, first);
        const int64_t height = pen_min(SIDE, count - first);
        for (int64_t i = 0; i < height; i++, rows += d)
            for (int64_t j = 0; j < d; j++)
                tile[j * SIDE + i] = rows[j];
    }
}

/* Chooses single precision unless rows are too long for it, and stored tiles if rows have few
 * columns. */
static pen_status choose_products(pen_run *run, struct all *s)
{
    set_precision(s, s->all_longest <= largest_length2(PEN_F32) ? PEN_F32 : PEN_F64);
    if (s->work == PEN_F64 || s->x->d > FEW_COLUMNS)
        return PEN_OK;
    PEN_TRY(PEN_NEW(
        run, s->stored,
        pen_times(pen_times(pen_times(s->blocks, (s->block + SIDE - 1) / SIDE), SIDE), s->x->d)));
    s->tall = s->wide = SIDE;
    return pen_parallel(run, PEN_SILENT, s->blocks, store_tiles, s);
}

/* ---- one pair of blocks ---- */

/* 1 if a row at a squared distance of at least `low` may enter the list. A duplicate of the worst
 * row in the list is equally far, so the row numbers decide without a computation: there may be
 * many such rows. */
static int may_enter(const struct all *s, const pen_neighbor *heap, double low, int64_t row)
{
    return low <= heap->distance2
           && (row < heap->row || heap->row < 0 || s->duplicate[row] != s->duplicate[heap->row]);
}

static void insert(const struct all *s, int64_t position, pen_neighbor *heap, pen_neighbor entry)
{
    if (!heap_worse(heap[0], entry))
        return;
    pen_heap_replace(heap, s->k, entry);
    set_reach(s, position, heap[0].distance2);
}

/* Offers the rows at two positions to each other's lists. Returns 1 if the exact distance was
 * computed in vain and more accurate products would have avoided that. */
static int offer_pair(const struct all *s, int64_t i, int64_t j, double ab)
{
    const int64_t p = s->order[i], q = s->order[j];
    const double low = (s->length2[i] + s->length2[j]) * (1 - s->margin) - 2 * ab - s->floor;
    pen_neighbor *const of_p = s->found + p * s->k, *const of_q = s->found + q * s->k;
    const int p_accepts = may_enter(s, of_p, low, q), q_accepts = may_enter(s, of_q, low, p);

    if (!p_accepts && !q_accepts)
        return 0;
    const double distance2 = s->exact ? low : pen_rows_distance2(s->x, p, q);
    const int wasted = !(p_accepts && distance2 <= of_p->distance2)
                       && !(q_accepts && distance2 <= of_q->distance2);
    if (p_accepts)
        insert(s, i, of_p, (pen_neighbor){ distance2, q });
    if (q_accepts)
        insert(s, j, of_q, (pen_neighbor){ distance2, p });
    return wasted;
}

/* Offers row i and each of the rows at positions j .. j + count - 1 whose product passes: whose
 * lower bound of the squared distance is at most that of the worst neighbor in one of the lists,
 *
 *   ab - half_j + max(reach_i, reach_j) >= half_i,
 *
 * minus an allowance for the rounding of the filter itself (limit). Reaches shrink meanwhile. */
#define OFFER(name, type, passing)                                                                 \
    static int64_t name(const struct all *s, int64_t i, int64_t j, int64_t count, const type *ab,  \
                        type limit)                                                                \
    {                                                                                              \
        const type *const half = (const type *)(const void *)s->half + j,                          \
                          *const reach = (const type *)(const void *)s->reach + j,                 \
                          *const own = (const type *)(const void *)s->reach + i;                   \
        int64_t wasted = 0;                                                                        \
                                                                                                   \
        for (int64_t c = 0; c < count; c++)                                                        \
            if (passing(ab[c], half[c], reach[c], *own, limit))                                    \
                wasted += offer_pair(s, i, j + c, (double)ab[c]);                                  \
        return wasted;                                                                             \
    }

OFFER(offer_double, double, passing_double)
OFFER(offer_single, float, passing_single)

static double value_of(const struct all *s, const char *values, int64_t i)
{
    return s->work == PEN_F64 ? ((const double *)(const void *)values)[i]
                              : (double)((const float *)(const void *)values)[i];
}

/* The row at position i against `wide` rows starting at position j, given their products; `longest`
 * is the largest of their squared lengths. */
static int64_t filter(const struct all *s, int64_t i, int64_t j, int64_t wide, const char *products,
                      double longest)
{
    const size_t size = pen_size(s->work);
    const double half = s->length2[i] * (1 - s->margin) / 2;
    const double limit = half - SLACK * unit_of(s) * (s->length2[i] + longest) - s->floor;
    uint64_t groups =
        pen_tile_filter_groups(s->work, wide, products, s->half + (size_t)j * size,
                               s->reach + (size_t)j * size, value_of(s, s->reach, i), limit);
    int64_t wasted = 0;

    for (int64_t g = 0; groups != 0; g += PEN_PASSING_GROUP, groups >>= 1) {
        const int64_t count = pen_min(PEN_PASSING_GROUP, wide - g);
        const void *const ab = products + (size_t)g * size;
        if (groups % 2 == 0)
            continue;
        wasted += s->work == PEN_F64 ? offer_double(s, i, j + g, count, ab, limit)
                                     : offer_single(s, i, j + g, count, ab, (float)limit);
    }
    return wasted;
}

/* The rows of block p against those of block q; each pair of rows once if the blocks are equal. */
static int64_t multiply(const struct all *s, int64_t p, int64_t q, const struct buffers *m,
                        int worker)
{
    const pen_dtype type = s->work;
    const int64_t d = s->x->d, high = rows_of_block(s, p), wide = rows_of_block(s, q);
    const size_t size = pen_size(type), row_size = (size_t)d * size;
    int64_t wasted = 0;

    if (!s->stored)
        load(s, p * s->block, high, m->run, m->rows);
    for (int64_t first = 0; first < wide && !pen_stopped(s->run, worker); first += s->wide) {
        const int64_t count = pen_min(s->wide, wide - first);
        const char *columns = p == q ? m->rows + (size_t)first * row_size : m->chunk;
        if (!s->stored && p != q)
            load(s, q * s->block + first, count, m->run, m->chunk);
        for (int64_t from = p == q ? first : 0; from < high; from += s->tall) {
            const int64_t tall = pen_min(s->tall, high - from);
            if (s->stored)
                pen_blas_gemm(type, PEN_TRANSPOSED, PEN_PLAIN, tall, count, d, 1,
                              stored_tile(s, p, from), SIDE, stored_tile(s, q, first), SIDE, 0,
                              m->products, s->wide);
            else
                pen_blas_gemm(type, PEN_PLAIN, PEN_TRANSPOSED, tall, count, d, 1,
                              m->rows + (size_t)from * row_size, d, columns, d, 0, m->products,
                              s->wide);
            for (int64_t i = from;
                 i < from + tall && ((i - from) % ASK || !pen_stopped(s->run, worker)); i++)
                wasted +=
                    filter(s, p * s->block + i, q * s->block + first,
                           p == q ? pen_min(count, i - first) : count,
                           m->products + (size_t)((i - from) * s->wide) * size, s->longest[q]);
        }
    }
    return wasted;
}

/* ---- the tournament ---- */

static void run_task(void *context, int64_t task, int worker)
{
    const struct all *s = context;
    const struct buffers m = buffers_of(s, worker);
    int64_t p, q;

    pen_tournament_pair(s->blocks, s->round, s->first + task, &p, &q);
    s->wasted[s->first + task] = multiply(s, p, q, &m, worker);
}

/* Runs `count` tasks of a round. Then switches to products in double if that is cheaper than the
 * exact distances that single precision wasted. */
static pen_status run_tasks(pen_run *run, struct all *s, int64_t first, int64_t count,
                            pen_phase phase)
{
    const double pairs =
        (double)count * (double)s->block * (double)s->block / (s->round < 0 ? 2 : 1);
    int64_t wasted = 0;

    s->first = first;
    PEN_TRY(pen_parallel(run, phase, count, run_task, s));
    for (int64_t task = first; task < first + count; task++)
        wasted += s->wasted[task];
    if (s->work != s->x->work && (double)wasted > pairs / PAIRS_PER_WASTED)
        set_precision(s, PEN_F64);
    return PEN_OK;
}

static void sort_block(void *context, int64_t task, int worker)
{
    const struct all *s = context;
    (void)worker;
    for (int64_t i = task * s->block; i < task * s->block + rows_of_block(s, task); i++)
        pen_heap_sort(s->found + i * s->k, s->k);
}

/* The number of rows of a block, a multiple of PEN_PASSING_GROUP. */
static int64_t block_rows(const pen_rows *x, int64_t n)
{
    const int64_t most = pen_min(MAX_ROWS, pen_min(n / MIN_BLOCKS, BLOCK_ELEMENTS / x->d));
    return pen_max(MIN_ROWS, most - most % PEN_PASSING_GROUP);
}

static pen_status prepare(pen_run *run, struct all *s)
{
    const int64_t d = s->x->d, size = (int64_t)pen_size(s->x->work);

    const int64_t numbers =
        pen_plus(pen_times(s->block + rows_of_chunk(s), d), pen_times(s->block, CHUNK));
    const int64_t bytes =
        pen_plus(pen_times(numbers, size), pen_times(RUN * (int64_t)sizeof(double), d));
    PEN_TRY(PEN_NEW2(run, s->order, s->length2, s->n));
    PEN_TRY(PEN_NEW2(run, s->longest, s->wasted, s->blocks));
    PEN_TRY(PEN_NEW2(run, s->half, s->reach, pen_times(s->n, size)));
    PEN_TRY(pen_slices_new(run, pen_workers(run, s->blocks), bytes, 1, &s->tiles));
    PEN_TRY(PEN_NEW(run, s->duplicate, s->n));
    PEN_TRY(pen_duplicates_find(run, s->x, s->n, s->duplicate));
    return pen_neighbors_shuffle(run, 0, s->n, s->order);
}

static pen_status search_all_blocks(pen_run *run, const pen_rows *x, int64_t n, int64_t k,
                                    const pen_neighbor *guesses, pen_neighbor *found)
{
    struct all s = { .run = run,
                     .x = x,
                     .n = n,
                     .k = k,
                     .guesses = guesses,
                     .found = found,
                     .block = block_rows(x, n) };
    const pen_mark_t mark = pen_mark(run);

    s.blocks = (n + s.block - 1) / s.block;
    const int64_t rounds = pen_tournament_rounds(s.blocks), pairs_per_round = s.blocks / 2,
                  trial = pen_min(TRIAL_BLOCKS, s.blocks);
    const int64_t total = s.blocks + rounds * pairs_per_round;
    PEN_TRY(prepare(run, &s));
    PEN_TRY(
        pen_parallel(run, PEN_PART("nearest neighbors", 0, 0, total), s.blocks, measure_block, &s));
    PEN_TRY(find_longest(run, &s));
    PEN_TRY(choose_products(run, &s));
    s.round = -1;
    PEN_TRY(run_tasks(run, &s, 0, trial, PEN_PART("nearest neighbors", 0, trial, total)));
    PEN_TRY(run_tasks(run, &s, trial, s.blocks - trial,
                      PEN_PART("nearest neighbors", trial, s.blocks, total)));
    for (s.round = 0; s.round < rounds; s.round++) {
        const int64_t done = s.blocks + s.round * pairs_per_round;
        PEN_TRY(run_tasks(run, &s, 0, pairs_per_round,
                          PEN_PART("nearest neighbors", done, done + pairs_per_round, total)));
    }
    PEN_TRY(pen_parallel(run, PEN_PART("nearest neighbors", total, total, total), s.blocks,
                         sort_block, &s));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_neighbors_refresh(pen_run *run, const pen_rows *x, int64_t n, int64_t k,
                                 const pen_neighbor *guesses, pen_neighbor *found)
{
    const pen_subset all = { NULL, n };
    int done;

    if (pen_rows_are_sparse(x))
        return pen_sparse_neighbors(run, x, all, x, all, k, found);
    PEN_TRY(pen_code_search_distinct(run, x, n, k, guesses, found, &done));
    return done ? PEN_OK : search_all_blocks(run, x, n, k, guesses, found);
}

pen_status pen_neighbors_of_all(pen_run *run, const pen_rows *x, int64_t n, int64_t k,
                                pen_neighbor *found)
{
    return pen_neighbors_refresh(run, x, n, k, NULL, found);
}
