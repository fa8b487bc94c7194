/* signs.c - see signs.h. Row by row: a column lies in as many cache lines as it has entries. */
#include "linalg/signs.h"

#include <math.h>

/* Entries this close to the largest are considered equal to it. */
static const double SIGN_TIE = 1e-9;

pen_status pen_fix_signs(pen_run *run, int64_t d, int64_t k, double *W)
{
    double *largest, *first;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, largest, k));
    PEN_TRY(PEN_NEW(run, first, k)); /* of the largest entries; 0: none yet */
    for (int64_t c = 0; c < k; c++)
        largest[c] = first[c] = 0;
    for (int64_t j = 0; j < d; j++)
        for (int64_t c = 0; c < k; c++)
            largest[c] = fabs(W[j * k + c]) > largest[c] ? fabs(W[j * k + c]) : largest[c];
    for (int64_t j = 0; j < d; j++)
        for (int64_t c = 0; c < k; c++)
            if (first[c] == 0 && fabs(W[j * k + c]) >= largest[c] * (1 - SIGN_TIE))
                first[c] = W[j * k + c];
    for (int64_t j = 0; j < d; j++)
        for (int64_t c = 0; c < k; c++)
            W[j * k + c] = first[c] < 0 ? -W[j * k + c] : W[j * k + c];
    pen_release(run, mark);
    return PEN_OK;
}
