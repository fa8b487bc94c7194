/* squared_distance.c - one loop for each type, compiled for each width of vectors. Nothing is fused
 * (-ffp-contract=off) and the lanes are fixed, so all versions give the same bits. */
#include "core/squared_distance.h"

#include "core/isa.h"

enum { LANES = 8, FLOATS = 64 };

typedef double difference2_fn(const void *, const void *, const double *, int64_t);

static inline __attribute__((always_inline)) double add_up(const double *lanes, double rest)
{
    for (int l = 0; l < LANES; l++)
        rest += lanes[l];
    return rest;
}

#define DEFINE(name, type, target)                                                                 \
    target static double name(const void *p, const void *q, const double *scale, int64_t count)    \
    {                                                                                              \
        const type *restrict a = p, *restrict b = q;                                               \
        double sum[LANES] = { 0 }, rest = 0, t;                                                    \
        int64_t j = 0;                                                                             \
        if (scale) {                                                                               \
            for (; j + LANES <= count; j += LANES)                                                 \
                for (int64_t l = 0; l < LANES; l++) {                                              \
                    t = ((double)a[j + l] - (double)b[j + l]) * scale[j + l];                      \
                    sum[l] += t * t;                                                               \
                }                                                                                  \
        } else {                                                                                   \
            for (; j + LANES <= count; j += LANES)                                                 \
                for (int64_t l = 0; l < LANES; l++) {                                              \
                    t = (double)a[j + l] - (double)b[j + l];                                       \
                    sum[l] += t * t;                                                               \
                }                                                                                  \
        }                                                                                          \
        for (; j < count; j++) {                                                                   \
            t = (double)a[j] - (double)b[j];                                                       \
            t = scale ? t * scale[j] : t;                                                          \
            rest += t * t;                                                                         \
        }                                                                                          \
        return add_up(sum, rest);                                                                  \
    }

/* Compilers turn the loops below into dot products of bytes and vector operations of floats. */
#define DEFINE_FAST(suffix, target)                                                                \
    target static int32_t product_##suffix(const uint8_t *a, const uint8_t *b, int64_t count)      \
    {                                                                                              \
        int32_t sum = 0;                                                                           \
        for (int64_t j = 0; j < count; j++)                                                        \
            sum += a[j] * (int8_t)(b[j] ^ 128);                                                    \
        return sum;                                                                                \
    }                                                                                              \
    target static float single_##suffix(const float *a, const float *b, int64_t count)             \
    {                                                                                              \
        float lanes[FLOATS] = { 0 };                                                               \
        for (int64_t j = 0; j < count; j += FLOATS)                                                \
            for (int64_t l = 0; l < FLOATS; l++)                                                   \
                lanes[l] += (a[j + l] - b[j + l]) * (a[j + l] - b[j + l]);                         \
        for (int l = 0; l < FLOATS / 4; l++)                                                       \
            lanes[l] += lanes[l + FLOATS / 4] + lanes[l + FLOATS / 2] + lanes[l + 3 * FLOATS / 4]; \
        for (int l = 0; l < 4; l++)                                                                \
            lanes[l] += lanes[l + 4] + lanes[l + 8] + lanes[l + 12];                               \
        return lanes[0] + lanes[1] + (lanes[2] + lanes[3]);                                        \
    }

#define DEFINE_ALL(suffix, target)                                                                 \
    DEFINE_FAST(suffix, target)                                                                    \
    DEFINE(doubles_##suffix, double, target)                                                       \
    DEFINE(floats_##suffix, float, target)                                                         \
    DEFINE(bytes_##suffix, unsigned char, target)                                                  \
    static difference2_fn *const suffix[] = {                                                      \
        [PEN_F64] = doubles_##suffix, [PEN_F32] = floats_##suffix, [PEN_U8] = bytes_##suffix       \
    };

DEFINE_ALL(plain, )
#if defined(__x86_64__)
DEFINE_FAST(avx_vnni, __attribute__((target("avx2,avxvnni"))))
DEFINE_FAST(avx512_vnni, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,avx512vnni"))))
DEFINE_ALL(avx2, __attribute__((target("avx2"))))
DEFINE_ALL(avx512, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))))
#endif

double pen_difference2(pen_dtype type, const void *a, const void *b, const double *scale,
                       int64_t count)
{
#if defined(__x86_64__)
    const pen_isa isa = pen_isa_now();
    if (isa >= PEN_ISA_AVX512)
        return avx512[type](a, b, scale, count);
    if (isa >= PEN_ISA_AVX2)
        return avx2[type](a, b, scale, count);
#endif
    return plain[type](a, b, scale, count);
}

#define FAST(suffix) ((pen_fast_fns){ product_##suffix, single_##suffix })

pen_fast_fns pen_fast(void)
{
#if defined(__x86_64__)
    const pen_isa isa = pen_isa_now();
    if (isa >= PEN_ISA_AVX2)
        return isa >= PEN_ISA_AVX512_VNNI ? FAST(avx512_vnni)
               : isa >= PEN_ISA_AVX512    ? FAST(avx512)
               : isa >= PEN_ISA_AVX_VNNI  ? FAST(avx_vnni)
                                          : FAST(avx2);
#endif
    return FAST(plain);
}
