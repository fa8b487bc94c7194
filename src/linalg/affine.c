/* affine.c - products in blocks of exactly 64 rows, the last one padded with zeros.
 *
 * A matrix product may round differently at its edges than in its interior, and differently for
 * other sizes. 64 rows are a whole number of register tiles of every known BLAS kernel
 * (tests/unit/test_transform.c tries each position in a block). With this fixed shape a row goes
 * through the same operations in the same order at any position. */
#include "linalg/affine.h"

#include "core/parallel.h"
#include "core/rows.h"
#include "core/sparse_array.h"
#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- z = W'(u v - mean) of sparse rows ----
 *
 *   z = sum over entries of W_j (u v_j - mean_j) - (sum over all of W_j mean_j - sum over entries)
 *
 * A column with an entry in most rows may be far from 0 in units of its deviation, so that the
 * difference in parentheses cancels. Every W_j mean_j is therefore split in two parts. The first is
 * a multiple of a unit that is coarse enough for sums of such parts to be exact. The second is the
 * remainder, which is small enough for its sums to need no more digits. The remaining sums are as
 * accurate as the columns without an entry, as if the row had been centered.
 *
 * It computes 16 dimensions at a time; each number is a sum over the entries of one row in order.
 * Stored zeros are skipped, so a row has the same bits with and without them. */

enum { SPARSE_ROWS = 256, WIDE = 16 };

/* For a column: W_j, and the two parts of W_j mean_j. */
struct column {
    double w[WIDE], coarse[WIDE], fine[WIDE];
};

struct sparse_apply {
    const pen_array *x;
    int unit;
    const double *mean;
    struct column *columns; /* [d] */
    struct column all;      /* sums of the parts */
    int64_t first, wide;    /* dimensions */
    pen_dtype type;
    char *z;
    int64_t stride;
    int64_t *first_bad; /* [tasks] first row without a representable result, or -1 */
};

/* The unit of a dimension, given the sum of |W_j mean_j|: sums of its multiples stay below 2^51
 * units, including the effect of rounding to the unit in fewer than 2^30 columns. */
static double unit_of(double total)
{
    int exponent;

    if (!(total > 0) || !isfinite(total))
        return 0;
    frexp(total, &exponent);
    return ldexp(1, (int)pen_max(exponent - 50, DBL_MIN_EXP));
}

/* The part of a value that is a multiple of `unit`. */
static double coarse_part(double value, double unit)
{
    return unit > 0 ? nearbyint(value / unit) * unit : 0;
}

/* Splits W_j mean_j of all columns for dimensions first .. first + wide - 1 of k. */
static void split(struct sparse_apply *a, const double *W, int64_t k)
{
    const int64_t d = a->x->cols;
    double total[WIDE] = { 0 }, unit[WIDE];

    memset(&a->all, 0, sizeof a->all);
    for (int64_t j = 0; j < d; j++) {
        struct column *const column = &a->columns[j];
        memset(column, 0, sizeof *column);
        for (int64_t c = 0; c < a->wide; c++) {
            column->w[c] = W[j * k + a->first + c];
            column->fine[c] = column->w[c] * a->mean[j];
            total[c] += fabs(column->fine[c]);
        }
    }
    for (int64_t c = 0; c < WIDE; c++)
        unit[c] = unit_of(total[c]);
    for (int64_t j = 0; j < d; j++) {
        struct column *const column = &a->columns[j];
        for (int64_t c = 0; c < a->wide; c++) {
            column->coarse[c] = coarse_part(column->fine[c], unit[c]);
            column->fine[c] -= column->coarse[c];
            a->all.coarse[c] += column->coarse[c];
            a->all.fine[c] += column->fine[c];
        }
    }
}

/* Projects one row into z [WIDE]. Returns 0 if a value is not finite. */
static int map_row(const struct sparse_apply *a, int64_t row, double *restrict z)
{
    const pen_array *const x = a->x;
    double coarse[WIDE] = { 0 }, fine[WIDE] = { 0 }, largest = 1, rest = 1, check = 0;

    if (a->unit)
        pen_sparse_length(x, row, &largest, &rest);
    for (int64_t c = 0; c < WIDE; c++)
        z[c] = 0;
    for (int64_t e = x->starts[row]; e < x->starts[row + 1]; e++) {
        const struct column *const column = &a->columns[x->columns[e]];
        const double value = pen_entry(x, e);
        if (value == 0)
            continue;
        const double centered = (a->unit ? value / largest / rest : value) - a->mean[x->columns[e]];
        check += centered * 0;
        for (int64_t c = 0; c < WIDE; c++) {
            z[c] += centered * column->w[c];
            coarse[c] += column->coarse[c];
            fine[c] += column->fine[c];
        }
    }
    for (int64_t c = 0; c < WIDE; c++)
        z[c] += (coarse[c] - a->all.coarse[c]) + (fine[c] - a->all.fine[c]);
    return check == 0;
}

static void apply_rows(void *context, int64_t task, int worker)
{
    const struct sparse_apply *a = context;
    const int64_t end = pen_min((task + 1) * SPARSE_ROWS, a->x->rows);
    double z[WIDE];

    (void)worker;
    a->first_bad[task] = -1;
    for (int64_t i = task * SPARSE_ROWS; i < end; i++)
        if ((!map_row(a, i, z)
             || !pen_store_row(a->type, a->wide, z, a->z, i * a->stride + a->first))
            && a->first_bad[task] < 0)
            a->first_bad[task] = i;
}

/* As pen_affine_apply, for sparse rows x. A row gives the same bits alone and in any batch. Cost: 6
 * k flops for each entry; memory: 48 doubles for each column. */
static pen_status apply_sparse(pen_run *run, const char *phase, const pen_array *x, int unit,
                               const double *mean, const double *W, int64_t k, pen_dtype type,
                               void *z, int64_t stride)
{
    const int64_t tasks = (x->rows + SPARSE_ROWS - 1) / SPARSE_ROWS;
    const pen_mark_t mark = pen_mark(run);
    struct sparse_apply a = {
        .x = x, .unit = unit, .mean = mean, .type = type, .z = z, .stride = stride
    };

    PEN_TRY(PEN_NEW(run, a.columns, x->cols));
    PEN_TRY(PEN_NEW(run, a.first_bad, tasks));
    for (a.first = 0; a.first < k; a.first += WIDE) {
        a.wide = pen_min(WIDE, k - a.first);
        split(&a, W, k);
        PEN_TRY(pen_parallel(run, PEN_PART(phase, a.first, a.first + a.wide, k), tasks, apply_rows,
                             &a));
        for (int64_t t = 0; t < tasks; t++)
            if (a.first_bad[t] >= 0)
                return pen_rows_refuse(run, x, a.first_bad[t]);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- dense rows ---- */

enum { ROWS = 64, TASK_BLOCKS = 8 };

struct apply {
    pen_run *run;
    pen_view rows;
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
        return apply_sparse(run, phase, x, unit, mean, W, k, type, z, stride);
    const int workers = pen_workers(run, tasks);
    const pen_mark_t mark = pen_mark(run);
    struct apply a = { .run = run, .k = k, .stride = stride, .type = type, .z = z };
    /* W in aligned scratch memory: the alignment of data may affect how products are rounded */
    double *aligned;

    a.rows = (pen_view){ .values = *x, .n = x->rows, .d = x->cols, .unit = unit, .mean = mean };
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
