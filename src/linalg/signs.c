/* signs.c - see signs.h. Goes row by row: each entry of a column is in another cache line. */
#include "linalg/signs.h"

#include <math.h>

/* Entries this close to the largest are considered equal to it. */
static const double SIGN_TIE = 1e-9;

static double magnitude(const double *W, const double *deviation, int64_t k, int64_t j, int64_t c)
{
    return fabs(W[j * k + c]) * (deviation ? deviation[j] : 1);
}

pen_status pen_column_signs(pen_run *run, int64_t d, int64_t k, const double *W,
                            const double *deviation, double *signs)
{
    double *largest;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, largest, k));
    for (int64_t c = 0; c < k; c++)
        largest[c] = signs[c] = 0; /* 0: none yet */
    for (int64_t j = 0; j < d; j++)
        for (int64_t c = 0; c < k; c++)
            largest[c] = fmax(largest[c], magnitude(W, deviation, k, j, c));
    for (int64_t j = 0; j < d; j++)
        for (int64_t c = 0; c < k; c++)
            if (signs[c] == 0 && magnitude(W, deviation, k, j, c) >= largest[c] * (1 - SIGN_TIE))
                signs[c] = W[j * k + c] < 0 ? -1 : 1;
    pen_release(run, mark);
    return PEN_OK;
}

void pen_sign_columns(int64_t rows, int64_t k, const double *signs, double *W)
{
    for (int64_t j = 0; j < rows; j++)
        for (int64_t c = 0; c < k; c++)
            W[j * k + c] = signs[c] < 0 ? -W[j * k + c] : W[j * k + c];
}

pen_status pen_fix_signs(pen_run *run, int64_t d, int64_t k, const double *deviation, double *W)
{
    double *signs;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, signs, k));
    PEN_TRY(pen_column_signs(run, d, k, W, deviation, signs));
    pen_sign_columns(d, k, signs, W);
    pen_release(run, mark);
    return PEN_OK;
}
