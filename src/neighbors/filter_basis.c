/* filter_basis.c - principal axes of some rows, by subspace iteration. A rotation at the end gives
 * all coordinates nearly the same variance, so that one scale suits all. */
#include "core/parallel.h"
#include "core/random_subset.h"
#include "linalg/blas.h"
#include "linalg/tall_qr.h"
#include "neighbors/filter.h"
#include "neighbors/select_kth.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLE = 2560, /* rows, */
    SHARE = 16,    /* and at most one of so many: as doubles they take less than codes of all */
    FITTED = 3,    /* of four rows make the axes */
    ROUNDS = 1,
    BAND = 64, /* rows of a product that a task makes */
    FAR = 4,   /* times the median distance to the mean: such rows are left out */
    FILTER_TAG = 7003,
};

/* C [m x n] = op(A) B', or op(A) B, in bands of rows. */
struct product {
    pen_op of_a, of_b;
    int64_t m, n, k;
    const double *a, *b;
    double *c;
};

static void multiply_band(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t first = task * BAND;

    (void)worker;
    pen_blas_gemm(PEN_F64, p->of_a, p->of_b, pen_min(BAND, p->m - first), p->n, p->k, 1,
                  p->a + (p->of_a == PEN_PLAIN ? first * p->k : first),
                  p->of_a == PEN_PLAIN ? p->k : p->m, p->b, p->of_b == PEN_PLAIN ? p->n : p->k, 0,
                  p->c + first * p->n, p->n);
}

static pen_status multiply(pen_run *run, struct product p)
{
    return pen_parallel(run, PEN_SILENT, (p.m + BAND - 1) / BAND, multiply_band, &p);
}

/* The mean of rows, and their distances to it. */
static void find_center(const pen_filter_sample *s, double *distance)
{
    memset(s->center, 0, (size_t)s->d * sizeof *s->center);
    for (int64_t i = 0; i < s->count; i++)
        for (int64_t j = 0; j < s->d; j++)
            s->center[j] += s->rows[i * s->d + j] / (double)s->count;
    for (int64_t i = 0; i < s->count; i++) {
        double sum = 0;
        for (int64_t j = 0; j < s->d; j++)
            sum += (s->rows[i * s->d + j] - s->center[j]) * (s->rows[i * s->d + j] - s->center[j]);
        distance[i] = sqrt(sum);
    }
}

/* Random rows in random order, but for those far from all others, about their mean. */
static pen_status draw_rows(pen_run *run, pen_filter_sample *s)
{
    const pen_filter_rows *const of = s->of;
    pen_rng rng = { pen_rng_derive(0, FILTER_TAG) };
    double *distance, *sorted;
    int64_t *place, kept = 0;
    pen_draw draw;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, distance, sorted, s->count));
    PEN_TRY(PEN_NEW(run, place, s->count));
    PEN_TRY(pen_draw_open(run, &rng, of->count, s->count, &draw));
    pen_rng_permutation(&rng, s->count, place);
    pen_draw_cursor cursor = { 0 };
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t at = pen_draw_next(&draw, &cursor), row = of->rows ? of->rows[at] : at;
        pen_coding_block(of->coding, of->x, &row, 0, 1, s->rows + place[i] * s->d);
    }
    find_center(s, distance);
    memcpy(sorted, distance, (size_t)s->count * sizeof *sorted);
    const double far = FAR * pen_select_kth(sorted, s->count, s->count / 2);
    for (int64_t i = 0; i < s->count; i++)
        if (distance[i] <= far)
            memmove(s->rows + kept++ * s->d, s->rows + i * s->d, (size_t)s->d * sizeof *s->rows);
    s->count = kept;
    s->fitted = kept * FITTED / 4;
    find_center(s, distance);
    for (int64_t i = 0; i < s->count; i++)
        for (int64_t j = 0; j < s->d; j++)
            s->rows[i * s->d + j] -= s->center[j];
    pen_release(run, mark);
    return PEN_OK;
}

/* The axes of the largest variance in their subspace, the first ones first, and the coordinates on
 * them. */
static pen_status sort_axes(pen_run *run, pen_filter_sample *s)
{
    const int64_t q = s->q;
    double *gram, *vectors, *axes, *values;
    lapack_eig_work work;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, gram, vectors, pen_times(q, q)));
    PEN_TRY(PEN_NEW(run, axes, pen_times(q, s->d)));
    PEN_TRY(PEN_NEW(run, values, q));
    pen_lapack_eig_sizes(q, q, 1, &work);
    PEN_TRY(PEN_NEW(run, work.real, work.reals));
    PEN_TRY(PEN_NEW(run, work.integer, work.ints));
    PEN_TRY(multiply(run, (struct product){ PEN_TRANSPOSED, PEN_PLAIN, q, q, s->count,
                                            s->coordinates, s->coordinates, gram }));
    if (pen_lapack_eig(q, q, gram, values, vectors, &work) == 0) { /* else in any order */
        PEN_TRY(multiply(
            run, (struct product){ PEN_PLAIN, PEN_PLAIN, q, s->d, q, vectors, s->axes, axes }));
        for (int64_t i = 0; i < q; i++) /* the eigenvalues ascend */
            memcpy(s->axes + i * s->d, axes + (q - 1 - i) * s->d, (size_t)s->d * sizeof *axes);
        PEN_TRY(multiply(run, (struct product){ PEN_PLAIN, PEN_TRANSPOSED, s->count, q, s->d,
                                                s->rows, s->axes, s->coordinates }));
    }
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status find_axes(pen_run *run, pen_filter_sample *s)
{
    pen_rng rng = { pen_rng_derive(1, FILTER_TAG) };
    double *work;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, work, pen_times(33, s->q)));
    pen_tall_draw(&rng, s->count * s->q, s->coordinates);
    for (int round = 0; round <= ROUNDS; round++) {
        PEN_TRY(multiply(run, (struct product){ PEN_TRANSPOSED, PEN_PLAIN, s->q, s->d, s->fitted,
                                                s->coordinates, s->rows, s->axes }));
        PEN_REQUIRE(run, pen_lapack_orthonormalize(s->d, s->q, s->axes, work) == 0,
                    PEN_NOT_CONVERGED, "axes cannot be made orthonormal");
        PEN_TRY(multiply(run, (struct product){ PEN_PLAIN, PEN_TRANSPOSED, s->count, s->q, s->d,
                                                s->rows, s->axes, s->coordinates }));
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* The first m axes, rotated at random, as floats, and the most that they stretch a difference. */
static pen_status rotate(pen_run *run, const pen_filter_sample *s, float *single,
                         pen_filter_basis *out)
{
    const int64_t m = out->m, d = s->d;
    pen_rng rng = { pen_rng_derive(2, FILTER_TAG) };
    double *rotation, *axes, *work, sum = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rotation, pen_times(m, m)));
    PEN_TRY(PEN_NEW(run, work, pen_times(33, m)));
    PEN_TRY(PEN_NEW(run, axes, pen_times(m, d)));
    pen_tall_draw(&rng, m * m, rotation);
    PEN_REQUIRE(run, pen_lapack_orthonormalize(m, m, rotation, work) == 0, PEN_NOT_CONVERGED,
                "a rotation cannot be made orthonormal");
    PEN_TRY(
        multiply(run, (struct product){ PEN_PLAIN, PEN_PLAIN, m, d, m, rotation, s->axes, axes }));
    for (int64_t i = 0; i < m * d; i++) {
        single[i] = (float)axes[i];
        axes[i] = (double)single[i];
    }
    PEN_TRY(multiply(run,
                     (struct product){ PEN_PLAIN, PEN_TRANSPOSED, m, m, d, axes, axes, rotation }));
    for (int64_t i = 0; i < m * m; i++) {
        const double rest = rotation[i] - (i / m == i % m);
        sum += rest * rest;
    }
    /* |V z|^2 <= |V V'| |z|^2; the factor covers the rounding of the products here */
    out->stretch = sqrt(1 + sqrt(sum)) * (1 + 1e-9);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_filter_basis_open(pen_run *run, const pen_filter_rows *rows, int64_t k, int must,
                                 pen_filter_basis *out)
{
    const int64_t d = rows->coding->d, unit = rows->coding->tiles->unit,
                  count = pen_min(SAMPLE, rows->count / (must ? 1 : SHARE)),
                  each = (2 * ROUNDS + 3) * count * d;
    pen_filter_sample s = { .of = rows, .count = count, .d = d };
    float *single;

    *out = (pen_filter_basis){ .d = d };
    s.q = must ? pen_min(PEN_FILTER_STEP, d)
               : pen_filter_axes(rows, count, (double)each * PEN_FILTER_MULTIPLY);
    if (s.q == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, s.center, d));
    PEN_TRY(PEN_NEW(run, single, pen_times(s.q, d)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, s.rows, pen_times(count, d)));
    PEN_TRY(PEN_NEW(run, s.coordinates, pen_times(count, s.q)));
    PEN_TRY(PEN_NEW(run, s.axes, pen_times(s.q, d)));
    PEN_TRY(draw_rows(run, &s));
    PEN_TRY(find_axes(run, &s));
    PEN_TRY(sort_axes(run, &s));
    *out = (pen_filter_basis){ d, s.q, (s.q + unit - 1) / unit * unit, single, s.center, 1, 1 };
    if (!must)
        PEN_TRY(pen_filter_choose(run, &s, k, out));
    if (out->m > 0)
        PEN_TRY(rotate(run, &s, single, out));
    pen_release(run, mark);
    return PEN_OK;
}
