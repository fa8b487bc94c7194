/* transpose.c - uses registers that every CPU of the architecture has: loads and stores of single
 * numbers would take a fifth of the time of a product. */
#include "products/transpose.h"

#if defined(__SSE2__)
#include <immintrin.h>

/* Four elements of four rows. */
static void turn_16(const float *from, int64_t stride, float *to, int64_t wide)
{
    __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + stride),
           c = _mm_loadu_ps(from + 2 * stride), d = _mm_loadu_ps(from + 3 * stride);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(to, a);
    _mm_storeu_ps(to + wide, b);
    _mm_storeu_ps(to + 2 * wide, c);
    _mm_storeu_ps(to + 3 * wide, d);
}

/* Two elements of two rows. */
static void turn_4(const double *from, int64_t stride, double *to, int64_t wide)
{
    const __m128d a = _mm_loadu_pd(from), b = _mm_loadu_pd(from + stride);
    _mm_storeu_pd(to, _mm_unpacklo_pd(a, b));
    _mm_storeu_pd(to + wide, _mm_unpackhi_pd(a, b));
}
#elif defined(__aarch64__)
#include <arm_neon.h>

static void turn_16(const float *from, int64_t stride, float *to, int64_t wide)
{
    const float32x4_t a = vld1q_f32(from), b = vld1q_f32(from + stride),
                      c = vld1q_f32(from + 2 * stride), d = vld1q_f32(from + 3 * stride);
    const float64x2_t ab0 = vreinterpretq_f64_f32(vtrn1q_f32(a, b)),
                      ab1 = vreinterpretq_f64_f32(vtrn2q_f32(a, b)),
                      cd0 = vreinterpretq_f64_f32(vtrn1q_f32(c, d)),
                      cd1 = vreinterpretq_f64_f32(vtrn2q_f32(c, d));
    vst1q_f32(to, vreinterpretq_f32_f64(vtrn1q_f64(ab0, cd0)));
    vst1q_f32(to + wide, vreinterpretq_f32_f64(vtrn1q_f64(ab1, cd1)));
    vst1q_f32(to + 2 * wide, vreinterpretq_f32_f64(vtrn2q_f64(ab0, cd0)));
    vst1q_f32(to + 3 * wide, vreinterpretq_f32_f64(vtrn2q_f64(ab1, cd1)));
}

static void turn_4(const double *from, int64_t stride, double *to, int64_t wide)
{
    const float64x2_t a = vld1q_f64(from), b = vld1q_f64(from + stride);
    vst1q_f64(to, vtrn1q_f64(a, b));
    vst1q_f64(to + wide, vtrn2q_f64(a, b));
}
#else
static void turn_16(const float *from, int64_t stride, float *to, int64_t wide)
{
    for (int64_t k = 0; k < 4; k++)
        for (int64_t l = 0; l < 4; l++)
            to[k * wide + l] = from[l * stride + k];
}

static void turn_4(const double *from, int64_t stride, double *to, int64_t wide)
{
    for (int64_t k = 0; k < 2; k++)
        for (int64_t l = 0; l < 2; l++)
            to[k * wide + l] = from[l * stride + k];
}
#endif

/* Transposes squares of SIDE x SIDE elements by SQUARE, and the rest one by one. */
#define TURN(NAME, NUMBER, SIDE, SQUARE)                                                           \
    void NAME(int64_t count, int64_t depth, const NUMBER *from, int64_t stride, NUMBER *to,        \
              int64_t wide)                                                                        \
    {                                                                                              \
        const int64_t rows = count / SIDE * SIDE, columns = depth / SIDE * SIDE;                   \
                                                                                                   \
        for (int64_t k = 0; k < columns; k += SIDE) {                                              \
            for (int64_t l = 0; l < rows; l += SIDE)                                               \
                SQUARE(from + l * stride + k, stride, to + k * wide + l, wide);                    \
            for (int64_t l = rows; l < count; l++)                                                 \
                for (int64_t i = k; i < k + SIDE; i++)                                             \
                    to[i * wide + l] = from[l * stride + i];                                       \
        }                                                                                          \
        for (int64_t k = columns; k < depth; k++)                                                  \
            for (int64_t l = 0; l < count; l++)                                                    \
                to[k * wide + l] = from[l * stride + k];                                           \
    }
TURN(pen_transpose_f32, float, 4, turn_16)
TURN(pen_transpose_f64, double, 2, turn_4)
