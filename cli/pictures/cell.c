/* cell.c - one value of an array. */
#include "pictures/cell.h"

/* The entry of row i in column j; -1: none. */
static int64_t entry_of(const pen_array *x, int64_t i, int64_t j)
{
    for (int64_t e = x->starts[i]; e < x->starts[i + 1]; e++)
        if (x->columns[e] == j)
            return e;
    return -1;
}

double cli_cell(const pen_array *x, int64_t i, int64_t j)
{
    const int64_t at = x->starts ? entry_of(x, i, j) : i * x->stride + j * (x->step ? x->step : 1);

    if (at < 0 && x->starts)
        return 0;
    return x->dtype == PEN_F64   ? ((const double *)x->values)[at]
           : x->dtype == PEN_F32 ? (double)((const float *)x->values)[at]
                                 : (double)((const unsigned char *)x->values)[at];
}
