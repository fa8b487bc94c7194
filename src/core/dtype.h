/* dtype.h - the types of values. */
#ifndef PEN_DTYPE_H
#define PEN_DTYPE_H

#include <penumbra.h>

#include <stddef.h>

static inline size_t pen_size(pen_dtype type)
{
    return type == PEN_F64 ? 8 : type == PEN_F32 ? 4 : 1;
}

static inline double pen_load_value(pen_dtype type, const void *values, int64_t i)
{
    return type == PEN_F64   ? ((const double *)values)[i]
           : type == PEN_F32 ? (double)((const float *)values)[i]
                             : (double)((const unsigned char *)values)[i];
}

/* Stores `value` rounded to the type; for bytes, `value` must be a byte. */
static inline void pen_store_value(pen_dtype type, void *values, int64_t i, double value)
{
    if (type == PEN_F64)
        ((double *)values)[i] = value;
    else if (type == PEN_F32)
        ((float *)values)[i] = (float)value;
    else
        ((unsigned char *)values)[i] = (unsigned char)value;
}

#endif
