/* panels_portable.c - panels in plain C. fma rounds once, like the instructions of other sets. */
#include "products/panels.h"

#include <math.h>

enum { HIGH = 4, WIDE = 4 };

static void multiply_f32(int64_t depth, const void *left, const void *right, void *sums)
{
    const float *a = left, *b = right;
    float *const sum = sums;

    for (int i = 0; i < HIGH * WIDE; i++)
        sum[i] = 0;
    for (int64_t k = 0; k < depth; k++, a += HIGH, b += WIDE)
        for (int i = 0; i < HIGH; i++)
            for (int j = 0; j < WIDE; j++)
                sum[i * WIDE + j] = fmaf(a[i], b[j], sum[i * WIDE + j]);
}

static void multiply_f64(int64_t depth, const void *left, const void *right, void *sums)
{
    const double *a = left, *b = right;
    double *const sum = sums;

    for (int i = 0; i < HIGH * WIDE; i++)
        sum[i] = 0;
    for (int64_t k = 0; k < depth; k++, a += HIGH, b += WIDE)
        for (int i = 0; i < HIGH; i++)
            for (int j = 0; j < WIDE; j++)
                sum[i * WIDE + j] = fma(a[i], b[j], sum[i * WIDE + j]);
}

PEN_PANELS_ADD(add_f32, float, WIDE, )
PEN_PANELS_ADD(add_f64, double, WIDE, )

const pen_panels pen_panels_portable[2] = {
    { PEN_ISA_PORTABLE, HIGH, WIDE, multiply_f32, add_f32 },
    { PEN_ISA_PORTABLE, HIGH, WIDE, multiply_f64, add_f64 },
};
