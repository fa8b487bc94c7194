/* tangent.c - a small eigenproblem for each row: of the Gram matrix of the k + 1 rows or, if there
 * are more rows than columns, of the scatter of the columns. */
#include "graph/tangent.h"

#include "core/parallel.h"
#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = 32 };

/* Eigenvalues below this many epsilon times the largest are rounding of the products; standard
 * deviations below this many epsilon times the length of the row are rounding of the rows. */
static const double VALUE_FACTOR = 16, LENGTH_FACTOR = 16;

struct local {
    const pen_view *x;
    const pen_neighbor *nearest;
    int64_t k, q, m; /* m: order of the eigenproblem */
    double floor;    /* variance that rounding of the rows can cause */
    double *basis;
    /* rows [(k + 1) x d], products [m x m], vectors [m x m], values [m], work of LAPACK */
    pen_slices buffers;
    pen_slices integers; /* [work.ints] */
    lapack_eig_work work;
    int64_t *missing; /* [tasks] */
    int64_t *overflowing,
        *failed; /* [tasks] the first row that overflows, or where LAPACK failed, or -1 */
};

/* Row i and its neighbors, minus their mean, computed from differences to row i so that equal rows
 * are exactly equal. */
static void centered_rows(const struct local *s, int64_t i, double *Y)
{
    const int64_t d = s->x->d, k = s->k;

    for (int64_t c = 0; c < k; c++)
        pen_rows_difference(s->x, s->nearest[i * k + c].row, i, Y + c * d);
    for (int64_t j = 0; j < d; j++) {
        double mean = 0;
        for (int64_t c = 0; c < k; c++)
            mean += Y[c * d + j] / (double)(k + 1);
        for (int64_t c = 0; c < k; c++)
            Y[c * d + j] -= mean;
        Y[k * d + j] = -mean;
    }
}

/* The rounding variance of a row, |x_i|^2 epsilon^2: coordinates of a reduction are rounded, while
 * differences of given values are exact. */
static double rounding_of_row(const struct local *s, int64_t i, double *row)
{
    double square;

    if (!s->x->reduced)
        return s->floor;
    pen_rows_centered(s->x, NULL, i, 1, row);
    pen_squared_lengths(PEN_F64, row, 1, s->x->d, &square);
    return s->floor + LENGTH_FACTOR * DBL_EPSILON * LENGTH_FACTOR * DBL_EPSILON * square;
}

/* Gram-Schmidt, twice: the products give directions of small variance with lower accuracy. */
static void orthonormalize(int64_t count, int64_t d, double *basis)
{
    for (int64_t step = 0; step < 2 * count; step++) {
        double *restrict v = basis + step / 2 * d, square;
        for (int64_t b = 0; b < step / 2; b++) {
            const double *restrict u = basis + b * d;
            const double dot = pen_dot(d, u, v);
            for (int64_t j = 0; j < d; j++)
                v[j] -= dot * u[j];
        }
        pen_squared_lengths(PEN_F64, v, 1, d, &square);
        for (int64_t j = 0; j < d; j++)
            v[j] /= sqrt(square);
    }
}

/* Computes the directions of the rows Y into basis [q x d]. Returns their number, or -1 if LAPACK
 * failed. */
static int64_t directions(const struct local *s, const double *Y, double noise, double *G,
                          const lapack_eig_work *work, double *basis)
{
    const int64_t d = s->x->d, rows = s->k + 1, m = s->m;
    double *const vectors = G + m * m, *const values = vectors + m * m;
    int64_t count = 0;

    if (m == rows)
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, m, m, d, 1, Y, d, Y, d, 0, G, m);
    else
        pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, m, m, rows, 1, Y, d, Y, d, 0, G, m);
    if (pen_lapack_eig(m, m, G, values, vectors, work) != 0)
        return -1;
    const double least =
        fmax(VALUE_FACTOR * (double)m * DBL_EPSILON * values[m - 1], (double)rows * noise);
    while (count < pen_min(s->q, m) && values[m - 1 - count] > least)
        count++;
    for (int64_t c = 0; c < count; c++) {
        const double *const v = vectors + (m - 1 - c) * m;
        if (m == rows)
            pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, 1, d, m, 1 / sqrt(values[m - 1 - c]), v, m,
                          Y, d, 0, basis + c * d, d);
        else
            memcpy(basis + c * d, v, (size_t)d * sizeof *basis);
    }
    orthonormalize(count, d, basis);
    memset(basis + count * d, 0, (size_t)((s->q - count) * d) * sizeof *basis);
    return count;
}

static void find_directions(void *context, int64_t task, int worker)
{
    const struct local *s = context;
    const int64_t d = s->x->d, rows = s->k + 1;
    double *const Y = pen_slice(&s->buffers, worker), *const G = Y + rows * d;
    lapack_eig_work work = s->work;
    double square;

    work.real = G + 2 * s->m * s->m + s->m;
    work.integer = pen_slice(&s->integers, worker);
    s->overflowing[task] = s->failed[task] = -1;
    s->missing[task] = 0;
    for (int64_t i = task * ROWS; i < pen_min((task + 1) * ROWS, s->x->n); i++) {
        const double noise = rounding_of_row(s, i, Y);
        centered_rows(s, i, Y);
        pen_squared_lengths(PEN_F64, Y, 1, rows * d, &square);
        const int64_t count =
            isfinite(square) ? directions(s, Y, noise, G, &work, s->basis + i * s->q * d) : 0;
        if (!isfinite(square) && s->overflowing[task] < 0)
            s->overflowing[task] = i;
        if (count < 0 && s->failed[task] < 0)
            s->failed[task] = i;
        s->missing[task] += s->q - count;
    }
}

/* The variance that rounding can cause in the difference of two rows, in one direction. */
static double floor_of(const pen_view *x)
{
    double largest = 0;
    for (int64_t j = 0; j < x->d; j++)
        largest = fmax(largest, x->rounding[j]);
    return x->reduced || x->unit ? 4 * largest * largest : 0;
}

pen_status pen_tangents_find(pen_run *run, const pen_view *x, int64_t k,
                             const pen_neighbor *nearest, int64_t q, pen_tangents *out)
{
    const int64_t tasks = (x->n + ROWS - 1) / ROWS;
    const int workers = pen_workers(run, tasks);
    struct local s = {
        .x = x, .nearest = nearest, .k = k, .q = q, .m = pen_min(k + 1, x->d), .floor = floor_of(x)
    };

    *out = (pen_tangents){ .n = x->n, .d = x->d, .q = q };
    PEN_TRY(PEN_NEW(run, out->basis, pen_times(pen_times(x->n, q), x->d)));
    s.basis = out->basis;
    pen_lapack_eig_sizes(s.m, s.m, 1, &s.work);
    const int64_t systems = pen_times(pen_times(2, s.m), s.m),
                  room = pen_plus(pen_times(k + 1, x->d),
                                  pen_plus(systems, pen_plus(s.m, s.work.reals)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, workers, room, sizeof(double), &s.buffers));
    PEN_TRY(pen_slices_new(run, workers, s.work.ints, sizeof(int), &s.integers));
    PEN_TRY(PEN_NEW3(run, s.missing, s.overflowing, s.failed, tasks));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("tangents"), tasks, find_directions, &s));
    for (int64_t task = 0; task < tasks; task++) {
        PEN_REQUIRE(run, s.overflowing[task] < 0, PEN_BAD_DATA,
                    "row %lld (counted from 0): values are too large: their products overflow",
                    (long long)s.overflowing[task]);
        PEN_REQUIRE(run, s.failed[task] < 0, PEN_NOT_CONVERGED,
                    "row %lld (counted from 0): the eigensolver did not converge",
                    (long long)s.failed[task]);
        out->missing += s.missing[task];
    }
    pen_release(run, mark);
    return PEN_OK;
}
