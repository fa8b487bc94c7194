/* neighbor.c - the error bound of distances expanded into products. */
#include "neighbors/neighbor.h"

#include <float.h>

double pen_neighbors_margin(const pen_rows *x)
{
    /* the coordinates computed from a source are rounded, too */
    const double source_error = x->source ? (double)(x->source->d + 16) * 8 * DBL_EPSILON : 0;
    return source_error
           + (double)(x->d + 16) * 2 * (x->work == PEN_F64 ? DBL_EPSILON : (double)FLT_EPSILON);
}
