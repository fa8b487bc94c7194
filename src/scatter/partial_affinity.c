/* partial_affinity.c - row i of U is D_i / 2 x_i - 1/2 sum_j A_ij x_j, and the scatter is
 * X'U + U'X. */
#include "scatter/partial_affinity.h"

#include "core/parallel.h"

#include <math.h>

enum { BLOCK = 2048, SUB = 16 };

struct partial {
    const pen_partial_affinity *sets;
    int64_t at, count; /* the current block of rows of U */
    double *X, *U;     /* [count x d] */
    double *all;       /* [n x d] centered rows */
    double *degree;
};

static double affinity(const pen_partial_affinity *sets, int64_t i, int64_t j)
{
    const double scale = sets->sigma[i] * sets->sigma[j],
                 distance2 = pen_rows_distance2(sets->near, i, j);
    return scale > 0 ? exp(-distance2 / scale) : distance2 == 0;
}

static void make_row(const struct partial *b, int64_t i)
{
    const pen_partial_affinity *const sets = b->sets;
    const int64_t d = sets->x->d, n = sets->x->n;
    const int is_first = i < sets->first, is_one = sets->is_one;
    const int64_t from = is_one || !is_first ? 0 : sets->first,
                  to = is_one || is_first ? n : sets->first;
    double *restrict u = b->U + (i - b->at) * d, *restrict x = b->X + (i - b->at) * d, sum = 0;

    for (int64_t c = 0; c < d; c++) {
        x[c] = b->all[i * d + c];
        u[c] = 0;
    }
    for (int64_t j = from; j < to; j++) {
        const double weight = i == j ? 1 : affinity(sets, i, j), *restrict row = b->all + j * d;
        sum += weight;
        for (int64_t c = 0; c < d; c++)
            u[c] -= weight / 2 * row[c];
    }
    for (int64_t c = 0; c < d; c++)
        u[c] += sum / 2 * x[c];
    b->degree[i] = sum;
}

static void make_rows(void *context, int64_t task, int worker)
{
    const struct partial *b = context;
    const int64_t end = pen_min((task + 1) * SUB, b->count);

    (void)worker;
    for (int64_t i = task * SUB; i < end; i++)
        make_row(b, b->at + i);
}

pen_status pen_scatter_partial_affinities(pen_run *run, const pen_partial_affinity *sets,
                                          double *degree, pen_sym *S)
{
    const int64_t n = sets->x->n, d = sets->x->d, rows = pen_min(BLOCK, n);
    struct partial b = { .sets = sets, .degree = degree };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, b.X, pen_times(rows, d)));
    PEN_TRY(PEN_NEW(run, b.U, pen_times(rows, d)));
    PEN_TRY(PEN_NEW(run, b.all, pen_times(n, d)));
    if (n > 0)
        pen_rows_centered(sets->x, NULL, 0, n, b.all);
    for (b.at = 0; b.at < n; b.at += BLOCK) {
        b.count = pen_min(BLOCK, n - b.at);
        PEN_TRY(pen_progress(run, "affinities", b.at, n));
        PEN_TRY(pen_parallel(run, PEN_SILENT, (b.count + SUB - 1) / SUB, make_rows, &b));
        PEN_TRY(pen_sym_add_product(run, 1, PEN_F64, b.count, b.X, b.U, S));
    }
    pen_release(run, mark);
    return PEN_OK;
}
