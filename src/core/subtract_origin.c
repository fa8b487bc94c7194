/* subtract_origin.c - one loop for each pair of types, compiled for each width of vectors. A
 * difference is rounded once, whatever the width. */
#include "core/subtract_origin.h"

#include "core/isa.h"

/* Functions for each type of values. */
struct shifts {
    void (*to_double[3])(const void *, const double *, int64_t, double *);
    void (*to_single[3])(const void *, const float *, int64_t, float *);
};

#define DEFINE(name, type, wide, target)                                                           \
    target static void name(const void *values_, const wide *restrict origin, int64_t count,       \
                            wide *restrict to)                                                     \
    {                                                                                              \
        const type *restrict values = values_;                                                     \
        for (int64_t j = 0; j < count; j++)                                                        \
            to[j] = (wide)values[j] - origin[j];                                                   \
    }

#define DEFINE_ALL(suffix, target)                                                                 \
    DEFINE(doubles_##suffix, double, double, target)                                               \
    DEFINE(floats_##suffix, float, double, target)                                                 \
    DEFINE(bytes_##suffix, unsigned char, double, target)                                          \
    DEFINE(single_floats_##suffix, float, float, target)                                           \
    DEFINE(single_bytes_##suffix, unsigned char, float, target)                                    \
    static const struct shifts suffix = {                                                          \
        { [PEN_F64] = doubles_##suffix, [PEN_F32] = floats_##suffix, [PEN_U8] = bytes_##suffix },  \
        { [PEN_F32] = single_floats_##suffix, [PEN_U8] = single_bytes_##suffix }                   \
    };

DEFINE_ALL(plain, )
#if defined(__x86_64__)
DEFINE_ALL(avx2, __attribute__((target("avx2"))))
DEFINE_ALL(avx512, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))))
#endif

static const struct shifts *shifts_now(void)
{
#if defined(__x86_64__)
    const pen_isa isa = pen_isa_now();
    if (isa >= PEN_ISA_AVX2)
        return isa >= PEN_ISA_AVX512 ? &avx512 : &avx2;
#endif
    return &plain;
}

void pen_shift_double(pen_dtype type, const void *values, const double *origin, int64_t count,
                      double *to)
{
    shifts_now()->to_double[type](values, origin, count, to);
}

void pen_shift_single(pen_dtype type, const void *values, const float *origin, int64_t count,
                      float *to)
{
    shifts_now()->to_single[type](values, origin, count, to);
}
