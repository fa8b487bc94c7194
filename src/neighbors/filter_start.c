/* filter_start.c - bounds the k-th distances before the search: by distances to a few rows that are
 * nearest by their codes, in the block of a row and in adjacent ones. */
#include "neighbors/filter.h"
#include "core/sort.h"
#include "neighbors/heap.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    NEXT = 1, /* adjacent blocks on either side */
    MORE = 2, /* rows beyond the number of neighbors */
};

struct start {
    const pen_filter_table *t;
    int64_t k, few;
    double *bound2;      /* [n] by place */
    const int32_t *none; /* [PEN_SIDE] -1 */
    pen_tile_walk walk;
    pen_slices keys;      /* [block x few] code distance * 2^32 + position, the largest first */
    pen_slices distance2; /* [few] */
};

static int filter(const void *context, int64_t i, int64_t j, const int32_t *products,
                  uint32_t *passing)
{
    const struct start *s = context;
    const pen_whole_filter f = { s->t->length2 + i, s->t->reach + i, s->t->base + j, s->none };

    return s->walk.tiles->whole(&f, products, passing);
}

static int64_t keep_nearest(const void *context, int64_t i, int64_t j, int32_t product, int worker)
{
    const struct start *s = context;
    const pen_filter_table *const t = s->t;
    uint64_t *const keys = (uint64_t *)pen_slice(&s->keys, worker) + i % t->block * s->few;
    const uint64_t key = (uint64_t)(t->length2[i] + t->base[j] - 2 * product) << 32 | (uint64_t)j;

    if (i != j && key < keys[0]) {
        pen_key_replace(keys, s->few, key);
        t->reach[i] = keys[0] == UINT64_MAX ? INT32_MAX : (int32_t)(keys[0] >> 32);
    }
    return 0;
}

/* An upper bound of the squared distance of two rows. */
static double distance2_above(const pen_filter_table *t, int64_t i, int64_t j)
{
    const double copies2 = pen_filter_copies_distance2(t, i, j),
                 copies = sqrt(copies2) * (1 + (double)t->stride * FLT_EPSILON),
                 distance = (copies + t->blur[i] + t->blur[j]) / t->rows->coding->unit;

    return t->bytes ? copies2
                    : distance * distance * (1 + PEN_DISTANCE_ROUNDING) + PEN_FILTER_UNDERFLOW;
}

/* The k-th smallest of the distances to the few rows. */
static double kth_distance2(const struct start *s, int64_t i, const uint64_t *keys,
                            double *distance2)
{
    for (int64_t e = 0; e < s->few; e++)
        distance2[e] = keys[e] == UINT64_MAX ? (double)INFINITY
                                             : distance2_above(s->t, i, (int64_t)(uint32_t)keys[e]);
    return pen_select_kth(distance2, s->few, s->k - 1);
}

static void start_block(void *context, int64_t block, int worker)
{
    const struct start *s = context;
    const pen_filter_table *const t = s->t;
    const int64_t first = block * t->block, end = pen_min(first + t->block, t->n);
    uint64_t *const keys = pen_slice(&s->keys, worker);

    memset(keys, -1, (size_t)(t->block * s->few) * sizeof *keys);
    for (int64_t i = first; i < end; i++)
        t->reach[i] = INT32_MAX;
    pen_tile_walk_blocks(&s->walk, first, first + t->block, pen_max(0, first - NEXT * t->block),
                         first + (NEXT + 1) * t->block, 0, worker);
    for (int64_t i = first; i < end; i++) {
        double *const bound2 = s->bound2 + t->place[i];
        *bound2 = fmin(*bound2, kth_distance2(s, i, keys + (i - first) * s->few,
                                              pen_slice(&s->distance2, worker)));
    }
}

pen_status pen_filter_start(pen_run *run, const pen_filter_table *t, int64_t k, double *bound2)
{
    const int workers = pen_workers(run, t->blocks);
    struct start s = { .t = t, .k = k, .few = k + MORE, .bound2 = bound2 };
    int32_t none[PEN_SIDE];

    memset(none, -1, sizeof none);
    s.none = none;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, workers, pen_times(t->block, s.few), sizeof(uint64_t), &s.keys));
    PEN_TRY(pen_slices_new(run, workers, s.few, sizeof(double), &s.distance2));
    PEN_TRY(pen_filter_walk(run, t, &s, filter, keep_nearest, &s.walk));
    PEN_TRY(pen_parallel(run, PEN_SILENT, t->blocks, start_block, &s));
    pen_release(run, mark);
    return PEN_OK;
}
