/* decompose.c - eigenvalues and vectors by LAPACK. */
#include "linalg/decompose.h"

#include "linalg/blas.h"

#include <string.h>

/* Calls LAPACK with separate work space. */
static pen_status call_lapack(pen_run *run, int64_t d, int64_t k, double *a, double *values,
                              double *vectors, int *info)
{
    lapack_eig_work work;

    pen_lapack_eig_sizes(d, k, vectors != NULL, &work);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, work.real, work.reals));
    PEN_TRY(PEN_NEW(run, work.integer, work.ints));
    *info = pen_lapack_eig(d, k, a, values, vectors, &work);
    pen_release(run, mark);
    return PEN_OK;
}

/* Saves the lower triangle in the upper one, which is scratch, and the diagonal separately; or
 * restores both. */
static void save_triangle(int64_t d, double *a, double *diagonal, int restore)
{
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = 0; j < i; j++)
            if (restore)
                a[i * d + j] = a[j * d + i];
            else
                a[j * d + i] = a[i * d + j];
        if (restore)
            a[i * d + i] = diagonal[i];
        else
            diagonal[i] = a[i * d + i];
    }
}

/* If eigenvalues coincide, LAPACK may find fewer than the requested range: then all are computed
 * and the last k kept. */
pen_status pen_decompose(pen_run *run, int64_t d, int64_t k, double *a, double *values,
                         double *vectors)
{
    double *diagonal, *all;
    int info;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, diagonal, d));
    save_triangle(d, a, diagonal, 0);
    PEN_TRY(call_lapack(run, d, k, a, values, vectors, &info));
    if (info == LAPACK_FOUND_FEWER && vectors) {
        save_triangle(d, a, diagonal, 1);
        PEN_TRY(PEN_NEW(run, all, pen_times(d, d)));
        PEN_TRY(call_lapack(run, d, d, a, values, all, &info));
        memmove(values, values + (d - k), (size_t)k * sizeof *values);
        memcpy(vectors, all + (d - k) * d, (size_t)(k * d) * sizeof *vectors);
    }
    PEN_REQUIRE(run, info == 0, PEN_NOT_CONVERGED,
                "the eigensolver did not converge (LAPACK info %d, %lld columns)", info,
                (long long)d);
    pen_release(run, mark);
    return PEN_OK;
}
