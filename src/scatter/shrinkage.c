/* shrinkage.c - the shrinkage of Ledoit and Wolf, from residuals. */
#include "scatter/shrinkage.h"

#include "linalg/blas.h"
#include "scatter/class_scatter.h"

#include <math.h>

enum { BLOCK = 64 };

/* The means of |e_i|^2 and of (|e_i|^2 / mean)^2: fourth powers of large values would overflow. */
static pen_status lengths(pen_run *run, const pen_residuals *e, double *mean, double *squares)
{
    const int64_t l = e->count, d = e->d;
    double *block, *length2, sum = 0;

    PEN_TRY(PEN_NEW(run, block, pen_times(BLOCK, d)));
    PEN_TRY(PEN_NEW(run, length2, l));
    for (int64_t first = 0; first < l; first += BLOCK) {
        const int64_t count = pen_min(BLOCK, l - first);
        e->fill(e->context, first, count, block);
        pen_squared_lengths(PEN_F64, block, count, d, length2 + first);
    }
    for (int64_t i = 0; i < l; i++)
        sum += length2[i];
    *mean = sum / (double)l;
    *squares = 0;
    for (int64_t i = 0; *mean > 0 && i < l; i++)
        *squares += length2[i] / *mean * (length2[i] / *mean) / (double)l;
    return PEN_OK;
}

/* The sum of squared entries of A divided by its trace. */
static double relative_square(const pen_sym *A)
{
    const double trace = pen_sym_trace(A);
    double sum = 0;

    for (int64_t i = 0; i < A->d; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double entry = A->a[i * A->d + j] / trace;
            sum += (i == j ? 1 : 2) * entry * entry;
        }
    return sum;
}

/* The same for E'E, or for EE' if that is smaller: their eigenvalues other than 0 are equal. */
static pen_status square_of_gram(pen_run *run, const pen_residuals *e, double *square)
{
    const int64_t l = e->count, d = e->d;
    pen_sym gram;
    double *rows;

    PEN_TRY(pen_sym_zero(run, pen_min(l, d), &gram));
    if (l < d) {
        PEN_TRY(PEN_NEW(run, rows, pen_times(l, d)));
        e->fill(e->context, 0, l, rows);
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, l, l, d, 1, rows, d, rows, d, 0, gram.a,
                      l);
    } else {
        PEN_TRY(pen_sym_add_gram(run, "scatter within classes", 1, PEN_F64, l, e->fill, e->context,
                                 &gram));
    }
    *square = relative_square(&gram);
    return PEN_OK;
}

pen_status pen_shrinkage(pen_run *run, const pen_residuals *e, int64_t columns, const pen_sym *C,
                         double *rho)
{
    double mean, fourth, square = 0; /* |S|^2 / (tr S)^2 */

    *rho = 1;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(lengths(run, e, &mean, &fourth));
    if (mean > 0) {
        if (C)
            square = relative_square(C);
        else
            PEN_TRY(square_of_gram(run, e, &square));
        const double delta = square - 1 / (double)columns, b = (fourth - square) / (double)e->count;
        if (delta > 0)
            *rho = fmin(1, fmax(1 / (double)(e->count - e->groups + 1), b / delta));
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_scatter_shrinkage(pen_run *run, const pen_view *x, int64_t columns, const pen_sym *C,
                                 double *rho)
{
    pen_classes classes;

    PEN_REQUIRE(run, !x->class_moments, PEN_BAD_ARGUMENT,
                "the scatter within classes is singular, and its shrinkage needs the labelled "
                "rows, which the statistics do not keep; set ridge > 0, or pca to fewer columns");
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_classes_open(run, x, &classes));
    const pen_residuals e = { x->labelled, x->d, x->classes, pen_classes_fill, &classes };
    PEN_TRY(pen_shrinkage(run, &e, columns, C, rho));
    pen_release(run, mark);
    return PEN_OK;
}
