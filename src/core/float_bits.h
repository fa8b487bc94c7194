/* float_bits.h - nonnegative floats, whose bits have the same order. */
#ifndef PEN_FLOAT_BITS_H
#define PEN_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t pen_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float pen_float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The least float that is at least a nonnegative number. */
static inline float pen_float_above(double value)
{
    const float single = (float)value;
    return (double)single >= value ? single : pen_float_of(pen_float_bits(single) + 1);
}

/* The largest float that is at most a nonnegative number. */
static inline float pen_float_below(double value)
{
    const float single = (float)value;
    return (double)single <= value ? single : pen_float_of(pen_float_bits(single) - 1);
}

#endif
