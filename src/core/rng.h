/* rng.h - random numbers: SplitMix64, the same draws on every machine.
 * Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014. */
#ifndef PEN_RNG_H
#define PEN_RNG_H

#include <stdint.h>

typedef struct pen_rng {
    uint64_t state; /* to begin with: the seed */
} pen_rng;

/* 64 random bits. */
uint64_t pen_rng_next(pen_rng *rng);

/* A number in [0, 1), a multiple of 2^-53. */
double pen_rng_uniform(pen_rng *rng);

/* A whole number in 0 .. n - 1, 1 <= n < 2^53; one draw. */
int64_t pen_rng_below(pen_rng *rng, int64_t n);

/* A random order of 0 .. n - 1 into order [n]; n - 1 draws. */
void pen_rng_permutation(pen_rng *rng, int64_t n, int64_t *order);

/* The seed of an independent stream for a purpose named by `tag`; chain it for several tags. */
uint64_t pen_rng_derive(uint64_t seed, uint64_t tag);

#endif
