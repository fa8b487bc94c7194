/* tile_filter.c - one loop for each type, compiled for each width of vectors. Nothing is fused
 * (-ffp-contract=off), so all give the same bits. */
#include "neighbors/tile_filter.h"

#include "core/isa.h"

typedef uint64_t passing_fn(int64_t, const void *, const void *, const void *, double, double);

#define DEFINE(name, type, passes, target)                                                         \
    target static uint64_t name(int64_t count, const void *ab_, const void *half_,                 \
                                const void *reach_, double own_, double limit_)                    \
    {                                                                                              \
        const type *restrict ab = ab_, *restrict half = half_, *restrict reach = reach_,           \
                             own = (type)own_, limit = (type)limit_;                               \
        uint64_t groups = 0;                                                                       \
        int64_t j = 0;                                                                             \
        for (; j + PEN_PASSING_GROUP <= count; j += PEN_PASSING_GROUP) {                           \
            int any = 0;                                                                           \
            for (int64_t l = j; l < j + PEN_PASSING_GROUP; l++)                                    \
                any |= passes(ab[l], half[l], reach[l], own, limit);                               \
            groups |= (uint64_t)any << (j / PEN_PASSING_GROUP);                                    \
        }                                                                                          \
        for (int64_t l = j; l < count; l++)                                                        \
            groups |= (uint64_t)passes(ab[l], half[l], reach[l], own, limit)                       \
                      << (j / PEN_PASSING_GROUP);                                                  \
        return groups;                                                                             \
    }

#define DEFINE_ALL(suffix, target)                                                                 \
    DEFINE(doubles_##suffix, double, passing_double, target)                                       \
    DEFINE(floats_##suffix, float, passing_single, target)                                         \
    static passing_fn *const suffix[] = {                                                          \
        [PEN_F64] = doubles_##suffix, [PEN_F32] = floats_##suffix                                  \
    };

DEFINE_ALL(plain, )
#if defined(__x86_64__)
DEFINE_ALL(avx2, __attribute__((target("avx2"))))
DEFINE_ALL(avx512, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))))
#endif

uint64_t pen_tile_filter_groups(pen_dtype type, int64_t count, const void *ab, const void *half,
                                const void *reach, double own, double limit)
{
#if defined(__x86_64__)
    const pen_isa isa = pen_isa_now();
    if (isa >= PEN_ISA_AVX512)
        return avx512[type](count, ab, half, reach, own, limit);
    if (isa >= PEN_ISA_AVX2)
        return avx2[type](count, ab, half, reach, own, limit);
#endif
    return plain[type](count, ab, half, reach, own, limit);
}
