/* tile_walk.h - visits the pairs of two blocks of codes that a filter lets pass, tile by tile. */
#ifndef PEN_TILE_WALK_H
#define PEN_TILE_WALK_H

#include "core/parallel.h"
#include "products/tiles.h"

/* Codes of some rows. The last two panels are whole; rows beyond `count` are unused. */
typedef struct pen_tile_side {
    const int8_t *panels;
    int64_t count;
} pen_tile_side;

/* Finds pairs that matter in the tile of rows i and j, like the filters of tiles.h. */
typedef int pen_tile_filter_fn(const void *context, int64_t i, int64_t j, const int32_t *products,
                               uint32_t *passing);
/* Receives a pair that matters. The results are added up. */
typedef int64_t pen_tile_meet_fn(const void *context, int64_t i, int64_t j, int32_t product,
                                 int worker);

enum {
    PEN_FEWEST_BLOCKS = 64, /* if there are enough rows: enough for the threads */
    PEN_MOST_BLOCK_ROWS = 2048,
};

/* The rows of a block: whole tiles, of about `most` rows or fewer. */
static inline int64_t pen_tile_walk_rows(int64_t most)
{
    return pen_max(PEN_SIDE, pen_min(PEN_MOST_BLOCK_ROWS, most) / PEN_SIDE * PEN_SIDE);
}

typedef struct pen_tile_walk {
    pen_run *run;
    const pen_tiles *tiles;
    int64_t depth, block; /* codes of a row; rows of a block on the left, a multiple of 32 */
    pen_tile_side left, right;
    const void *context;
    pen_tile_filter_fn *filter;
    pen_tile_meet_fn *meet;
    pen_slices memory;
} pen_tile_walk;

/* Sets `memory` for the workers, for all blocks on the left. */
pen_status pen_tile_walk_open(pen_run *run, pen_tile_walk *walk);

/* Visits all pairs i < j of rows on the left and on the right. *done: 0 if it gave up, because the
 * results so far exceed `always` plus `share` of the pairs so far. */
pen_status pen_tile_walk_all(pen_run *run, const pen_tile_walk *walk, double share, double always,
                             int *done);

/* Visits rows first .. end - 1 on the left, in one block, with rows from .. to - 1 on the right.
 * once: these are the same rows, and it visits only pairs i < j. Ends early if the caller stops
 * the call. */
int64_t pen_tile_walk_blocks(const pen_tile_walk *walk, int64_t first, int64_t end, int64_t from,
                             int64_t to, int once, int worker);

#endif
