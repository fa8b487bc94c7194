/* tiles_neon.c - tiles by NEON with the dot products of Armv8.2. */
#include "products/tiles.h"

#if defined(PEN_TILES_NEON)
#include <arm_neon.h>

#if defined(__ARM_FEATURE_DOTPROD)
#define WITH_DOTPROD
#else
#define WITH_DOTPROD __attribute__((target("arch=armv8.2-a+dotprod")))
#endif

enum { LANES = 4, ROWS = 8, GROUP = PEN_PANEL * 4 };

/* Rows i .. i + 3 by their codes in `a`, with both vectors of columns. */
#define ADD(i, a, lane)                                                                            \
    sum[i + lane][0] = vdotq_laneq_s32(sum[i + lane][0], b0, a, lane);                             \
    sum[i + lane][1] = vdotq_laneq_s32(sum[i + lane][1], b1, a, lane)
#define ADD_FOUR(i, a)                                                                             \
    ADD(i, a, 0);                                                                                  \
    ADD(i, a, 1);                                                                                  \
    ADD(i, a, 2);                                                                                  \
    ADD(i, a, 3)

WITH_DOTPROD static void multiply(int64_t depth, const void *left, const int8_t *right,
                                  int32_t *products)
{
    const int64_t panel = pen_panel_bytes(depth);

    for (int i = 0; i < PEN_SIDE; i += ROWS)
        for (int j = 0; j < PEN_SIDE; j += 2 * LANES) {
            const int8_t *const a = (const int8_t *)left + i / PEN_PANEL * panel
                                    + i % PEN_PANEL * 4,
                                *const b = right + j / PEN_PANEL * panel + j % PEN_PANEL * 4;
            int32x4_t sum[ROWS][2];

#pragma GCC unroll 8
            for (int row = 0; row < ROWS; row++)
                sum[row][0] = sum[row][1] = vdupq_n_s32(0);
            for (int64_t at = 0; at < panel; at += GROUP) {
                const int8x16_t a0 = vld1q_s8(a + at), a1 = vld1q_s8(a + at + 16),
                                b0 = vld1q_s8(b + at), b1 = vld1q_s8(b + at + 16);
                ADD_FOUR(0, a0);
                ADD_FOUR(4, a1);
            }
#pragma GCC unroll 8
            for (int row = 0; row < ROWS; row++) {
                vst1q_s32(products + (i + row) * PEN_SIDE + j, sum[row][0]);
                vst1q_s32(products + (i + row) * PEN_SIDE + j + LANES, sum[row][1]);
            }
        }
}

/* Bit l is set if lane l is all ones. */
static inline uint32_t bits_of(uint32x4_t lanes)
{
    static const uint32_t bit[LANES] = { 1, 2, 4, 8 };
    return vaddvq_u32(vandq_u32(lanes, vld1q_u32(bit)));
}

static int whole(const pen_whole_filter *f, const int32_t *products, uint32_t *passing)
{
    uint32_t any = 0;

    for (int i = 0; i < PEN_SIDE; i++, products += PEN_SIDE) {
        const int32x4_t own = vdupq_n_s32(f->own[i]), own_reach = vdupq_n_s32(f->own_reach[i]);
        uint32_t bits = 0;
        for (int j = 0; j < PEN_SIDE; j += LANES) {
            const int32x4_t product = vld1q_s32(products + j);
            const int32x4_t distance2 =
                vsubq_s32(vaddq_s32(own, vld1q_s32(f->base + j)), vaddq_s32(product, product));
            bits |= bits_of(vcleq_s32(distance2, vmaxq_s32(own_reach, vld1q_s32(f->reach + j))))
                    << j;
        }
        any |= passing[i] = bits;
    }
    return any != 0;
}

static int scaled(const pen_scaled_filter *f, const int32_t *products, uint32_t *passing)
{
    uint32_t any = 0;

    for (int j = 0; j < PEN_SIDE; j += LANES) {
        const int32x4_t base = vld1q_s32(f->base + j);
        const float32x4_t length = vld1q_f32(f->length + j), scale = vld1q_f32(f->scale + j),
                          slack = vld1q_f32(f->slack + j), reach = vld1q_f32(f->reach + j);
        for (int i = 0; i < PEN_SIDE; i++) {
            const float32x4_t product =
                vcvtq_f32_s32(vsubq_s32(vld1q_s32(products + i * PEN_SIDE + j), base));
            const float32x4_t low =
                vsubq_f32(vaddq_f32(vdupq_n_f32(f->own_length[i]), length),
                          vmulq_f32(vdupq_n_f32(f->own_scale[i]), vmulq_f32(scale, product)));
            const float32x4_t t = vmaxq_f32(vaddq_f32(vdupq_n_f32(f->own_reach[i]), slack),
                                            vaddq_f32(reach, vdupq_n_f32(f->own_slack[i])));
            const uint32_t bits = bits_of(vcleq_f32(low, vmulq_f32(t, t)));
            passing[i] = (j ? passing[i] : 0) | bits << j;
            any |= bits;
        }
    }
    return any != 0;
}

const pen_tiles pen_tiles_neon = {
    .isa = PEN_ISA_NEON,
    .largest = 128,
    .unit = 4,
    .block = 256 << 10,
    .cost = 0.008,
    .multiply = multiply,
    .whole = whole,
    .scaled = scaled,
};

#else
typedef int no_neon; /* a file must not be empty */
#endif
