/* packed.c - lower triangles. */
#include "linalg/packed.h"

void pen_packed_of(const pen_sym *S, double *packed)
{
    for (int64_t i = 0; i < S->d; i++)
        for (int64_t j = 0; j <= i; j++)
            *packed++ = S->a[i * S->d + j];
}

void pen_packed_add(const pen_view *x, double weight, const double *packed, pen_sym *S)
{
    const int64_t d = x->d;

    for (int64_t i = 0; i < d; i++) {
        const double each = weight * (x->scale ? x->scale[i] : 1);
        for (int64_t j = 0; j <= i; j++)
            S->a[i * d + j] += each * (x->scale ? x->scale[j] : 1) * *packed++;
    }
}

pen_status pen_packed_project(pen_run *run, const double *packed, int64_t d, const double *basis,
                              int64_t q, const double **out)
{
    pen_view plain = { .d = d };
    double *projected;
    pen_sym A, S;

    PEN_TRY(PEN_NEW(run, projected, pen_times(q, q + 1) / 2));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_sym_zero(run, d, &A));
    pen_packed_add(&plain, 1, packed, &A);
    PEN_TRY(pen_sym_project(run, &A, basis, q, &S));
    pen_packed_of(&S, projected);
    pen_release(run, mark);
    *out = projected;
    return PEN_OK;
}
