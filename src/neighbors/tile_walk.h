/* tile_walk.h - the pairs of two blocks of codes that a filter lets pass, tile by tile. */
#ifndef PEN_TILE_WALK_H
#define PEN_TILE_WALK_H

#include "core/parallel.h"
#include "products/tiles.h"

/* Codes of some rows. The last two panels are whole; their rows beyond `count` are nothing. */
typedef struct pen_tile_side {
    const int8_t *panels;
    int64_t count;
} pen_tile_side;

/* Which pairs of the tile of rows i and j matter, as the filters of tiles.h. */
typedef int pen_tile_filter_fn(const void *context, int64_t i, int64_t j, const int32_t *products,
                               uint32_t *passing);
/* A pair that matters. What is returned is added up. */
typedef int64_t pen_tile_meet_fn(const void *context, int64_t i, int64_t j, int32_t product,
                                 int worker);

enum {
    PEN_FEWEST_BLOCKS = 64, /* if there are enough rows, so that many threads have work */
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

/* Sets `memory`, for the workers that there are for all blocks on the left. */
pen_status pen_tile_walk_open(pen_run *run, pen_tile_walk *walk);

/* All pairs i < j of rows that are on the left and on the right. *done: 0 if it gave up, because
 * what was met adds up to more than `share` of the pairs so far, and `always`. */
pen_status pen_tile_walk_all(pen_run *run, const pen_tile_walk *walk, double share, double always,
                             int *done);

/* Rows first .. end - 1 on the left, of one block, with rows from .. to - 1 on the right; once:
 * these are the same rows, and only pairs i < j are met. Ends early if the caller stops the call.
 */
int64_t pen_tile_walk_blocks(const pen_tile_walk *walk, int64_t first, int64_t end, int64_t from,
                             int64_t to, int once, int worker);

#endif
