/* relative_nearest.c - nearest rows in relative distance, from products of tiles.
 *
 * Two square blocks of rows are multiplied at a time, tile by tile; then every row of either block
 * scans the products for its nearest rows. Each list is updated by one task at a time, in a total
 * order, so threads do not affect the result. The lists keep lower bounds of the distance, for a
 * few more than k rows: if the first dropped row might be nearer than the last one kept, the row is
 * searched again. Products are in single precision, then in double for rows that these do not
 * decide, or for all rows if that is most of them. */
#include "neighbors/relative.h"

#include "core/parallel.h"
#include "neighbors/heap.h"
#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    TILE = 512,  /* rows of a tile of products */
    SIDE = 2048, /* rows of a block */
    /* the same if coordinates are recomputed for each block: larger blocks recompute less */
    FAR_SIDE = 4096,
    CHUNK = 512,   /* coordinates multiplied at a time: the errors of shorter sums are smaller */
    ROWS = 32,     /* rows that a task scans or refines */
    COLUMNS = 128, /* the same for columns */
    GROUP = 16,    /* bounds filtered at a time */
    /* number kept beyond k: because of rounding and ties few rows have more candidates */
    EXTRA = 8,
};

/* The underflow error of products in single precision, in units of the largest. */
static const float SINGLE_UNDERFLOW = 1e-29f;

/* The state of a search. Coordinates are scaled by a power of two so that no product overflows in
 * single precision. */
struct search {
    const pen_relative *r;
    pen_dtype type;
    double scale, unit;   /* of coordinates; the inverse, for their squares */
    int64_t side, chunk;  /* rows of a block, coordinates of a chunk */
    const int64_t *list;  /* rows of the left block; NULL: */
    int64_t first, count; /* rows first .. first + count - 1 */
    int64_t from, wide;   /* right block: rows from .. from + wide - 1 */
    int same;             /* the blocks are equal: only the lower triangle is multiplied */
    int64_t at;           /* first coordinate of the chunk */
    /* [side x side] P: products of y, later lower bounds of r^2; D: with corrected landmarks,
     * products of z */
    char *P, *D;
    char *left, *right;     /* [side x chunk] coordinates */
    char *left_z, *right_z; /* [side x p] the same for z */
    double margin, z_margin;
    void *y2, *z2; /* [n] squared lengths, of type `type` like the arrays below */
    /* [2 x n] corrected landmarks: weights of products and lengths, if the left row is not a
     * landmark and if it is one */
    void *alpha, *beta, *length_weight;
    int64_t k, keep;
    pen_neighbor *kept;  /* [n x keep] heaps of lower bounds, worst entry first */
    pen_neighbor *found; /* [n x k] */
    char *unproven;      /* [n] rows whose list is not yet proven */
    int64_t *open;       /* [opened] their numbers */
    int64_t opened;
    pen_slices buffers; /* [2 m] */
};

static int64_t left_row(const struct search *s, int64_t i)
{
    return s->list ? s->list[s->first + i] : s->first + i;
}

/* Converts numbers to the type of the products, multiplied by `factor`. */
static void convert(const struct search *s, const double *restrict from, int64_t count,
                    double factor, char *to)
{
    if (s->type == PEN_F64) {
        double *restrict out = (double *)(void *)to;
        for (int64_t t = 0; t < count; t++)
            out[t] = factor * from[t];
    } else {
        float *restrict out = (float *)(void *)to;
        for (int64_t t = 0; t < count; t++)
            out[t] = (float)(factor * from[t]);
    }
}

/* Fills the coordinates of this chunk: rows of the left block, then of the right one. */
static void fill_chunk(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    const int64_t left_tasks = (s->count + ROWS - 1) / ROWS,
                  count = pen_min(s->chunk, s->r->m - s->at), p = s->r->p;
    const int left = task < left_tasks;
    const int64_t first = (left ? task : task - left_tasks) * ROWS;
    const size_t size = pen_size(s->type);
    char *const to = left ? s->left : s->right, *const to_z = left ? s->left_z : s->right_z;
    double own[CHUNK];
    (void)worker;

    for (int64_t i = first; i < pen_min(first + ROWS, left ? s->count : s->wide); i++) {
        const int64_t row = left ? left_row(s, i) : s->from + i;
        pen_relative_coordinates(s->r, row, s->at, count, own);
        convert(s, own, count, s->scale, to + (size_t)(i * s->chunk) * size);
        if (s->D && s->at == 0)
            convert(s, s->r->z + row * p, p, s->scale, to_z + (size_t)(i * p) * size);
    }
}

static void multiply_tile(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    const pen_relative *r = s->r;
    const int64_t across = (s->wide + TILE - 1) / TILE, i = task / across * TILE,
                  j = task % across * TILE;
    const int64_t high = pen_min(TILE, s->count - i), wide = pen_min(TILE, s->wide - j),
                  inner = pen_min(s->chunk, r->m - s->at);
    const size_t size = pen_size(s->type), place = (size_t)(i * s->side + j) * size;
    const char *const a = s->left + (size_t)(i * s->chunk) * size;
    const char *const b = s->right + (size_t)(j * s->chunk) * size;
    (void)worker;

    if (s->same && j > i)
        return;
    pen_blas_gemm(s->type, PEN_PLAIN, PEN_TRANSPOSED, high, wide, inner, 1, a, s->chunk, b,
                  s->chunk, s->at > 0, s->P + place, s->side);
    if (s->D && s->at == 0)
        pen_blas_gemm(s->type, PEN_PLAIN, PEN_TRANSPOSED, high, wide, r->p, 1,
                      s->left_z + (size_t)(i * r->p) * size, r->p,
                      s->right_z + (size_t)(j * r->p) * size, r->p, 0, s->D + place, s->side);
}

static void mirror(const struct search *s, char *a, int64_t i, int64_t j)
{
    const int64_t high = pen_min(i + TILE, s->count), wide = pen_min(j + TILE, s->count);
    double *const f64 = (double *)(void *)a;
    float *const f32 = (float *)(void *)a;

    for (int64_t row = i; row < high; row++)
        for (int64_t column = j; column < wide; column++)
            if (s->type == PEN_F64)
                f64[column * s->side + row] = f64[row * s->side + column];
            else
                f32[column * s->side + row] = f32[row * s->side + column];
}

static void mirror_tile(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    const int64_t across = (s->wide + TILE - 1) / TILE, i = task / across * TILE,
                  j = task % across * TILE;
    (void)worker;

    if (j >= i)
        return;
    mirror(s, s->P, i, j);
    if (s->D)
        mirror(s, s->D, i, j);
}

/* Multiplies the left and the right block. */
static pen_status multiply(pen_run *run, struct search *s)
{
    const int64_t tiles = ((s->count + TILE - 1) / TILE) * ((s->wide + TILE - 1) / TILE);
    const int64_t fills = (s->count + ROWS - 1) / ROWS + (s->wide + ROWS - 1) / ROWS;

    for (s->at = 0; s->at < s->r->m; s->at += s->chunk) {
        PEN_TRY(pen_parallel(run, PEN_SILENT, fills, fill_chunk, s));
        PEN_TRY(pen_parallel(run, PEN_SILENT, tiles, multiply_tile, s));
    }
    return s->same ? pen_parallel(run, PEN_SILENT, tiles, mirror_tile, s) : PEN_OK;
}

/* Converts the products of a left row to lower bounds of squared distances, `under` below what
 * rounding could make of them. */
#define BOUND(name, type, under)                                                                   \
    static void name(const struct search *s, int64_t i)                                            \
    {                                                                                              \
        const int64_t row = left_row(s, i), from = s->from,                                        \
                      of = from + (s->r->place[row] >= 0 ? s->r->n : 0);                           \
        const type *restrict y2 = (const type *)s->y2 + from, own2 = ((const type *)s->y2)[row],   \
                             less = (type)(1 - s->margin);                                         \
        type *restrict P = (type *)(void *)s->P + i * s->side;                                     \
                                                                                                   \
        if (!s->D) {                                                                               \
            for (int64_t j = 0; j < s->wide; j++)                                                  \
                P[j] = less * (own2 + y2[j]) - 2 * P[j] - (under);                                 \
            return;                                                                                \
        }                                                                                          \
        const type *restrict D = (const type *)(void *)s->D + i * s->side;                         \
        const type *restrict z2 = (const type *)s->z2 + from;                                      \
        const type *restrict alpha = (const type *)s->alpha + of;                                  \
        const type *restrict beta = (const type *)s->beta + of;                                    \
        const type *restrict weight = (const type *)s->length_weight + of;                         \
        const type own_z2 = ((const type *)s->z2)[row];                                            \
        for (int64_t j = 0; j < s->wide; j++)                                                      \
            P[j] = weight[j] * (own_z2 + z2[j]) - 2 * alpha[j] * D[j]                              \
                   + beta[j] * (less * (own2 + y2[j]) - 2 * P[j]) - (under);                       \
    }

BOUND(bound_double, double, 0)
BOUND(bound_single, float, SINGLE_UNDERFLOW)

static void bound_row(const struct search *s, int64_t i)
{
    s->type == PEN_F64 ? bound_double(s, i) : bound_single(s, i);
}

static double bound_at(const struct search *s, int64_t i, int64_t j)
{
    const int64_t at = i * s->side + j;
    return s->type == PEN_F64 ? ((const double *)(const void *)s->P)[at]
                              : (double)((const float *)(const void *)s->P)[at];
}

/* The number of 16 bounds of a row that are at most `worst`: usually 0. */
static int count_passing(const struct search *s, int64_t i, int64_t j, double worst)
{
    int count = 0;
    if (s->type == PEN_F64) {
        const double *restrict bound = (const double *)(const void *)s->P + i * s->side + j;
        for (int c = 0; c < GROUP; c++)
            count += bound[c] <= worst;
    } else {
        const float *restrict bound = (const float *)(const void *)s->P + i * s->side + j,
                              limit = (float)worst;
        for (int c = 0; c < GROUP; c++)
            count += bound[c] <= limit;
    }
    return count;
}

/* The number of `count` bounds of a row that are at most the `worst` of their columns. */
static int count_passing_columns(const struct search *s, int64_t i, int64_t first, int64_t count,
                                 const void *worst)
{
    int some = 0;
    if (s->type == PEN_F64) {
        const double *restrict bound = (const double *)(const void *)s->P + i * s->side + first,
                               *restrict limit = worst;
        for (int64_t j = 0; j < count; j++)
            some += bound[j] <= limit[j];
    } else {
        const float *restrict bound = (const float *)(const void *)s->P + i * s->side + first,
                              *restrict limit = worst;
        for (int64_t j = 0; j < count; j++)
            some += bound[j] <= limit[j];
    }
    return some;
}

static void offer(const struct search *s, int64_t row, int64_t other, double bound)
{
    pen_neighbor *const heap = s->kept + row * s->keep;
    const pen_neighbor entry = { bound, other };
    if (row != other && heap_worse(heap[0], entry))
        pen_heap_replace(heap, s->keep, entry);
}

/* Updates the lists of the left rows. */
static void update_rows(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    (void)worker;

    for (int64_t i = task * ROWS; i < pen_min((task + 1) * ROWS, s->count); i++) {
        const int64_t row = s->first + i;
        bound_row(s, i);
        for (int64_t j = 0; j < s->wide; j += GROUP) {
            if (j + GROUP <= s->wide
                && count_passing(s, i, j, s->kept[row * s->keep].distance2) == 0)
                continue;
            for (int64_t c = j; c < pen_min(j + GROUP, s->wide); c++)
                offer(s, row, s->from + c, bound_at(s, i, c));
        }
    }
}

/* Updates the lists of the right rows. */
static void update_columns(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    const int64_t first = task * COLUMNS, count = pen_min(COLUMNS, s->wide - first);
    double worst[COLUMNS];
    float single[COLUMNS];
    (void)worker;

    for (int64_t j = 0; j < count; j++) {
        worst[j] = s->kept[(s->from + first + j) * s->keep].distance2;
        single[j] = (float)worst[j];
    }
    for (int64_t i = 0; i < s->count; i++) {
        if (count_passing_columns(s, i, first, count,
                                  s->type == PEN_F64 ? (const void *)worst : single)
            == 0)
            continue;
        for (int64_t j = 0; j < count; j++)
            if (bound_at(s, i, first + j) <= worst[j]) {
                offer(s, s->from + first + j, s->first + i, bound_at(s, i, first + j));
                worst[j] = s->kept[(s->from + first + j) * s->keep].distance2;
                single[j] = (float)worst[j];
            }
    }
}

/* Processes every pair of blocks once. */
static pen_status search_blocks(pen_run *run, struct search *s)
{
    const int64_t n = s->r->n, blocks = (n + s->side - 1) / s->side;
    int64_t done = 0;

    pen_heap_clear(s->kept, n * s->keep);
    for (s->first = 0; s->first < n; s->first += s->side)
        for (s->from = s->first; s->from < n; s->from += s->side) {
            PEN_TRY(pen_progress(run, "relative neighbors", done++, blocks * (blocks + 1) / 2));
            s->count = pen_min(s->side, n - s->first);
            s->wide = pen_min(s->side, n - s->from);
            s->same = s->first == s->from;
            PEN_TRY(multiply(run, s));
            PEN_TRY(pen_parallel(run, PEN_SILENT, (s->count + ROWS - 1) / ROWS, update_rows, s));
            if (!s->same)
                PEN_TRY(pen_parallel(run, PEN_SILENT, (s->wide + COLUMNS - 1) / COLUMNS,
                                     update_columns, s));
        }
    return PEN_OK;
}

/* Inserts into a sorted list of k entries and drops the last one. */
static void insert(pen_neighbor *list, int64_t k, pen_neighbor entry)
{
    if (!heap_worse(list[k - 1], entry))
        return;
    int64_t at = k - 1;
    for (; at > 0 && heap_worse(list[at - 1], entry); at--)
        list[at] = list[at - 1];
    list[at] = entry;
}

/* Selects the k nearest of the kept rows, by direct differences for all that the bounds do not rule
 * out. */
static void refine(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    double *const work = pen_slice(&s->buffers, worker);

    for (int64_t i = task * ROWS; i < pen_min((task + 1) * ROWS, s->r->n); i++) {
        pen_neighbor *const kept = s->kept + i * s->keep, *const list = s->found + i * s->k;
        const double *const y = pen_relative_row(s->r, i, work);
        pen_heap_sort(kept, s->keep);
        for (int64_t c = 0; c < s->k; c++)
            list[c] = (pen_neighbor){ (double)INFINITY, s->r->n };
        for (int64_t c = 0; c < s->keep && kept[c].distance2 * s->unit <= list[s->k - 1].distance2;
             c++)
            insert(list, s->k,
                   (pen_neighbor){
                       pen_relative_distance2_from(s->r, i, y, kept[c].row, work + s->r->m),
                       kept[c].row });
        s->unproven[i] = s->keep < s->r->n - 1
                         && kept[s->keep - 1].distance2 * s->unit <= list[s->k - 1].distance2;
    }
}

static int contains(const pen_neighbor *list, int64_t k, int64_t row)
{
    for (int64_t c = 0; c < k; c++)
        if (list[c].row == row)
            return 1;
    return 0;
}

/* The same for unproven rows, over all rows that their bounds do not rule out. */
static void refine_unproven(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    double *const work = pen_slice(&s->buffers, worker);

    for (int64_t i = task * ROWS; i < pen_min((task + 1) * ROWS, s->count); i++) {
        const int64_t row = left_row(s, i);
        pen_neighbor *const list = s->found + row * s->k;
        const double *const y = pen_relative_row(s->r, row, work);
        bound_row(s, i);
        for (int64_t j = 0; j < s->wide; j++)
            if (bound_at(s, i, j) * s->unit <= list[s->k - 1].distance2 && s->from + j != row
                && !contains(list, s->k, s->from + j))
                insert(list, s->k,
                       (pen_neighbor){
                           pen_relative_distance2_from(s->r, row, y, s->from + j, work + s->r->m),
                           s->from + j });
    }
}

static pen_status search_unproven(pen_run *run, struct search *s)
{
    s->list = s->open;
    s->same = 0;
    for (s->first = 0; s->first < s->opened; s->first += s->side)
        for (s->from = 0; s->from < s->r->n; s->from += s->side) {
            PEN_TRY(pen_progress(run, "relative neighbors, equally near", s->first, s->opened));
            s->count = pen_min(s->side, s->opened - s->first);
            s->wide = pen_min(s->side, s->r->n - s->from);
            PEN_TRY(multiply(run, s));
            PEN_TRY(
                pen_parallel(run, PEN_SILENT, (s->count + ROWS - 1) / ROWS, refine_unproven, s));
        }
    return PEN_OK;
}

/* The rounding error of products of `inner` terms, for any order of summation; with chunks, of the
 * terms of one chunk and the sum of all. */
static double margin_of(const struct search *s, int64_t inner)
{
    return (double)(inner + 16) * 2 * (s->type == PEN_F64 ? DBL_EPSILON : (double)FLT_EPSILON);
}

/* Scales the largest coordinates to about 1, which keeps single precision from overflowing. */
static void find_scale(struct search *s)
{
    double most = 0;
    int power;

    s->scale = s->unit = 1;
    for (int64_t i = 0; i < s->r->n; i++)
        most = fmax(most, s->r->y2[i] + s->r->z2[i]);
    if (!(most > 0))
        return;
    frexp(sqrt(fmax(most, DBL_MIN)), &power);
    s->scale = ldexp(1, -power);
    s->unit = ldexp(1, 2 * power);
}

/* With corrected landmarks, r^2 = alpha d^2 + beta |y_i - y_j|^2 with weights that depend on the
 * number of landmarks among i and j; the margin of d^2 is subtracted from the weight of the
 * lengths. */
static void find_weights(struct search *s)
{
    const pen_relative *r = s->r;
    const size_t size = pen_size(s->type);

    for (int64_t i = 0; s->D && i < 2 * r->n; i++) {
        const int64_t own = i / r->n + (r->place[i % r->n] >= 0);
        const double beta = pen_relative_factor(r, own), alpha = 2 - (double)own * beta,
                     length_weight = alpha - s->z_margin * fabs(alpha);
        convert(s, &alpha, 1, 1, (char *)s->alpha + (size_t)i * size);
        convert(s, &beta, 1, 1, (char *)s->beta + (size_t)i * size);
        convert(s, &length_weight, 1, 1, (char *)s->length_weight + (size_t)i * size);
    }
    convert(s, r->y2, r->n, 1 / s->unit, s->y2);
    convert(s, r->z2, r->n, 1 / s->unit, s->z2);
}

/* Allocates scratch memory of the type of the products. */
static pen_status allocate(pen_run *run, const struct search *s, int64_t count, void *to)
{
    void *const memory = pen_scratch(run, count, pen_size(s->type));
    memcpy(to, &memory, sizeof memory);
    return memory ? PEN_OK : PEN_NO_MEMORY;
}

static pen_status prepare(pen_run *run, struct search *s)
{
    const pen_relative *r = s->r;
    const int workers = pen_workers(run, (r->n + ROWS - 1) / ROWS);

    s->type = PEN_F64; /* there is memory for either type */
    s->side = pen_min(r->n, r->y ? SIDE : FAR_SIDE);
    s->chunk = pen_min(r->m, CHUNK);
    find_scale(s);
    PEN_TRY(allocate(run, s, s->side * s->side, &s->P));
    PEN_TRY(allocate(run, s, s->side * s->chunk, &s->left));
    PEN_TRY(allocate(run, s, s->side * s->chunk, &s->right));
    PEN_TRY(allocate(run, s, r->n, &s->y2));
    PEN_TRY(allocate(run, s, r->n, &s->z2));
    if (r->landmarks) {
        PEN_TRY(allocate(run, s, s->side * s->side, &s->D));
        PEN_TRY(allocate(run, s, s->side * r->p, &s->left_z));
        PEN_TRY(allocate(run, s, s->side * r->p, &s->right_z));
        PEN_TRY(allocate(run, s, 2 * r->n, &s->alpha));
        PEN_TRY(allocate(run, s, 2 * r->n, &s->beta));
        PEN_TRY(allocate(run, s, 2 * r->n, &s->length_weight));
    }
    PEN_TRY(PEN_NEW(run, s->open, r->n));
    PEN_TRY(PEN_NEW(run, s->kept, pen_times(r->n, s->keep)));
    PEN_TRY(PEN_NEW(run, s->unproven, r->n));
    return pen_slices_new(run, workers, pen_times(2, r->m), sizeof(double), &s->buffers);
}

static void set_type(struct search *s, pen_dtype type)
{
    s->type = type;
    s->margin = margin_of(s, s->chunk + s->r->m / s->chunk);
    s->z_margin = margin_of(s, s->r->p);
    find_weights(s);
}

static pen_status search_all(pen_run *run, struct search *s, pen_dtype type)
{
    const int64_t n = s->r->n;

    set_type(s, type);
    PEN_TRY(search_blocks(run, s));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("relative neighbors, in order"), (n + ROWS - 1) / ROWS,
                         refine, s));
    s->opened = 0;
    for (int64_t i = 0; i < n; i++)
        if (s->unproven[i])
            s->open[s->opened++] = i;
    return PEN_OK;
}

pen_status pen_relative_nearest(pen_run *run, const pen_relative *r, int64_t k, pen_neighbor *found)
{
    struct search s = { .r = r, .k = k, .keep = pen_min(k + EXTRA, r->n - 1), .found = found };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(prepare(run, &s));
    PEN_TRY(search_all(run, &s, PEN_F32));
    if (s.opened > r->n / 2)
        PEN_TRY(search_all(run, &s, PEN_F64));
    set_type(&s, PEN_F64);
    PEN_TRY(search_unproven(run, &s));
    pen_release(run, mark);
    return PEN_OK;
}
