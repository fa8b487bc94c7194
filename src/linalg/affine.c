/* affine.c - products in blocks of exactly 64 rows, the last one padded with zeros.
 *
 * A matrix product may round differently at its edges than in its interior, and differently for
 * other sizes. 64 rows are a whole number of register tiles of every known BLAS kernel
 * (tests/unit/test_transform.c tries each position in a block), so with this fixed shape a row goes
 * through the same operations in the same order wherever it stands. */
#include "linalg/affine.h"

#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/sparse_affine.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = 64, TASK_BLOCKS = 8 };

struct apply {
    pen_run *run;
    pen_rows rows;
    const double *W;
    int64_t k, stride;
    pen_dtype type;
    void *z;
    pen_slices block;   /* [ROWS x d] */
    pen_slices product; /* [ROWS x k] */
    int64_t *first_bad; /* [tasks] first row without a representable result, or -1 */
};

static void apply_blocks(void *context, int64_t task, int worker)
{
    struct apply *a = context;
    const int64_t d = a->rows.d, n = a->rows.n, end = pen_min(n, (task + 1) * TASK_BLOCKS * ROWS);
    double *const block = pen_slice(&a->block, worker);
    double *const product = pen_slice(&a->product, worker);

    a->first_bad[task] = -1;
    for (int64_t first = task * TASK_BLOCKS * ROWS; first < end && !pen_stopped(a->run, worker);
         first += ROWS) {
        const int64_t count = pen_min(ROWS, n - first);
        pen_rows_centered(&a->rows, NULL, first, count, block);
        memset(block + count * d, 0, (size_t)((ROWS - count) * d) * sizeof *block);
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, ROWS, a->k, d, 1, block, d, a->W, a->k, 0,
                      product, a->k);
        for (int64_t i = 0; i < count; i++)
            /* Infinity times 0 is NaN in some BLAS and 0 in others, so the row itself is
             * checked. */
            if ((!pen_all_finite(block + i * d, d)
                 || !pen_store_row(a->type, a->k, product + i * a->k, a->z,
                                   (first + i) * a->stride))
                && a->first_bad[task] < 0)
                a->first_bad[task] = first + i;
    }
}

pen_status pen_affine_apply(pen_run *run, const char *phase, const pen_array *x, int unit,
                            const double *mean, const double *W, int64_t k, pen_dtype type, void *z,
                            int64_t stride)
{
    const int64_t tasks = (x->rows + ROWS * TASK_BLOCKS - 1) / (ROWS * TASK_BLOCKS);

    if (pen_is_sparse(x))
        return pen_sparse_affine_apply(run, phase, x, unit, mean, W, k, type, z, stride);
    const int workers = pen_workers(run, tasks);
    const pen_mark_t mark = pen_mark(run);
    struct apply a = { .run = run, .k = k, .stride = stride, .type = type, .z = z };
    /* W in aligned scratch memory: the alignment of data may affect how products are rounded */
    double *aligned;

    a.rows = (pen_rows){ .values = *x, .n = x->rows, .d = x->cols, .unit = unit, .mean = mean };
    PEN_TRY(PEN_NEW(run, aligned, pen_times(x->cols, k)));
    memcpy(aligned, W, (size_t)(x->cols * k) * sizeof *aligned);
    PEN_TRY(pen_slices_new(run, workers, pen_times(ROWS, x->cols), sizeof(double), &a.block));
    PEN_TRY(pen_slices_new(run, workers, pen_times(ROWS, k), sizeof(double), &a.product));
    PEN_TRY(PEN_NEW(run, a.first_bad, tasks));
    a.W = aligned;
    PEN_TRY(pen_parallel(run, PEN_WHOLE(phase), tasks, apply_blocks, &a));
    for (int64_t t = 0; t < tasks; t++)
        if (a.first_bad[t] >= 0)
            return pen_rows_refuse(run, x, a.first_bad[t]);
    pen_release(run, mark);
    return PEN_OK;
}
