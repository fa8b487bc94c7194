/* random_subset.h - random sampling without replacement, the same on every machine. */
#ifndef PEN_RANDOM_SUBSET_H
#define PEN_RANDOM_SUBSET_H

#include "core/rng.h"
#include "core/run.h"

/* A set of distinct numbers in 0 .. total - 1. Up to half of them are sampled one by one,
 * duplicates redrawn. For more than half, the numbers left out are sampled instead. */
typedef struct pen_draw {
    int64_t total, count;
    uint64_t *list; /* [listed] ascending; NULL if `bits` is used */
    int64_t listed;
    uint64_t *bits; /* [total] */
    int complement; /* 1: the list or the bits hold the complement of the set */
} pen_draw;

/* Draws `count` <= total < 2^53 numbers. Memory: total / 8 bytes, or up to 40 bytes for each
 * sampled number, whichever is less. */
pen_status pen_draw_open(pen_run *run, pen_rng *rng, int64_t total, int64_t count, pen_draw *out);

/* Iterates over the set in ascending order, starting from a cursor of { 0 }. Returns -1 after the
 * last number. */
typedef struct pen_draw_cursor {
    int64_t next, at;
} pen_draw_cursor;
int64_t pen_draw_next(const pen_draw *draw, pen_draw_cursor *cursor);

#endif
