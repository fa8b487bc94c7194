/* moment_scatter.c - scatters from sums. */
#include "linalg/moment_scatter.h"

#include "linalg/blas.h"
#include "linalg/packed.h"

#include <float.h>

pen_status pen_moments_scatter(pen_run *run, const pen_view *x, double weight, pen_sym *S)
{
    const int64_t n = x->moments->n;

    (void)run;
    pen_packed_add(x, weight, x->moments->scatter, S);
    pen_sym_note(S, n - 1, DBL_EPSILON);
    pen_sym_add_floor(weight * (double)n, x->rounding, S);
    return PEN_OK;
}

/* (means - mean) V. */
static pen_status project_means(pen_run *run, const pen_view *x, const pen_class_moments *from,
                                const double *basis, int64_t q, pen_class_moments *out)
{
    double *means;

    PEN_TRY(PEN_NEW(run, means, pen_times(from->count, q)));
    for (int64_t c = 0; c < from->count; c++)
        for (int64_t i = 0; i < q; i++) {
            double sum = 0;
            for (int64_t j = 0; j < x->d; j++)
                sum += (from->means[c * x->d + j] - x->mean[j]) * basis[i * x->d + j];
            means[c * q + i] = sum;
        }
    *out = (pen_class_moments){ .count = from->count, .starts = from->starts, .means = means };
    return pen_packed_project(run, from->within, x->d, basis, q, &out->within);
}

pen_status pen_moments_project(pen_run *run, const pen_view *x, const double *V, int64_t q,
                               pen_view *out)
{
    double *basis; /* [q x d] */
    pen_moments *moments;
    pen_class_moments *classes, *groups;

    PEN_TRY(PEN_NEW3(run, moments, classes, groups, 1));
    PEN_TRY(PEN_NEW(run, basis, pen_times(q, x->d)));
    pen_transpose(x->d, q, V, basis);
    *moments = *x->moments;
    moments->low = moments->high = NULL;
    moments->mean = out->mean; /* 0 */
    PEN_TRY(pen_packed_project(run, x->moments->scatter, x->d, basis, q, &moments->scatter));
    if (x->class_moments) {
        PEN_TRY(project_means(run, x, x->class_moments, basis, q, classes));
        moments->classes = classes;
        out->class_moments = classes;
    }
    if (x->moments->chunks) {
        PEN_TRY(project_means(run, x, x->moments->chunks, basis, q, groups));
        moments->chunks = groups;
    }
    out->moments = moments;
    return PEN_OK;
}
