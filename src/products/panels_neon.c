/* panels_neon.c - panels of 64-bit Arm: 16 sums of a vector each. */
#if defined(__aarch64__)
#include "products/panels.h"

#include <arm_neon.h>

enum { HIGH = 8, FLOATS = 4, DOUBLES = 2 };

#define F32_ZERO                     vdupq_n_f32(0)
#define F32_LOAD(from)               vld1q_f32(from)
#define F32_STORE(to, vector)        vst1q_f32(to, vector)
#define F32_ADD(sum, number, vector) vfmaq_n_f32(sum, vector, number)

#define F64_ZERO                     vdupq_n_f64(0)
#define F64_LOAD(from)               vld1q_f64(from)
#define F64_STORE(to, vector)        vst1q_f64(to, vector)
#define F64_ADD(sum, number, vector) vfmaq_n_f64(sum, vector, number)

PEN_PANELS_MULTIPLY(multiply_f32, float, float32x4_t, FLOATS, HIGH, F32, )
PEN_PANELS_MULTIPLY(multiply_f64, double, float64x2_t, DOUBLES, HIGH, F64, )
PEN_PANELS_ADD(add_f32, float, 2 * FLOATS, )
PEN_PANELS_ADD(add_f64, double, 2 * DOUBLES, )

const pen_panels pen_panels_neon[2] = {
    { PEN_ISA_NEON, HIGH, 2 * FLOATS, multiply_f32, add_f32 },
    { PEN_ISA_NEON, HIGH, 2 * DOUBLES, multiply_f64, add_f64 },
};

#else
typedef int no_neon_panels; /* a file must not be empty */
#endif
