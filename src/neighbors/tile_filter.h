/* tile_filter.h - which products of a row with others may matter: the filter of a search. */
#ifndef PEN_TILE_FILTER_H
#define PEN_TILE_FILTER_H

#include "core/array.h"

/* Products are looked at in groups of this number, at most PEN_PASSING_GROUPS groups at a time. */
enum { PEN_PASSING_GROUP = 32, PEN_PASSING_GROUPS = 64 };

/* The groups of `count` products ab [count] of which at least one passes,
 *
 *   ab - half_j + max(reach_j, own) >= limit,
 *
 * as a set of bits, the lowest for the first group. half, reach [count]; all in the type of the
 * products, double or float, to whose precision own and limit are rounded. The same bits on every
 * CPU. Cost: some instructions for as many products as a vector holds. */
uint64_t pen_tile_filter_groups(pen_dtype type, int64_t count, const void *ab, const void *half,
                                const void *reach, double own, double limit);

/* 1 if the product passes. */
static inline int passing_double(double ab, double half, double reach, double own, double limit)
{
    return ab - half + (reach > own ? reach : own) >= limit;
}

static inline int passing_single(float ab, float half, float reach, float own, float limit)
{
    return ab - half + (reach > own ? reach : own) >= limit;
}

#endif
