/* reconstruct.c - a small linear system for each row: (G / t + ridge I) w = 1, with G the Gram
 * matrix of the differences to its neighbors and t its trace. */
#include "graph/reconstruct.h"

#include "core/parallel.h"
#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = 32 };

/* A pivot of at most this many epsilon relative to its diagonal entry is rounding. */
static const double PIVOT_FACTOR = 16;

struct reconstruct {
    const pen_view *x;     /* or NULL: */
    const pen_relative *r; /* reconstruct in the relative space */
    const pen_neighbor *nearest;
    int64_t n, k, columns; /* columns: maximum number of coordinates */
    double ridge;
    double *weight;
    pen_slices buffers;              /* differences [k x columns], rows [2 columns], G [k x k] */
    int64_t *singular, *overflowing; /* [tasks] the first row without weights, or -1 */
};

/* Cholesky factorization G = L L', L in the lower triangle; returns 0 unless G is positive definite
 * beyond rounding. */
static int factor(int64_t k, double *G)
{
    for (int64_t c = 0; c < k; c++) {
        const double least = PIVOT_FACTOR * (double)k * DBL_EPSILON * G[c * k + c];
        for (int64_t j = 0; j <= c; j++) {
            double rest = G[c * k + j];
            for (int64_t l = 0; l < j; l++)
                rest -= G[c * k + l] * G[j * k + l];
            if (j == c && !(rest > least))
                return 0;
            G[c * k + j] = j == c ? sqrt(rest) : rest / G[j * k + j];
        }
    }
    return 1;
}

/* Solves L L' w = 1, then scales w to sum 1. */
static void solve(int64_t k, const double *L, double *w)
{
    double sum = 0;

    for (int64_t c = 0; c < k; c++) {
        w[c] = 1;
        for (int64_t l = 0; l < c; l++)
            w[c] -= L[c * k + l] * w[l];
        w[c] /= L[c * k + c];
    }
    for (int64_t c = k - 1; c >= 0; c--) {
        for (int64_t l = c + 1; l < k; l++)
            w[c] -= L[l * k + c] * w[l];
        w[c] /= L[c * k + c];
        sum += w[c];
    }
    for (int64_t c = 0; c < k; c++)
        w[c] /= sum;
}

/* The weights of k neighbors, from the differences to them; returns 0 on failure. */
static int solve_weights(const struct reconstruct *s, int64_t k, const double *differences,
                         int64_t columns, double *G, double *w, int *finite)
{
    double trace = 0;

    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, k, k, columns, 1, differences, columns,
                  differences, columns, 0, G, k);
    for (int64_t c = 0; c < k; c++)
        trace += G[c * k + c];
    *finite = isfinite(trace);
    if (!(trace > 0) || !*finite) { /* all neighbors equal the row */
        for (int64_t c = 0; c < k; c++)
            w[c] = 1 / (double)k;
        return *finite;
    }
    for (int64_t c = 0; c < k * k; c++)
        G[c] = G[c] / trace + (c % (k + 1) == 0 ? s->ridge : 0);
    if (!factor(k, G))
        return 0;
    solve(k, G, w);
    return 1;
}

static void reconstruct_rows(void *context, int64_t task, int worker)
{
    const struct reconstruct *s = context;
    double *const to = pen_slice(&s->buffers, worker), *const work = to + s->k * s->columns,
                  *const G = work + 2 * s->columns;

    s->singular[task] = s->overflowing[task] = -1;
    for (int64_t i = task * ROWS; i < pen_min((task + 1) * ROWS, s->n); i++) {
        const pen_neighbor *const nearest = s->nearest + i * s->k;
        int64_t count = 0, columns = s->columns;
        int finite = 1;
        while (count < s->k && nearest[count].row >= 0)
            count++;
        memset(s->weight + i * s->k, 0, (size_t)s->k * sizeof *s->weight);
        if (count == 0)
            continue;
        for (int64_t c = 0; s->x && c < count; c++)
            pen_rows_difference(s->x, nearest[c].row, i, to + c * columns);
        if (!s->x)
            pen_relative_differences(s->r, i, nearest, count, to, &columns, work);
        if (!solve_weights(s, count, to, columns, G, s->weight + i * s->k, &finite)) {
            int64_t *const failed = finite ? s->singular : s->overflowing;
            failed[task] = failed[task] < 0 ? i : failed[task];
        }
    }
}

static pen_status reconstruct(pen_run *run, struct reconstruct *s, pen_reconstruction *out)
{
    const int64_t tasks = (s->n + ROWS - 1) / ROWS;

    *out = (pen_reconstruction){ .n = s->n, .k = s->k, .nearest = s->nearest };
    PEN_TRY(PEN_NEW(run, out->weight, pen_times(s->n, s->k)));
    s->weight = out->weight;
    const int64_t room = pen_plus(pen_times(s->k + 2, s->columns), pen_times(s->k, s->k));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), room, sizeof(double), &s->buffers));
    PEN_TRY(PEN_NEW2(run, s->singular, s->overflowing, tasks));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("reconstruction weights"), tasks, reconstruct_rows, s));
    for (int64_t task = 0; task < tasks; task++) {
        PEN_REQUIRE(run, s->overflowing[task] < 0, PEN_BAD_DATA,
                    "row %lld (counted from 0): values are too large: their products overflow",
                    (long long)s->overflowing[task]);
        PEN_REQUIRE(run, s->singular[task] < 0, PEN_SINGULAR_SCATTER,
                    "row %lld (counted from 0): its neighbors are linearly dependent, so "
                    "that its weights are not unique; set reconstruction_ridge above 0, "
                    "got %g",
                    (long long)s->singular[task], s->ridge);
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_reconstruct_rows(pen_run *run, const pen_view *x, int64_t k,
                                const pen_neighbor *nearest, double ridge, pen_reconstruction *out)
{
    struct reconstruct s = {
        .x = x, .nearest = nearest, .n = x->n, .k = k, .columns = x->d, .ridge = ridge
    };
    return reconstruct(run, &s, out);
}

pen_status pen_reconstruct_relative(pen_run *run, const pen_relative *r, int64_t k,
                                    const pen_neighbor *nearest, double ridge,
                                    pen_reconstruction *out)
{
    struct reconstruct s = {
        .r = r, .nearest = nearest, .n = r->n, .k = k, .columns = r->m + k + 1, .ridge = ridge
    };
    return reconstruct(run, &s, out);
}

pen_status pen_neighbors_mutual(pen_run *run, int64_t n, int64_t k, pen_neighbor *nearest)
{
    const pen_mark_t mark = pen_mark(run);
    char *mutual;

    PEN_TRY(PEN_FILLED(run, mutual, pen_times(n, k), 0));
    for (int64_t i = 0; i < n * k; i++)
        for (int64_t c = 0; nearest[i].row >= 0 && c < k; c++)
            if (nearest[nearest[i].row * k + c].row == i / k)
                mutual[i] = 1;
    for (int64_t i = 0; i < n; i++) {
        int64_t count = 0;
        for (int64_t c = 0; c < k; c++)
            if (mutual[i * k + c])
                nearest[i * k + count++] = nearest[i * k + c];
        for (; count < k; count++)
            nearest[i * k + count] = (pen_neighbor){ (double)INFINITY, -1 };
    }
    pen_release(run, mark);
    return PEN_OK;
}
