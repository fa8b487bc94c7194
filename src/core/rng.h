/* rng.h - random numbers: SplitMix64, the same draws on every machine.
 * Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014. */
#ifndef PEN_RNG_H
#define PEN_RNG_H

#include <stdint.h>

typedef struct pen_rng {
    uint64_t state; /* initially the seed */
} pen_rng;

/* The output function, which is one to one; the result looks random. */
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

/* The seed of an independent stream for the purpose `tag`; apply it repeatedly for several tags. */
uint64_t pen_rng_derive(uint64_t seed, uint64_t tag);

#endif
