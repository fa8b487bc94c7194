/* filter_start.c - bounds of the k-th distances before the search: the distances to the few rows
 * that are the nearest by their codes, in the block of a row and in those beside it. */
#include "core/parallel.h"
#include "neighbors/filter.h"
#include "neighbors/heap.h"
#include "neighbors/select_kth.h"

#include <math.h>
#include <string.h>

enum {
    BESIDE = 1, /* blocks on either side */
    MORE = 2,   /* rows than neighbors */
};

struct start {
    pen_run *run;
    const pen_filter_table *t;
    int64_t k, few;
    double *bound2;    /* [n] by place */
    pen_slices memory; /* see buffers */
};

struct buffers {
    double *distance2; /* [few] */
    uint64_t *keys;    /* [PEN_SIDE x few] code distance * 2^32 + position, the largest first */
    int8_t *left;      /* [PEN_SIDE x depth] */
    int32_t *products;
    uint32_t *passing;
};

static int64_t bytes_of_buffers(const struct start *s)
{
    return pen_plus(pen_times((PEN_SIDE + 1) * s->few + PEN_SIDE, (int64_t)sizeof(uint64_t)),
                    PEN_SIDE * s->t->depth + PEN_AREA * (int64_t)sizeof(int32_t)
                        + PEN_SIDE * (int64_t)sizeof(uint32_t));
}

static struct buffers buffers_of(const struct start *s, int worker)
{
    struct buffers b = { .left = pen_slice(&s->memory, worker) };

    b.products = (int32_t *)(void *)(b.left + PEN_SIDE * s->t->depth);
    b.passing = (uint32_t *)(b.products + PEN_AREA);
    b.keys = (uint64_t *)(void *)(b.passing + PEN_SIDE);
    b.distance2 = (double *)(void *)(b.keys + PEN_SIDE * s->few);
    return b;
}

/* The rows of tile j that may be among the few nearest of row i. */
static void keep_nearest(const struct start *s, int64_t i, int64_t j, uint32_t bits,
                         const int32_t *products, uint64_t *keys)
{
    const pen_filter_table *const t = s->t;

    for (; bits; bits &= bits - 1) {
        const int64_t c = __builtin_ctz(bits);
        const int32_t distance2 = t->length2[i] + t->base[j + c] - 2 * products[c];
        const uint64_t key = (uint64_t)distance2 << 32 | (uint64_t)(j + c);
        if (j + c < t->n && j + c != i && key < keys[0])
            pen_key_replace(keys, s->few, key);
    }
}

/* The nearest rows in positions from .. to - 1, for a tile of rows. */
static void find_nearest(const struct start *s, int64_t i, int64_t from, int64_t to,
                         const struct buffers *b)
{
    const pen_filter_table *const t = s->t;
    const int8_t *const left = t->tiles->left ? b->left : t->panels + i * t->depth;
    const int64_t high = pen_min(PEN_SIDE, t->n - i);
    int32_t reach[PEN_SIDE], none[PEN_SIDE];

    memset(b->keys, -1, (size_t)(PEN_SIDE * s->few) * sizeof *b->keys);
    memset(none, -1, sizeof none);
    for (int r = 0; r < PEN_SIDE; r++)
        reach[r] = r < high ? INT32_MAX : -1;
    if (t->tiles->left)
        t->tiles->left(t->depth, t->panels + i * t->depth, b->left);
    for (int64_t j = from; j < to; j += PEN_SIDE) {
        const pen_whole_filter f = { t->length2 + i, reach, t->base + j, none };
        t->tiles->multiply(t->depth, left, t->panels + j * t->depth, b->products);
        if (!t->tiles->whole(&f, b->products, b->passing))
            continue;
        for (int64_t r = 0; r < high; r++) {
            uint64_t *const keys = b->keys + r * s->few;
            keep_nearest(s, i + r, j, b->passing[r], b->products + r * PEN_SIDE, keys);
            reach[r] = keys[0] == UINT64_MAX ? INT32_MAX : (int32_t)(keys[0] >> 32);
        }
    }
}

/* The k-th of the distances to the few rows. */
static double kth_distance2(const struct start *s, int64_t i, const uint64_t *keys,
                            double *distance2)
{
    for (int64_t e = 0; e < s->few; e++)
        distance2[e] = keys[e] == UINT64_MAX
                           ? (double)INFINITY
                           : pen_filter_above(s->t, i, (int64_t)(uint32_t)keys[e]);
    return pen_select_kth(distance2, s->few, s->k - 1);
}

static void start_block(void *context, int64_t block, int worker)
{
    const struct start *s = context;
    const pen_filter_table *const t = s->t;
    const struct buffers b = buffers_of(s, worker);
    const int64_t first = pen_max(0, block - BESIDE) * t->block,
                  last = pen_min((block + BESIDE + 1) * t->block, t->padded),
                  end = pen_min((block + 1) * t->block, t->padded);

    for (int64_t i = block * t->block; i < end && !pen_stopped(s->run, worker); i += PEN_SIDE) {
        if (t->tiles->open)
            t->tiles->open();
        find_nearest(s, i, first, last, &b);
        if (t->tiles->close)
            t->tiles->close();
        for (int64_t r = i; r < pen_min(t->n, i + PEN_SIDE); r++) {
            double *const bound2 = s->bound2 + t->place[r];
            *bound2 = fmin(*bound2, kth_distance2(s, r, b.keys + (r - i) * s->few, b.distance2));
        }
    }
}

pen_status pen_filter_start(pen_run *run, const pen_filter_table *t, int64_t k, double *bound2)
{
    struct start s = { .run = run, .t = t, .k = k, .few = k + MORE, .bound2 = bound2 };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, t->blocks), bytes_of_buffers(&s), 1, &s.memory));
    PEN_TRY(pen_parallel(run, PEN_SILENT, t->blocks, start_block, &s));
    pen_release(run, mark);
    return PEN_OK;
}
