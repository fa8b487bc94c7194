/* rng.h - random numbers: SplitMix64, the same draws on every machine.
 * Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014. */
#ifndef PEN_RNG_H
#define PEN_RNG_H

#include "core/run.h"

#include <stdint.h>

typedef struct pen_rng {
    uint64_t state; /* initially the seed */
} pen_rng;

/* The output function, which is one to one: bits that look random from any others. */
static inline uint64_t pen_rng_mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

/* 64 random bits. */
uint64_t pen_rng_next(pen_rng *rng);

/* A uniform number in [0, 1), a multiple of 2^-53. */
double pen_rng_uniform(pen_rng *rng);

/* A uniform integer in 0 .. n - 1, 1 <= n < 2^53. Uses one draw. */
int64_t pen_rng_below(pen_rng *rng, int64_t n);

/* A random permutation of 0 .. n - 1 in order [n]. Uses n - 1 draws. */
void pen_rng_permutation(pen_rng *rng, int64_t n, int64_t *order);

/* The seed of an independent stream for the purpose named by `tag`; apply it repeatedly for several
 * tags. */
uint64_t pen_rng_derive(uint64_t seed, uint64_t tag);

/* ---- random sampling without replacement, the same on every machine ---- */

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
