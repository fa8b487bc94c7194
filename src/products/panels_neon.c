/* panels_neon.c - panels of 64-bit Arm: 16 sums of a vector each. */
#if defined(__aarch64__)
#include "products/panels.h"

#include <arm_neon.h>

enum { HIGH = 8, FLOATS = 4, DOUBLES = 2 };

static void multiply_f32(int64_t depth, const void *left, const void *right, void *sums)
{
    const float *a = left, *b = right;
    float32x4_t sum[HIGH][2];

#pragma GCC unroll 8
    for (int i = 0; i < HIGH; i++)
        sum[i][0] = sum[i][1] = vdupq_n_f32(0);
    for (int64_t k = 0; k < depth; k++, a += HIGH, b += 2 * FLOATS) {
        const float32x4_t b0 = vld1q_f32(b), b1 = vld1q_f32(b + FLOATS);
#pragma GCC unroll 8
        for (int i = 0; i < HIGH; i++) {
            sum[i][0] = vfmaq_n_f32(sum[i][0], b0, a[i]);
            sum[i][1] = vfmaq_n_f32(sum[i][1], b1, a[i]);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < HIGH; i++) {
        vst1q_f32((float *)sums + 2 * i * FLOATS, sum[i][0]);
        vst1q_f32((float *)sums + (2 * i + 1) * FLOATS, sum[i][1]);
    }
}

static void multiply_f64(int64_t depth, const void *left, const void *right, void *sums)
{
    const double *a = left, *b = right;
    float64x2_t sum[HIGH][2];

#pragma GCC unroll 8
    for (int i = 0; i < HIGH; i++)
        sum[i][0] = sum[i][1] = vdupq_n_f64(0);
    for (int64_t k = 0; k < depth; k++, a += HIGH, b += 2 * DOUBLES) {
        const float64x2_t b0 = vld1q_f64(b), b1 = vld1q_f64(b + DOUBLES);
#pragma GCC unroll 8
        for (int i = 0; i < HIGH; i++) {
            sum[i][0] = vfmaq_n_f64(sum[i][0], b0, a[i]);
            sum[i][1] = vfmaq_n_f64(sum[i][1], b1, a[i]);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < HIGH; i++) {
        vst1q_f64((double *)sums + 2 * i * DOUBLES, sum[i][0]);
        vst1q_f64((double *)sums + (2 * i + 1) * DOUBLES, sum[i][1]);
    }
}

PEN_PANELS_ADD(add_f32, float, 2 * FLOATS, )
PEN_PANELS_ADD(add_f64, double, 2 * DOUBLES, )

const pen_panels pen_panels_neon[2] = {
    { PEN_ISA_NEON, HIGH, 2 * FLOATS, multiply_f32, add_f32 },
    { PEN_ISA_NEON, HIGH, 2 * DOUBLES, multiply_f64, add_f64 },
};

#else
typedef int no_neon_panels; /* a file must not be empty */
#endif
