/* panels_neon.c - panels of 64-bit Arm: 16 sums of a vector each. */
#if defined(__aarch64__)
#include "products/panels.h"

#include <arm_neon.h>

#define F32_ZERO                     vdupq_n_f32(0)
#define F32_LOAD(from)               vld1q_f32(from)
#define F32_STORE(to, vector)        vst1q_f32(to, vector)
#define F32_ADD(sum, number, vector) vfmaq_n_f32(sum, vector, number)

#define F64_ZERO                     vdupq_n_f64(0)
#define F64_LOAD(from)               vld1q_f64(from)
#define F64_STORE(to, vector)        vst1q_f64(to, vector)
#define F64_ADD(sum, number, vector) vfmaq_n_f64(sum, vector, number)

PEN_PANELS(pen_panels_neon, PEN_ISA_NEON, float32x4_t, float64x2_t, 8, 4, )

#else
typedef int no_neon_panels; /* a file must not be empty */
#endif
