/* row_bands.c - see row_bands.h. */
#include "linalg/row_bands.h"

#include "core/dtype.h"
#include "core/subtract_origin.h"

pen_status pen_row_bands_open(pen_run *run, const pen_view *x, pen_row_bands *out)
{
    pen_row_length *length;

    *out = (pen_row_bands){ .x = x };
    if (!x->unit)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, length, x->n));
    for (int64_t i = 0; i < x->n; i++)
        length[i] = pen_length_of_row(&x->values, i);
    out->length = length;
    return PEN_OK;
}

void pen_row_band(const pen_row_bands *bands, int64_t row, int64_t first, int64_t count,
                  double *restrict to)
{
    const pen_view *const x = bands->x;
    const pen_array *const a = &x->values;
    const double *restrict mean = x->mean + first;

    if (pen_is_contiguous(a) && !bands->length) { /* one pass over memory */
        const char *const values = pen_row_at(a, row);
        pen_shift_double(a->dtype, values + (size_t)first * pen_size(a->dtype), mean, count, to);
    } else {
        pen_array_gather(a, NULL, row, 1, first, count, PEN_F64, to);
        for (int64_t j = 0; bands->length && j < count; j++)
            to[j] = to[j] / bands->length[row].largest / bands->length[row].rest;
        for (int64_t j = 0; j < count; j++)
            to[j] -= mean[j];
    }
    for (int64_t j = 0; x->scale && j < count; j++)
        to[j] *= x->scale[first + j];
}
