/* all_neighbors.c - nearest neighbours of all rows: who is near to whom is said once for both.
 *
 * Rows are cut into blocks. Each pair of blocks is multiplied once, and each product is shown to both of its rows. The pairs are played like a
 * tournament: in a round no block has two opponents, so tasks that run at once never touch the same list. First each block plays against itself, so
 * that every row knows some neighbours. Runs of rows are in random order, which keeps the number of those that are nearer than the
 * nearest so far near k log(n / k), whatever the order of the rows given. */
#include "core/parallel.h"
#include "core/rng.h"
#include "graph/heap.h"
#include "graph/twins.h"
#include "linalg/blas.h"

#include <float.h>
#include <math.h>

enum {
    GROUP = 32,               /* products sieved at a time */
    RUN = 16,                 /* rows that stay together, for memory is read faster in order */
    CHUNK = 256,              /* columns of products made at a time, so that they are still in the cache when they are sieved */
    MOST_ROWS = 1024,         /* of a block */
    BLOCKS = 32,              /* at least, if there are rows enough */
    BLOCK_ELEMENTS = 1 << 21, /* coordinates of a block, */
    LEAST_ROWS = 64,          /* unless a row has too many */
    EXACT_LENGTH2 = 1 << 24,  /* sums of products of whole numbers up to it are exact in float */
    SLACK = 8,                /* rounding errors of the sieve, in units of the last place */
};

/* Positions are places in the random order. `reach` and `half` are in the precision of the products. */
struct all {
    const pen_rows *x;
    int64_t n, k;
    int64_t block, blocks; /* rows of a block, and how many there are */
    int64_t round;         /* -1: each block against itself */
    int exact;             /* products have no rounding */
    double margin, floor;  /* |expanded - true| <= margin (|a|^2 + |b|^2) + floor; floor is for products that vanish */
    int64_t *order;        /* [n] row at each position */
    int64_t *twin;         /* [n] the first row that is the same as a row */
    double *length2;       /* [n] squared length at each position */
    double *longest;       /* [blocks] the largest of them */
    char *half;            /* [n] (1 - margin) / 2 of it */
    char *reach;           /* [n] half of the squared distance to the worst of the row's list, rounded up */
    char *tiles;           /* [workers]: block [block x d], up to CHUNK rows, products [block x CHUNK] */
    size_t tile_size;
    pen_neighbor *found; /* [n x k] heaps, of rows */
};

static double unit_of(const pen_rows *x)
{
    return x->work == PEN_F64 ? DBL_EPSILON : (double)FLT_EPSILON;
}

static double get(pen_dtype type, const void *values, int64_t i)
{
    return type == PEN_F64 ? ((const double *)values)[i] : (double)((const float *)values)[i];
}

static void set(pen_dtype type, void *values, int64_t i, double value)
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

static void set_reach(const struct all *s, int64_t position, double distance2)
{
    set(s->x->work, s->reach, position, distance2 / 2 * (1 + SLACK * unit_of(s->x)));
}

/* ---- before the tournament ---- */

static void measure_block(void *context, int64_t task, int worker)
{
    const struct all *s = context;
    const int64_t first = task * s->block, count = rows_of_block(s, task);
    char *const rows = s->tiles + (size_t)worker * s->tile_size;

    pen_rows_block(s->x, s->order, first, count, rows);
    pen_squared_lengths(s->x->work, rows, count, s->x->d, s->length2 + first);
    s->longest[task] = 0;
    for (int64_t i = first; i < first + count; i++) {
        s->longest[task] = fmax(s->longest[task], s->length2[i]);
        set_reach(s, i, (double)INFINITY);
        heap_clear(s->found + s->order[i] * s->k, s->k);
    }
}

/* How exact the products are, and what the sieve needs of each row. */
static pen_status find_margin(pen_run *run, struct all *s)
{
    const int whole = s->x->work == PEN_F32 && s->x->epsilon <= DBL_EPSILON; /* bytes less 128 */
    const double most = s->x->work == PEN_F64 ? DBL_MAX : (double)FLT_MAX;
    double longest = 0;

    for (int64_t b = 0; b < s->blocks; b++)
        longest = fmax(longest, s->longest[b]);
    PEN_REQUIRE(run, longest <= most / 8, PEN_BAD_DATA, "rows are too far apart for the squares of their distances: a squared length is %g",
                longest);
    s->exact = whole && longest <= EXACT_LENGTH2;
    s->margin = s->exact ? 0 : neighbors_margin(s->x);
    s->floor = s->exact ? 0 : (double)(s->x->d + 16) * (s->x->work == PEN_F64 ? DBL_MIN : (double)FLT_MIN);
    for (int64_t i = 0; i < s->n; i++)
        set(s->x->work, s->half, i, s->length2[i] * (1 - s->margin) / 2);
    return PEN_OK;
}

/* ---- one pair of blocks ---- */

/* How many of `count` products of row i may be of use to either row: lower bound of the distance <= that to the worst of a list, which is
 * ab - half_j + max(reach_i, reach_j) >= half_i, less some for the rounding of the sieve itself (limit). */
static inline int passing_double(int count, const double *restrict ab, const double *restrict half, const double *restrict reach,
                                 double own, double limit)
{
    int passing = 0;
    for (int j = 0; j < count; j++)
        passing += ab[j] - half[j] + (reach[j] > own ? reach[j] : own) >= limit;
    return passing;
}

static inline int passing_single(int count, const float *restrict ab, const float *restrict half, const float *restrict reach, float own,
                                 float limit)
{
    int passing = 0;
    for (int j = 0; j < count; j++)
        passing += ab[j] - half[j] + (reach[j] > own ? reach[j] : own) >= limit;
    return passing;
}

/* Whether a row at a distance of at least sqrt(low) may belong to the list. If it is the same as the worst row there, it is as far, and its number
 * tells without looking: there may be many such rows. */
static int may_enter(const struct all *s, const pen_neighbor *heap, double low, int64_t row)
{
    return low <= heap->distance2 && (row < heap->row || heap->row < 0 || s->twin[row] != s->twin[heap->row]);
}

static void enter(const struct all *s, int64_t position, pen_neighbor *heap, pen_neighbor entry)
{
    if (!heap_worse(heap[0], entry))
        return;
    heap_replace(heap, s->k, entry);
    set_reach(s, position, heap[0].distance2);
}

/* Show the rows at two positions to each other. */
static void meet(const struct all *s, int64_t i, int64_t j, double ab)
{
    const int64_t p = s->order[i], q = s->order[j];
    const double low = (s->length2[i] + s->length2[j]) * (1 - s->margin) - 2 * ab - s->floor;
    pen_neighbor *const of_p = s->found + p * s->k, *const of_q = s->found + q * s->k;
    const int p_wants = may_enter(s, of_p, low, q), q_wants = may_enter(s, of_q, low, p);

    if (!p_wants && !q_wants)
        return;
    const double distance2 = s->exact ? low : pen_rows_distance2(s->x, p, q);
    if (p_wants)
        enter(s, i, of_p, (pen_neighbor){ distance2, q });
    if (q_wants)
        enter(s, j, of_q, (pen_neighbor){ distance2, p });
}

/* The rows at positions j .. j + count - 1 whose products with row i pass meet it. */
static void sieve_double(const struct all *s, int64_t i, int64_t j, int count, const double *ab, double limit)
{
    const double *const half = (const double *)(const void *)s->half + j, *const reach = (const double *)(const void *)s->reach + j;
    const double *const own = (const double *)(const void *)s->reach + i;

    if (count == GROUP && passing_double(GROUP, ab, half, reach, *own, limit) == 0)
        return;
    for (int c = 0; c < count; c++)
        if (passing_double(1, ab + c, half + c, reach + c, *own, limit))
            meet(s, i, j + c, ab[c]);
}

static void sieve_single(const struct all *s, int64_t i, int64_t j, int count, const float *ab, float limit)
{
    const float *const half = (const float *)(const void *)s->half + j, *const reach = (const float *)(const void *)s->reach + j;
    const float *const own = (const float *)(const void *)s->reach + i;

    if (count == GROUP && passing_single(GROUP, ab, half, reach, *own, limit) == 0)
        return;
    for (int c = 0; c < count; c++)
        if (passing_single(1, ab + c, half + c, reach + c, *own, limit))
            meet(s, i, j + c, (double)ab[c]);
}

/* The row at position i against `wide` rows from position j, with its products; `longest` of those squared lengths. */
static void sieve(const struct all *s, int64_t i, int64_t j, int64_t wide, const void *products, double longest)
{
    const double half = get(s->x->work, s->half, i);
    const double limit = half - SLACK * unit_of(s->x) * (s->length2[i] + longest) - s->floor;

    for (int64_t g = 0; g < wide; g += GROUP) {
        const int count = (int)pen_min(GROUP, wide - g);
        if (s->x->work == PEN_F64)
            sieve_double(s, i, j + g, count, (const double *)products + g, limit);
        else
            sieve_single(s, i, j + g, count, (const float *)products + g, (float)limit);
    }
}

/* Rows of block p against rows of block q; each pair of rows once if they are the same block. */
static void multiply(const struct all *s, int64_t p, int64_t q, char *rows, char *chunk, char *products)
{
    const pen_dtype type = s->x->work;
    const int64_t d = s->x->d, high = rows_of_block(s, p), wide = rows_of_block(s, q);
    const size_t row_size = (size_t)d * pen_size(type);

    pen_rows_block(s->x, s->order, p * s->block, high, rows);
    for (int64_t first = 0; first < wide; first += CHUNK) {
        const int64_t count = pen_min(CHUNK, wide - first), from = p == q ? first : 0;
        const char *columns = rows + (size_t)first * row_size;
        if (p != q) {
            pen_rows_block(s->x, s->order, q * s->block + first, count, chunk);
            columns = chunk;
        }
        blas_gemm(type, PEN_PLAIN, PEN_TRANSPOSED, high - from, count, d, 1, rows + (size_t)from * row_size, d, columns, d, 0, products,
                  CHUNK);
        for (int64_t i = from; i < high; i++)
            sieve(s, p * s->block + i, q * s->block + first, p == q ? pen_min(count, i - first) : count,
                  products + (size_t)((i - from) * CHUNK) * pen_size(type), s->longest[q]);
    }
}

/* ---- the tournament ---- */

/* Blocks, and one that is not there if their number is odd, sit around a table but for the last, which stays out of the turns: in each round it meets
 * the block at the head, and the others meet who sits opposite. */
static void opponents(const struct all *s, int64_t task, int64_t *p, int64_t *q)
{
    const int64_t turn = (s->blocks + 1) / 2 * 2 - 1;

    *p = *q = task;
    if (s->round < 0)
        return;
    task += s->blocks % 2; /* the head has nobody to meet */
    *p = (s->round + task) % turn;
    *q = task == 0 ? turn : (s->round - task + turn) % turn;
}

static void play(void *context, int64_t task, int worker)
{
    const struct all *s = context;
    const size_t row_size = (size_t)s->x->d * pen_size(s->x->work);
    char *const rows = s->tiles + (size_t)worker * s->tile_size, *const chunk = rows + (size_t)s->block * row_size;
    int64_t p, q;

    opponents(s, task, &p, &q);
    multiply(s, p, q, rows, chunk, chunk + (size_t)rows_of_chunk(s) * row_size);
}

static void sort_block(void *context, int64_t task, int worker)
{
    const struct all *s = context;
    (void)worker;
    for (int64_t i = task * s->block; i < task * s->block + rows_of_block(s, task); i++)
        heap_sort(s->found + i * s->k, s->k);
}

/* Whole cache lines of rows a block. */
static int64_t block_rows(const pen_rows *x, int64_t n)
{
    const int64_t most = pen_min(MOST_ROWS, pen_min(n / BLOCKS, BLOCK_ELEMENTS / x->d));
    return pen_max(LEAST_ROWS, most - most % GROUP);
}

/* Runs of rows in random order. */
static pen_status shuffle(pen_run *run, const struct all *s)
{
    const int64_t count = (s->n + RUN - 1) / RUN;
    const pen_mark_t mark = pen_mark(run);
    int64_t *runs, *to = s->order;
    pen_rng rng = { 0 };

    PEN_TRY(PEN_NEW(run, runs, count));
    pen_rng_permutation(&rng, count, runs);
    for (int64_t i = 0; i < count; i++)
        for (int64_t row = runs[i] * RUN; row < pen_min((runs[i] + 1) * RUN, s->n); row++)
            *to++ = row;
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status prepare(pen_run *run, struct all *s)
{
    const int64_t d = s->x->d, size = (int64_t)pen_size(s->x->work);

    s->tile_size = (size_t)(((s->block + rows_of_chunk(s)) * d + s->block * CHUNK) * size);
    PEN_TRY(PEN_NEW(run, s->order, s->n));
    PEN_TRY(PEN_NEW(run, s->length2, s->n));
    PEN_TRY(PEN_NEW(run, s->longest, s->blocks));
    PEN_TRY(PEN_NEW(run, s->half, s->n * size));
    PEN_TRY(PEN_NEW(run, s->reach, s->n * size));
    PEN_TRY(PEN_NEW(run, s->tiles, pen_workers(run, s->blocks) * (int64_t)s->tile_size));
    PEN_TRY(PEN_NEW(run, s->twin, s->n));
    PEN_TRY(twins_find(run, s->x, s->n, s->twin));
    return shuffle(run, s);
}

pen_status neighbors_of_all(pen_run *run, const pen_rows *x, int64_t n, int64_t k, pen_neighbor *found)
{
    struct all s = { .x = x, .n = n, .k = k, .found = found, .block = block_rows(x, n) };
    const pen_mark_t mark = pen_mark(run);

    s.blocks = (n + s.block - 1) / s.block;
    const int64_t rounds = s.blocks > 1 ? (s.blocks + 1) / 2 * 2 - 1 : 0, games = s.blocks / 2;
    const int64_t total = s.blocks + rounds * games;
    PEN_TRY(prepare(run, &s));
    PEN_TRY(pen_parallel(run, PEN_PART("nearest neighbors", 0, 0, total), s.blocks, measure_block, &s));
    PEN_TRY(find_margin(run, &s));
    for (s.round = -1; s.round < rounds; s.round++) {
        const int64_t tasks = s.round < 0 ? s.blocks : games, first = s.round < 0 ? 0 : s.blocks + s.round * games;
        PEN_TRY(pen_parallel(run, PEN_PART("nearest neighbors", first, first + tasks, total), tasks, play, &s));
    }
    PEN_TRY(pen_parallel(run, PEN_PART("nearest neighbors", total, total, total), s.blocks, sort_block, &s));
    pen_release(run, mark);
    return PEN_OK;
}
