/* rng.c - SplitMix64 and samples drawn from it. */
#include "core/rng.h"

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

uint64_t pen_rng_next(pen_rng *rng)
{
    return pen_rng_mix(rng->state += GOLDEN);
}

double pen_rng_uniform(pen_rng *rng)
{
    return (double)(pen_rng_next(rng) >> 11) * 0x1p-53;
}

int64_t pen_rng_below(pen_rng *rng, int64_t n)
{
    const int64_t draw = (int64_t)(pen_rng_uniform(rng) * (double)n);
    return draw < n ? draw : n - 1; /* the product may round up to n */
}

void pen_rng_permutation(pen_rng *rng, int64_t n, int64_t *order)
{
    for (int64_t i = 0; i < n; i++)
        order[i] = i;
    for (int64_t i = n - 1; i >= 1; i--) {
        const int64_t j = pen_rng_below(rng, i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

uint64_t pen_rng_derive(uint64_t seed, uint64_t tag)
{
    pen_rng rng = { seed ^ ((tag + 1) * GOLDEN) };
    return pen_rng_next(&rng);
}
