/* kernel.c - kernel values in blocks of exactly 128 rows, the last one padded with zeros, so that a
 * row has the same values at any position (see linalg/affine.c). A product packs all landmarks
 * again for each block: blocks of 64 rows are slower by a fifth, and larger ones hardly faster.
 *
 * Squared distances are expanded about the mean of the landmarks, |x|^2 + |z|^2 - 2 x.z. If most
 * digits cancel, or the squares overflow, they are recomputed from the differences. */
#include "kernels/kernel.h"

#include "core/memory.h"
#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* GROUP: rows prepared while they are in the first-level cache; a cache line, if columns are
 * contiguous */
enum { ROWS = PEN_KERNEL_ROWS, TASK = 4 * ROWS, GROUP = 8, LANES = 8 };

/* Relative to the sum of the squared lengths: a smaller squared distance has lost over 10 bits. */
static const double CANCELLED = 0x1p-10;

/* Rounding in the eigenvalues of a kernel matrix, relative to the largest. */
static const double DOUBLE_NOISE = 1e-12, SINGLE_NOISE = 1e-6, NEGATIVE = 1e-8;

/* Relative to the largest diagonal value: the largest difference of precomputed values across the
 * diagonal, and the largest excess over sqrt(k(x, x) k(z, z)) that rounding can cause. */
static const double SYMMETRY = 1e-6, SURPLUS = 1e-3;

const char *const pen_kernel_names[] = { "none",       "linear", "rbf",         "laplacian",
                                         "polynomial", "cosine", "precomputed", NULL };

/* ---- one row ---- */

/* The sum of squared or absolute differences, in eight independent sums to hide the latency of
 * additions. */
static double difference2(const double *restrict x, const double *restrict z, int64_t d)
{
    double sum[LANES] = { 0 }, all = 0;
    int64_t j = 0;

    for (; j + LANES <= d; j += LANES)
        for (int64_t i = 0; i < LANES; i++) {
            const double t = x[j + i] - z[j + i];
            sum[i] += t * t;
        }
    for (; j < d; j++)
        all += (x[j] - z[j]) * (x[j] - z[j]);
    for (int64_t i = 0; i < LANES; i++)
        all += sum[i];
    return all;
}

static double difference1(const double *restrict x, const double *restrict z, int64_t d)
{
    double sum[LANES] = { 0 }, all = 0;
    int64_t j = 0;

    for (; j + LANES <= d; j += LANES)
        for (int64_t i = 0; i < LANES; i++)
            sum[i] += fabs(x[j + i] - z[j + i]);
    for (; j < d; j++)
        all += fabs(x[j] - z[j]);
    for (int64_t i = 0; i < LANES; i++)
        all += sum[i];
    return all;
}

/* Divides a row by its length, of any magnitude; leaves a row of zeros. */
static void to_unit(double *x, int64_t d)
{
    double largest = 0, square;

    for (int64_t j = 0; j < d; j++)
        largest = fmax(largest, fabs(x[j]));
    if (!(largest > 0))
        return;
    for (int64_t j = 0; j < d; j++)
        x[j] /= largest;
    pen_squared_lengths(PEN_F64, x, 1, d, &square);
    for (int64_t j = 0; j < d; j++)
        x[j] /= sqrt(square);
}

/* base^exponent by repeated squaring. */
static double power(double base, int64_t exponent)
{
    double result = 1;

    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2)
            result *= base;
        base = exponent > 1 ? base * base : base;
    }
    return result;
}

/* Kernel values from products x.z or distances, in place. */
static void finish(const pen_kernel *kernel, int64_t count, double *K)
{
    if (kernel->kind == PEN_KERNEL_POLYNOMIAL)
        for (int64_t j = 0; j < count; j++)
            K[j] = power(kernel->gamma * K[j] + kernel->coef0, kernel->degree);
    if (kernel->kind == PEN_KERNEL_RBF || kernel->kind == PEN_KERNEL_LAPLACIAN)
        for (int64_t j = 0; j < count; j++)
            K[j] = exp(-kernel->gamma * K[j]);
}

/* ---- one block of rows ---- */

/* Prepares coordinates [count x d] for products with the landmarks, which were prepared the same
 * way. */
static void prepare(const pen_kernel_set *set, int64_t count, double *rows)
{
    for (int64_t i = 0; i < count; i++) {
        double *const row = rows + i * set->d;
        for (int64_t j = 0; set->center && j < set->d; j++)
            row[j] -= set->center[j];
        if (set->kernel.kind == PEN_KERNEL_COSINE)
            to_unit(row, set->d);
    }
}

/* Converts products of a row of squared length `length` with the landmarks to squared distances, in
 * place. */
static void row_distances(const pen_kernel_set *set, const double *row, double length,
                          double *restrict K)
{
    const double *restrict squares = set->squares;
    int cancelled = 0;

    for (int64_t j = 0; j < set->m; j++) {
        const double sum = length + squares[j];
        K[j] = sum - 2 * K[j];
        cancelled |= !(K[j] > CANCELLED * sum) | !(sum <= DBL_MAX);
    }
    for (int64_t j = 0; cancelled && j < set->m; j++) {
        const double sum = length + squares[j];
        if (!(K[j] > CANCELLED * sum && sum <= DBL_MAX))
            K[j] = difference2(row, set->rows + j * set->d, set->d);
    }
}

/* Products x.z, distances, or precomputed values K [ROWS x m] of a prepared block [ROWS x d]. Only
 * the product has a fixed shape; work on single rows stops after `count` rows. */
static void multiply(const pen_kernel_set *set, int64_t count, const double *block, double *K)
{
    const int64_t m = set->m, d = set->d;

    memset(K + count * m, 0, (size_t)((ROWS - count) * m) * sizeof *K);
    if (set->columns) {
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < m; j++)
                K[i * m + j] = block[i * d + set->columns[j]];
        return;
    }
    if (set->kernel.kind == PEN_KERNEL_LAPLACIAN) {
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < m; j++)
                K[i * m + j] = difference1(block + i * d, set->rows + j * d, d);
        return;
    }
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, ROWS, m, d, 1, block, d, set->rows, d, 0, K,
                  m);
    if (set->kernel.kind == PEN_KERNEL_RBF) {
        double lengths[ROWS];
        pen_squared_lengths(PEN_F64, block, count, d, lengths);
        for (int64_t i = 0; i < count; i++)
            row_distances(set, block + i * d, lengths[i], K + i * m);
    }
}

/* ---- landmarks ---- */

static pen_status find_center(pen_run *run, int64_t m, int64_t d, const double *rows,
                              const double **out)
{
    double *center;

    PEN_TRY(PEN_FILLED(run, center, d, 0));
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < d; j++)
            center[j] += rows[i * d + j] / (double)m;
    *out = center;
    return PEN_OK;
}

static pen_status open_columns(pen_run *run, int64_t m, const int64_t *rows, pen_kernel_set *set)
{
    int64_t *columns;

    PEN_TRY(PEN_NEW(run, columns, m));
    for (int64_t j = 0; j < m; j++)
        columns[j] = rows ? rows[j] : j;
    set->columns = columns;
    return PEN_OK;
}

pen_status pen_kernel_open(pen_run *run, const pen_kernel *kernel, const pen_view *x, int64_t m,
                           const int64_t *rows, pen_kernel_set *out)
{
    double *landmarks, *squares;

    *out = (pen_kernel_set){ .kernel = *kernel, .m = m, .d = x->d };
    if (kernel->kind == PEN_KERNEL_PRECOMPUTED)
        return open_columns(run, m, rows, out);
    if (pen_rows_are_sparse(x)) /* landmarks are dense, here and in the model */
        PEN_TRY(pen_memory_check(run, pen_times(2 * m * (int64_t)sizeof(double), x->d),
                                 "landmarks of a kernel, which are dense in all columns,"));
    PEN_TRY(PEN_NEW(run, landmarks, pen_times(m, x->d)));
    pen_rows_centered(x, rows, 0, m, landmarks);
    if (kernel->kind == PEN_KERNEL_RBF)
        PEN_TRY(find_center(run, m, x->d, landmarks, &out->center));
    prepare(out, m, landmarks);
    out->rows = landmarks;
    if (kernel->kind == PEN_KERNEL_RBF) {
        PEN_TRY(PEN_NEW(run, squares, m));
        pen_squared_lengths(PEN_F64, landmarks, m, x->d, squares);
        out->squares = squares;
    }
    return PEN_OK;
}

/* ---- all rows ---- */

/* The first row of a task without a result, and the landmark whose value overflows; -1: none. */
struct fault {
    int64_t row, landmark;
};

struct apply {
    pen_run *run;
    const pen_kernel_set *set;
    const pen_view *x;
    const int64_t *members;
    int64_t count;
    int distances;         /* 1: distances, not kernel values */
    pen_kernel_use_fn use; /* receives the values; NULL: stores them, or their product with W */
    void *context;
    const double *mean, *W;
    int64_t k, stride;
    pen_dtype type;
    void *z;
    char *empty;        /* [count] or NULL */
    pen_slices block;   /* [ROWS x d] */
    pen_slices values;  /* [ROWS x m] */
    pen_slices product; /* [ROWS x k], with W */
    struct fault *faults;
};

/* The first number in from [count] that is not finite; -1: none. */
static int64_t first_overflow(int64_t count, const double *from)
{
    int64_t c = 0;

    if (pen_all_finite(from, count))
        return -1;
    while (isfinite(from[c]))
        c++;
    return c;
}

/* Results first .. first + count - 1 from the values and products of their block. */
static void store_block(const struct apply *a, int64_t first, int64_t count, const double *results,
                        struct fault *fault)
{
    for (int64_t i = 0; i < count && fault->row < 0; i++)
        if (!pen_store_row(a->type, a->k, results + i * a->k, a->z, (first + i) * a->stride))
            *fault = (struct fault){ first + i, -1 };
}

/* Finds the prepared coordinates of a block, and the first row with a value that is not finite. */
static void find_rows(const struct apply *a, int64_t first, int64_t count, double *block,
                      struct fault *fault)
{
    const int64_t d = a->set->d;
    const int whole_numbers = a->x->values.dtype == PEN_U8; /* always finite */

    for (int64_t from = 0; from < count; from += GROUP) {
        const int64_t group = pen_min(GROUP, count - from);
        double *const rows = block + from * d;
        pen_rows_centered(a->x, a->members, first + from, group, rows);
        for (int64_t i = 0; !whole_numbers && i < group && fault->row < 0; i++)
            if (!pen_all_finite(rows + i * d, d))
                *fault = (struct fault){ first + from + i, -1 };
        prepare(a->set, group, rows);
    }
    memset(block + count * d, 0, (size_t)((ROWS - count) * d) * sizeof *block);
}

/* Computes the values of a block, and finds values that cannot be used. */
static void find_values(const struct apply *a, int64_t first, int64_t count, double *block,
                        double *K, struct fault *fault)
{
    const int64_t m = a->set->m;

    find_rows(a, first, count, block, fault);
    multiply(a->set, count, block, K);
    if (!a->distances)
        finish(&a->set->kernel, count * m, K);
    for (int64_t i = 0; i < count && fault->row < 0; i++) {
        const int64_t landmark = first_overflow(m, K + i * m);
        if (landmark >= 0)
            *fault = (struct fault){ first + i, landmark };
    }
}

/* Passes values K [ROWS x m] of a block to their destination. */
static void use_values(const struct apply *a, int64_t first, int64_t count, double *K,
                       double *product, struct fault *fault)
{
    const int64_t m = a->set->m;

    if (a->use) {
        if (fault->row < 0)
            a->use(a->context, first, count, K);
        return;
    }
    for (int64_t i = 0; a->empty && i < count; i++) {
        int64_t zeros = 0;
        while (zeros < m && K[i * m + zeros] == 0)
            zeros++;
        a->empty[first + i] = zeros == m;
    }
    for (int64_t i = 0; a->mean && i < ROWS; i++)
        for (int64_t j = 0; j < m; j++)
            K[i * m + j] -= a->mean[j];
    if (a->W)
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, ROWS, a->k, m, 1, K, m, a->W, a->k, 0, product,
                      a->k);
    store_block(a, first, count, a->W ? product : K, fault);
}

static void apply_blocks(void *context, int64_t task, int worker)
{
    const struct apply *a = context;
    const int64_t end = pen_min(a->count, (task + 1) * TASK);
    double *const K = pen_slice(&a->values, worker);
    struct fault *const fault = a->faults + task;

    *fault = (struct fault){ -1, -1 };
    for (int64_t first = task * TASK; first < end && fault->row < 0 && !pen_stopped(a->run, worker);
         first += ROWS) {
        const int64_t count = pen_min(ROWS, end - first);
        find_values(a, first, count, pen_slice(&a->block, worker), K, fault);
        use_values(a, first, count, K, pen_slice(&a->product, worker), fault);
    }
}

static pen_status refuse(const struct apply *a, struct fault fault)
{
    const int64_t row = a->members ? a->members[fault.row] : fault.row;

    PEN_REQUIRE(a->run, fault.landmark < 0, PEN_BAD_DATA,
                "row %lld (counted from 0): its %s kernel value with landmark %lld overflows",
                (long long)row, pen_kernel_names[a->set->kernel.kind], (long long)fault.landmark);
    return pen_rows_refuse(a->run, &a->x->values, row);
}

static pen_status run_apply(pen_run *run, pen_phase phase, struct apply *a)
{
    const int64_t tasks = (a->count + TASK - 1) / TASK, m = a->set->m;
    const int workers = pen_workers(run, tasks);
    const pen_mark_t mark = pen_mark(run);
    /* W in aligned scratch memory: the alignment of data may affect how products are rounded */
    double *aligned;

    a->run = run;
    if (a->W) {
        PEN_TRY(PEN_NEW(run, aligned, pen_times(m, a->k)));
        memcpy(aligned, a->W, (size_t)(m * a->k) * sizeof *aligned);
        a->W = aligned;
    }
    PEN_TRY(pen_slices_new(run, workers, pen_times(ROWS, a->set->d), sizeof(double), &a->block));
    PEN_TRY(pen_slices_new(run, workers, pen_times(ROWS, m), sizeof(double), &a->values));
    PEN_TRY(pen_slices_new(run, workers, a->W ? pen_times(ROWS, a->k) : 0, sizeof(double),
                           &a->product));
    PEN_TRY(PEN_NEW(run, a->faults, tasks));
    PEN_TRY(pen_parallel(run, phase, tasks, apply_blocks, a));
    for (int64_t t = 0; t < tasks; t++)
        if (a->faults[t].row >= 0)
            return refuse(a, a->faults[t]);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_kernel_values(pen_run *run, pen_phase phase, const pen_kernel_set *set,
                             int distances, const pen_view *x, const int64_t *members,
                             int64_t count, double *K, int64_t stride)
{
    struct apply a = { .set = set,
                       .x = x,
                       .members = members,
                       .count = count,
                       .distances = distances,
                       .k = set->m,
                       .stride = stride,
                       .type = PEN_F64,
                       .z = K };
    return run_apply(run, phase, &a);
}

pen_status pen_kernel_apply(pen_run *run, const char *phase, const pen_kernel_set *set,
                            const pen_view *x, const double *mean, const double *W, int64_t k,
                            pen_dtype type, void *z, int64_t stride, char *empty)
{
    struct apply a = { .set = set,
                       .x = x,
                       .count = x->n,
                       .mean = mean,
                       .W = W,
                       .k = k,
                       .stride = stride,
                       .type = type,
                       .z = z,
                       .empty = empty };
    return run_apply(run, PEN_WHOLE(phase), &a);
}

pen_status pen_kernel_blocks(pen_run *run, pen_phase phase, const pen_kernel_set *set,
                             const pen_view *x, pen_kernel_use_fn use, void *context)
{
    struct apply a = { .set = set, .x = x, .count = x->n, .use = use, .context = context };
    return run_apply(run, phase, &a);
}

/* ---- the diagonal ---- */

struct diagonal {
    const pen_kernel *kernel;
    const pen_view *x;
    const int64_t *members;
    int64_t n;
    pen_slices block; /* [ROWS x d] */
    double *values;
    int64_t *first_bad; /* [tasks] first row with a value that is not finite, or -1 */
};

/* k(x, x) of a row x; for cosine, x has length 1 or 0. */
static double with_itself(const struct diagonal *a, int64_t i, const double *x)
{
    double value;

    switch (a->kernel->kind) {
    case PEN_KERNEL_RBF:
    case PEN_KERNEL_LAPLACIAN:
        return 1;
    case PEN_KERNEL_PRECOMPUTED:
        return x[a->members ? a->members[i] : i];
    default:
        pen_squared_lengths(PEN_F64, x, 1, a->x->d, &value);
        if (a->kernel->kind == PEN_KERNEL_COSINE)
            return value > 0;
        finish(a->kernel, 1, &value);
        return value;
    }
}

static void diagonal_of_block(void *context, int64_t task, int worker)
{
    const struct diagonal *a = context;
    const int64_t d = a->x->d, first = task * ROWS, count = pen_min(ROWS, a->n - first);
    double *const block = pen_slice(&a->block, worker);

    a->first_bad[task] = -1;
    pen_rows_centered(a->x, a->members, first, count, block);
    for (int64_t i = 0; i < count; i++) {
        double *const row = block + i * d;
        if (!pen_all_finite(row, d) && a->first_bad[task] < 0)
            a->first_bad[task] = first + i;
        if (a->kernel->kind == PEN_KERNEL_COSINE)
            to_unit(row, d);
        a->values[first + i] = with_itself(a, first + i, row);
    }
}

pen_status pen_kernel_diagonal(pen_run *run, const pen_kernel *kernel, const pen_view *x,
                               const int64_t *members, int64_t n, double *diagonal)
{
    const int64_t tasks = (n + ROWS - 1) / ROWS;
    const pen_mark_t mark = pen_mark(run);
    struct diagonal a = {
        .kernel = kernel, .x = x, .members = members, .n = n, .values = diagonal
    };

    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), pen_times(ROWS, x->d), sizeof(double),
                           &a.block));
    PEN_TRY(PEN_NEW(run, a.first_bad, tasks));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, diagonal_of_block, &a));
    for (int64_t t = 0; t < tasks; t++)
        if (a.first_bad[t] >= 0)
            return pen_rows_refuse(run, &x->values,
                                   members ? members[a.first_bad[t]] : a.first_bad[t]);
    for (int64_t i = 0; i < n; i++)
        PEN_REQUIRE(run, diagonal[i] >= 0 && diagonal[i] <= DBL_MAX, PEN_BAD_DATA,
                    "row %lld (counted from 0): its %s kernel value with itself must be finite and "
                    ">= 0, got %g",
                    (long long)(members ? members[i] : i), pen_kernel_names[kernel->kind],
                    diagonal[i]);
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- precomputed values ---- */

double pen_kernel_noise(const pen_kernel *kernel, const pen_view *x)
{
    return kernel->kind == PEN_KERNEL_PRECOMPUTED && x->values.dtype == PEN_F32 ? SINGLE_NOISE
                                                                                : DOUBLE_NOISE;
}

double pen_kernel_negative(const pen_kernel *kernel, const pen_view *x)
{
    return fmax(NEGATIVE, pen_kernel_noise(kernel, x));
}

struct square {
    const pen_array *values;
    double *root;     /* [n] of the diagonal */
    double most;      /* largest difference of values across the diagonal */
    double surplus;   /* largest excess of a value over the product of two roots */
    pen_slices tiles; /* [2 x ROWS x ROWS] */
    int64_t *bad;     /* [tasks] position of the first excessive difference, or -1 */
};

/* Compares a band of rows below the diagonal with the columns across, and with the diagonal. */
static void compare_band(void *context, int64_t task, int worker)
{
    const struct square *s = context;
    const int64_t first = task * ROWS, high = pen_min(ROWS, s->values->rows - first);
    double *const tile = pen_slice(&s->tiles, worker), *const across = tile + ROWS * ROWS;

    s->bad[task] = -1;
    for (int64_t left = 0; left <= first && s->bad[task] < 0; left += ROWS) {
        const int64_t wide = pen_min(ROWS, s->values->rows - left);
        pen_array_gather(s->values, NULL, first, high, left, wide, PEN_F64, tile);
        pen_array_gather(s->values, NULL, left, wide, first, high, PEN_F64, across);
        for (int64_t i = 0; i < high; i++)
            for (int64_t j = 0; j < wide && left + j < first + i; j++) {
                const double value = tile[i * wide + j],
                             bound = s->root[first + i] * s->root[left + j] + s->surplus;
                if (!(fabs(value - across[j * high + i]) <= s->most && fabs(value) <= bound)
                    && s->bad[task] < 0)
                    s->bad[task] = (first + i) * s->values->rows + left + j;
            }
    }
}

pen_status pen_kernel_check_square(pen_run *run, const pen_view *x)
{
    const pen_array *const values = &x->values;
    const int64_t n = values->rows, tasks = (n + ROWS - 1) / ROWS;
    const pen_mark_t mark = pen_mark(run);
    struct square s = { .values = values };
    double largest = 0;

    PEN_REQUIRE(run, values->cols == n, PEN_BAD_DATA,
                "a precomputed kernel must have as many columns as rows, got %lld rows, %lld "
                "columns",
                (long long)n, (long long)values->cols);
    PEN_TRY(PEN_NEW(run, s.root, n));
    for (int64_t i = 0; i < n; i++) {
        const double value = pen_value_at(values, i, i);
        s.root[i] = value < 0 ? (double)INFINITY : sqrt(value); /* < 0 is refused with the values */
        largest = fmax(largest, fabs(value));
    }
    s.most = SYMMETRY * largest;
    s.surplus = SURPLUS * largest;
    PEN_TRY(
        pen_slices_new(run, pen_workers(run, tasks), 2 * ROWS * ROWS, sizeof(double), &s.tiles));
    PEN_TRY(PEN_NEW(run, s.bad, tasks));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, compare_band, &s));
    for (int64_t t = 0; t < tasks; t++) {
        const int64_t i = s.bad[t] / n, j = s.bad[t] % n;
        if (s.bad[t] < 0)
            continue;
        const double value = pen_value_at(values, i, j), across = pen_value_at(values, j, i);
        PEN_REQUIRE(
            run, fabs(value - across) <= SYMMETRY * fmax(largest, fmax(fabs(value), fabs(across))),
            PEN_BAD_DATA,
            "a precomputed kernel must be symmetric, got %g at row %lld, column %lld "
            "(counted from 0), %g across",
            value, (long long)i, (long long)j, across);
        const char *const way = ": are these distances D? exp(-gamma D^2) is large for near rows";
        return pen_fail(run, PEN_BAD_DATA,
                        "a precomputed kernel must have k(x, z)^2 <= k(x, x) k(z, z), got %g at "
                        "row %lld, column %lld (counted from 0), %g and %g on the diagonal%s",
                        value, (long long)i, (long long)j, pen_value_at(values, i, i),
                        pen_value_at(values, j, j), largest <= SYMMETRY * fabs(value) ? way : "");
    }
    pen_release(run, mark);
    return PEN_OK;
}
