/* draw.h - random draws without replacement, the same on every machine. */
#ifndef PEN_DRAW_H
#define PEN_DRAW_H

#include "core/rng.h"
#include "core/run.h"

/* A set of different numbers out of 0 .. total - 1. Fewer than half are drawn one after the other,
 * and a number that is there already is drawn again; more than half leave out so many that are
 * drawn in that way. */
typedef struct pen_draw {
    int64_t total, count;
    uint64_t *list; /* [listed] ascending; or NULL: bits */
    int64_t listed;
    uint64_t *bits; /* [total] */
    int left_out;   /* what is listed, or a bit, is out of the set, and not in it */
} pen_draw;

/* Draw `count` <= total < 2^53 numbers. Memory: total / 8 bytes, or up to 40 for each number drawn
 * where that is less. */
pen_status pen_draw_open(pen_run *run, pen_rng *rng, int64_t total, int64_t count, pen_draw *out);

/* Walk through the set in ascending order: `place` begins at 0, { 0 }. Returns -1 behind the
 * last. */
typedef struct pen_draw_place {
    int64_t next, at;
} pen_draw_place;
int64_t pen_draw_next(const pen_draw *draw, pen_draw_place *place);

#endif
