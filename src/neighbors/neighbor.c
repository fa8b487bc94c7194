/* neighbor.c - how far distances made of products may be off. */
#include "neighbors/neighbor.h"

#include <float.h>

double pen_neighbors_margin(const pen_rows *x)
{
    /* coordinates of a source are rounded, too */
    const double turned = x->source ? (double)(x->source->d + 16) * 8 * DBL_EPSILON : 0;
    return turned
           + (double)(x->d + 16) * 2 * (x->work == PEN_F64 ? DBL_EPSILON : (double)FLT_EPSILON);
}
