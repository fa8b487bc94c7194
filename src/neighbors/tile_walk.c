/* tile_walk.c - computes tiles of products, and filters them while they are in cache. */
#include "neighbors/tile_walk.h"

static int64_t blocks_of(const pen_tile_walk *w)
{
    return (w->left.count + w->block - 1) / w->block;
}

pen_status pen_tile_walk_open(pen_run *run, pen_tile_walk *walk)
{
    const int64_t bytes =
        pen_plus(pen_times(walk->block, walk->depth),
                 (int64_t)sizeof(int32_t) * PEN_AREA + (int64_t)sizeof(uint32_t) * PEN_SIDE);

    return pen_slices_new(run, pen_workers(run, blocks_of(walk)), bytes, 1, &walk->memory);
}

/* Returns the sum of the results for passing pairs. */
static int64_t meet_passing(const pen_tile_walk *w, int64_t i, int64_t j, int diagonal,
                            const int32_t *products, const uint32_t *passing, int worker)
{
    const int64_t high = pen_min(PEN_SIDE, w->left.count - i),
                  wide = pen_min(PEN_SIDE, w->right.count - j);
    const uint32_t present = wide == PEN_SIDE ? UINT32_MAX : (1U << wide) - 1;
    int64_t sum = 0;

    for (int64_t r = 0; r < high; r++) {
        /* in a tile on the diagonal, only the part above it */
        uint32_t bits = passing[r] & present & (diagonal ? UINT32_MAX << r << 1 : UINT32_MAX);
        for (; bits; bits &= bits - 1) {
            const int64_t c = __builtin_ctz(bits);
            sum += w->meet(w->context, i + r, j + c, products[r * PEN_SIDE + c], worker);
        }
    }
    return sum;
}

int64_t pen_tile_walk_blocks(const pen_tile_walk *w, int64_t first, int64_t end, int64_t from,
                             int64_t to, int once, int worker)
{
    const pen_tiles *const tiles = w->tiles;
    const int64_t depth = w->depth, high = pen_min(end, w->left.count),
                  wide = pen_min(to, w->right.count);
    int32_t *const products = pen_slice(&w->memory, worker);
    uint32_t *const passing = (uint32_t *)(products + PEN_AREA);
    int8_t *const copy = (int8_t *)(passing + PEN_SIDE);
    const int8_t *const left = tiles->left ? copy : w->left.panels + first * depth;
    int64_t sum = 0;

    for (int64_t i = first; tiles->left && i < high; i += PEN_SIDE)
        tiles->left(depth, w->left.panels + i * depth, copy + (i - first) * depth);
    for (int64_t j = from; j < wide && !pen_stopped(w->run, worker); j += PEN_SIDE) {
        /* only after asking the caller whether to go on, who may use the same registers */
        if (tiles->open)
            tiles->open();
        for (int64_t i = first; i < (once ? j + PEN_SIDE : high); i += PEN_SIDE) {
            tiles->multiply(depth, left + (i - first) * depth, w->right.panels + j * depth,
                            products);
            if (w->filter(w->context, i, j, products, passing))
                sum += meet_passing(w, i, j, once && i == j, products, passing, worker);
        }
        if (tiles->close)
            tiles->close();
    }
    return sum;
}

/* A round of a tournament: no block is in two of its tasks. In round -1 each block meets itself. */
struct round {
    const pen_tile_walk *walk;
    int64_t blocks, round;
    int64_t *sums; /* [blocks] by task */
};

/* The circle method: the last block, or a dummy if their number is odd, is fixed, and meets the
 * head of the circle; the remaining blocks meet their opposites. */
static void find_pair(int64_t blocks, int64_t round, int64_t task, int64_t *p, int64_t *q)
{
    const int64_t circle = (blocks + 1) / 2 * 2 - 1;

    *p = *q = task;
    if (round < 0)
        return;
    task += blocks % 2; /* the head would meet the dummy */
    *p = (round + task) % circle;
    *q = task == 0 ? circle : (round - task + circle) % circle;
}

static void meet_blocks(void *context, int64_t task, int worker)
{
    const struct round *s = context;
    const int64_t block = s->walk->block;
    int64_t p, q;

    find_pair(s->blocks, s->round, task, &p, &q);
    s->sums[task] = pen_tile_walk_blocks(s->walk, p * block, (p + 1) * block, q * block,
                                         (q + 1) * block, p == q, worker);
}

pen_status pen_tile_walk_all(pen_run *run, const pen_tile_walk *walk, double share, double always,
                             int *done)
{
    const int64_t blocks = blocks_of(walk), rounds = blocks > 1 ? (blocks + 1) / 2 * 2 - 1 : 0,
                  each = blocks / 2, total = blocks + rounds * each;
    const double area = (double)walk->block * (double)walk->block;
    struct round s = { .walk = walk, .blocks = blocks, .round = -1 };
    double pairs = 0, sum = 0;

    *done = 1;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, s.sums, blocks));
    for (; *done && s.round < rounds; s.round++) {
        const int64_t tasks = s.round < 0 ? blocks : each,
                      before = s.round < 0 ? 0 : blocks + s.round * each;
        PEN_TRY(pen_parallel(run, PEN_PART("nearest neighbors", before, before + tasks, total),
                             tasks, meet_blocks, &s));
        for (int64_t t = 0; t < tasks; t++)
            sum += (double)s.sums[t];
        pairs += (double)tasks * area * (s.round < 0 ? 0.5 : 1);
        *done = sum <= share * pairs + always;
    }
    pen_release(run, mark);
    return PEN_OK;
}
