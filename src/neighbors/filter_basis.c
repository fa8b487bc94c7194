/* filter_basis.c - principal axes of some rows, by subspace iteration. A final rotation gives all
 * coordinates nearly the same variance, so that one scale suits all. */
#include "linalg/decompose.h"
#include "core/sort.h"
#include "linalg/products.h"
#include "linalg/tall_qr.h"
#include "neighbors/filter.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLE = 2560, /* rows, */
    SHARE = 16,    /* and at most this part of all: as doubles they take less than codes of all */
    FITTED = 3,    /* of every four rows determine the axes */
    ROUNDS = 1,
    FAR = 4, /* times the median distance to the mean: farther rows are left out */
    FILTER_TAG = 7003,
};

/* Moves the mean of the rows to 0; mean [d] is work. */
static void subtract_mean(const pen_filter_sample *s, double *mean)
{
    memset(mean, 0, (size_t)s->d * sizeof *mean);
    for (int64_t i = 0; i < s->count; i++)
        for (int64_t j = 0; j < s->d; j++)
            mean[j] += s->rows[i * s->d + j] / (double)s->count;
    for (int64_t j = 0; j < s->d; j++)
        s->center[j] += mean[j];
    for (int64_t i = 0; i < s->count; i++)
        for (int64_t j = 0; j < s->d; j++)
            s->rows[i * s->d + j] -= mean[j];
}

/* Draws random rows in random order, without rows far from all other rows, about their mean. */
static pen_status draw_rows(pen_run *run, pen_filter_sample *s)
{
    const pen_filter_rows *const of = s->of;
    pen_rng rng = { pen_rng_derive(0, FILTER_TAG) };
    double *length2, *sorted, *mean;
    int64_t *order, kept = 0;

    PEN_TRY(PEN_NEW2(run, length2, sorted, s->count));
    PEN_TRY(PEN_NEW(run, mean, s->d));
    PEN_TRY(PEN_NEW(run, order, of->count));
    pen_rng_permutation(&rng, of->count, order);
    for (int64_t i = 0; of->rows && i < s->count; i++)
        order[i] = of->rows[order[i]];
    pen_coding_block(of->coding, of->x, order, 0, s->count, s->rows);
    subtract_mean(s, mean);
    pen_squared_lengths(PEN_F64, s->rows, s->count, s->d, length2);
    memcpy(sorted, length2, (size_t)s->count * sizeof *sorted);
    const double far2 = FAR * FAR * pen_select_kth(sorted, s->count, s->count / 2);
    for (int64_t i = 0; i < s->count; i++)
        if (length2[i] <= far2)
            memmove(s->rows + kept++ * s->d, s->rows + i * s->d, (size_t)s->d * sizeof *s->rows);
    s->count = kept;
    s->fitted = kept * FITTED / 4;
    subtract_mean(s, mean);
    return PEN_OK;
}

static pen_status find_axes(pen_run *run, pen_filter_sample *s)
{
    pen_rng rng = { pen_rng_derive(1, FILTER_TAG) };
    double *work;

    PEN_TRY(PEN_NEW(run, work, pen_times(33, s->q)));
    pen_tall_draw(&rng, s->count * s->q, s->coordinates);
    for (int round = 0; round <= ROUNDS; round++) {
        PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, s->q, s->d, s->fitted, s->coordinates,
                             s->rows, s->axes));
        PEN_REQUIRE(run, pen_lapack_orthonormalize(s->d, s->q, s->axes, work) == 0,
                    PEN_NOT_CONVERGED, "axes cannot be made orthonormal");
        PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_TRANSPOSED, s->count, s->q, s->d, s->rows, s->axes,
                             s->coordinates));
    }
    return PEN_OK;
}

/* Sorts the axes in their subspace by variance, largest first, and computes the coordinates on
 * them. */
static pen_status sort_axes(pen_run *run, pen_filter_sample *s)
{
    const int64_t q = s->q;
    double *gram, *vectors, *values, *axes;

    PEN_TRY(PEN_NEW2(run, gram, vectors, pen_times(q, q)));
    PEN_TRY(PEN_NEW(run, values, q));
    PEN_TRY(PEN_NEW(run, axes, pen_times(q, s->d)));
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, q, q, s->count, s->coordinates,
                         s->coordinates, gram));
    PEN_TRY(pen_decompose(run, q, q, gram, values, vectors));
    for (int64_t i = 0; i < q; i++) /* as columns; the eigenvalues ascend */
        for (int64_t j = 0; j < q; j++)
            gram[j * q + q - 1 - i] = vectors[i * q + j];
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, q, s->d, q, gram, s->axes, axes));
    s->axes = axes;
    return pen_tall_rotate(run, s->count, q, s->coordinates, q, gram, q, 0);
}

/* The first m axes, rotated at random, as floats, and a bound on the stretch of a difference. */
static pen_status rotate(pen_run *run, const pen_filter_sample *s, float *single,
                         pen_filter_basis *out)
{
    const int64_t m = out->m, d = s->d;
    pen_rng rng = { pen_rng_derive(2, FILTER_TAG) };
    double *rotation, *axes, *work, sum = 0;

    PEN_TRY(PEN_NEW(run, rotation, pen_times(m, m)));
    PEN_TRY(PEN_NEW(run, work, pen_times(33, m)));
    PEN_TRY(PEN_NEW(run, axes, pen_times(m, d)));
    pen_tall_draw(&rng, m * m, rotation);
    PEN_REQUIRE(run, pen_lapack_orthonormalize(m, m, rotation, work) == 0, PEN_NOT_CONVERGED,
                "a rotation cannot be made orthonormal");
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, m, d, m, rotation, s->axes, axes));
    for (int64_t i = 0; i < m * d; i++) {
        single[i] = (float)axes[i];
        axes[i] = (double)single[i];
    }
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_TRANSPOSED, m, m, d, axes, axes, rotation));
    for (int64_t i = 0; i < m * m; i++) {
        const double rest = rotation[i] - (i / m == i % m);
        sum += rest * rest;
    }
    /* |V z|^2 <= |V V'| |z|^2; the factor covers the rounding of the products here */
    out->stretch = sqrt(1 + sqrt(sum)) * (1 + 1e-9);
    return PEN_OK;
}

pen_status pen_filter_basis_open(pen_run *run, const pen_filter_rows *rows, int64_t k, int must,
                                 pen_filter_basis *out)
{
    /* products with the rows; products among coordinates count as one more */
    enum { PRODUCTS = 2 * (ROUNDS + 1) + 1 };
    const int64_t d = rows->coding->d, count = pen_min(SAMPLE, rows->count / (must ? 1 : SHARE));
    pen_filter_sample s = { .of = rows, .count = count, .d = d };
    float *single;

    *out = (pen_filter_basis){ 0 };
    s.q = must ? pen_min(PEN_FILTER_STEP, d)
               : pen_filter_axes(rows, count, (double)(PRODUCTS * count * d) * PEN_FILTER_MULTIPLY);
    if (s.q == 0)
        return PEN_OK;
    PEN_TRY(PEN_FILLED(run, s.center, d, 0));
    PEN_TRY(PEN_NEW(run, single, pen_times(s.q, d)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, s.rows, pen_times(count, d)));
    PEN_TRY(PEN_NEW(run, s.coordinates, pen_times(count, s.q)));
    PEN_TRY(PEN_NEW(run, s.axes, pen_times(s.q, d)));
    PEN_TRY(draw_rows(run, &s));
    PEN_TRY(find_axes(run, &s));
    PEN_TRY(sort_axes(run, &s));
    *out = (pen_filter_basis){ .m = s.q, .axes = single, .center = s.center, .most = 1 };
    if (!must)
        PEN_TRY(pen_filter_choose(run, &s, k, out));
    if (out->m > 0)
        PEN_TRY(rotate(run, &s, single, out));
    pen_release(run, mark);
    return PEN_OK;
}
