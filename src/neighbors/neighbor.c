/* neighbor.c - the error bound of distances expanded into products, and the order of a search. */
#include "neighbors/neighbor.h"

#include "core/rng.h"

#include <float.h>

enum { RUN = 16 };

double pen_neighbors_margin(const pen_view *x)
{
    /* coordinates computed from a source are also rounded */
    const double source_error = x->source ? (double)(x->source->d + 16) * 8 * DBL_EPSILON : 0;
    return source_error
           + (double)(x->d + 16) * 2 * (x->work == PEN_F64 ? DBL_EPSILON : (double)FLT_EPSILON);
}

pen_status pen_neighbors_shuffle(pen_run *run, uint64_t seed, int64_t count, int64_t *order)
{
    const int64_t runs = (count + RUN - 1) / RUN;
    const pen_mark_t mark = pen_mark(run);
    int64_t *shuffled;
    pen_rng rng = { seed };

    PEN_TRY(PEN_NEW(run, shuffled, runs));
    pen_rng_permutation(&rng, runs, shuffled);
    for (int64_t r = 0; r < runs; r++)
        for (int64_t i = shuffled[r] * RUN; i < pen_min((shuffled[r] + 1) * RUN, count); i++)
            *order++ = i;
    pen_release(run, mark);
    return PEN_OK;
}
