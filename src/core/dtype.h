/* dtype.h - the types of values. */
#ifndef PEN_DTYPE_H
#define PEN_DTYPE_H

#include <penumbra.h>

#include <stddef.h>

static inline size_t pen_size(pen_dtype type)
{
    return type == PEN_F64 ? 8 : type == PEN_F32 ? 4 : 1;
}

#endif
