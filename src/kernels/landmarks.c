/* landmarks.c - landmarks from a permutation, and by randomly pivoted Cholesky in blocks. */
#include "kernels/landmarks.h"

#include "core/rng.h"
#include "linalg/blas.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64, TASK = 512 };

/* Of k(x, x): a smaller residual is rounding. */
static const double RESIDUAL_NOISE = 1e-12;

/* Of the trace: a smaller sum of residuals ends the choice. */
static const double TRACE_NOISE = 1e-12;

const char *const pen_landmark_choice_names[] = { "cholesky", "random", NULL };

pen_status pen_landmarks_draw(pen_run *run, int64_t n, int64_t count, uint64_t seed, int64_t **rows)
{
    pen_rng rng = { seed };
    int64_t *order;

    PEN_TRY(PEN_NEW(run, *rows, count));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, order, n));
    pen_rng_permutation(&rng, n, order);
    memcpy(*rows, order, (size_t)count * sizeof *order);
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- a round of proposals ---- */

struct cholesky {
    const pen_kernel *kernel;
    const pen_rows *x;
    int64_t n, most, m; /* rows; landmarks to be found and found */
    int64_t *rows;      /* [most] landmarks */
    double *diagonal;   /* [n] k(x, x) */
    double *residual;   /* [n] */
    double *sums;       /* [n] running sums of residuals */
    double *F;          /* [n x most], the first m columns are set */
    pen_rng rng;

    int64_t proposed[BLOCK];
    double *H;      /* [BLOCK x BLOCK] residual kernel of the proposed rows, lower triangle */
    double *parts;  /* [BLOCK x most] their rows of F */
    int64_t added;  /* number of accepted rows */
    double *factor; /* [added x added] Cholesky factor of their residual kernel */
};

/* The running sums of the residuals; returns the sum of all. */
static double sum_residuals(struct cholesky *c)
{
    double sum = 0;

    for (int64_t i = 0; i < c->n; i++)
        c->sums[i] = sum += c->residual[i];
    return sum;
}

/* The first row whose running sum is above `target`, below the sum of all. A row without residual
 * has the sum of the row before it and is never found. */
static int64_t row_at(const struct cholesky *c, double target)
{
    int64_t low = 0, high = c->n - 1;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (c->sums[middle] > target)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void propose(struct cholesky *c)
{
    const double all = c->sums[c->n - 1];

    for (int64_t b = 0; b < BLOCK; b++)
        c->proposed[b] = row_at(c, pen_rng_uniform(&c->rng) * all);
}

/* Rows of F, consecutive in `parts`. */
static void gather_parts(struct cholesky *c, int64_t count, const int64_t *rows)
{
    for (int64_t b = 0; b < count; b++)
        memcpy(c->parts + b * c->m, c->F + rows[b] * c->most, (size_t)c->m * sizeof *c->parts);
}

/* H = K - F F' of the proposed rows. */
static pen_status find_residual_kernel(pen_run *run, struct cholesky *c)
{
    const pen_mark_t mark = pen_mark(run);
    pen_kernel_set set;

    PEN_TRY(pen_kernel_open(run, c->kernel, c->x, BLOCK, c->proposed, &set));
    PEN_TRY(pen_kernel_values(run, PEN_SILENT, &set, c->x, c->proposed, BLOCK, c->H, BLOCK));
    gather_parts(c, BLOCK, c->proposed);
    if (c->m > 0)
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, BLOCK, BLOCK, c->m, -1, c->parts, c->m,
                      c->parts, c->m, 1, c->H, BLOCK);
    for (int64_t b = 0; b < BLOCK; b++)
        c->H[b * BLOCK + b] = c->residual[c->proposed[b]];
    pen_release(run, mark);
    return PEN_OK;
}

/* Accepts a proposal: column `added` of the factor over all proposals, stored in column b of H, and
 * what it leaves of the residual kernel of the proposals after it. */
static void eliminate(struct cholesky *c, int64_t b)
{
    const double root = sqrt(c->H[b * BLOCK + b]);

    for (int64_t i = b; i < BLOCK; i++)
        c->H[i * BLOCK + b] /= root;
    for (int64_t i = b + 1; i < BLOCK; i++)
        for (int64_t j = b + 1; j <= i; j++)
            c->H[i * BLOCK + j] -= c->H[i * BLOCK + b] * c->H[j * BLOCK + b];
}

/* Goes through the proposals in order; each uses one random number, accepted or not. */
static void accept(struct cholesky *c)
{
    int64_t kept[BLOCK];

    c->added = 0;
    for (int64_t b = 0; b < BLOCK; b++) {
        const int64_t row = c->proposed[b];
        const double u = pen_rng_uniform(&c->rng), left = c->H[b * BLOCK + b];
        if (c->m + c->added == c->most || !(u * c->residual[row] < left)
            || !(left > RESIDUAL_NOISE * c->diagonal[row]))
            continue;
        eliminate(c, b);
        c->rows[c->m + c->added] = row;
        kept[c->added++] = b;
    }
    for (int64_t i = 0; i < c->added; i++)
        for (int64_t j = 0; j <= i; j++)
            c->factor[i * c->added + j] = c->H[kept[i] * BLOCK + kept[j]];
}

/* ---- the factor of all rows ---- */

/* Columns m .. m + added - 1 of F, which hold kernel values with the accepted rows: less what the
 * columns before them explain, and divided by the factor of the accepted rows. */
static void extend_rows(void *context, int64_t task, int worker)
{
    struct cholesky *const c = context;
    const int64_t first = task * TASK, count = pen_min(TASK, c->n - first), added = c->added;
    double *const F = c->F + first * c->most, *const columns = F + c->m;

    (void)worker;
    if (c->m > 0)
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, count, added, c->m, -1, F, c->most,
                      c->parts, c->m, 1, columns, c->most);
    pen_blas_solve_rows(count, added, c->factor, columns, c->most);
    for (int64_t i = 0; i < count; i++) {
        double *const residual = c->residual + first + i;
        for (int64_t j = 0; j < added; j++)
            *residual -= columns[i * c->most + j] * columns[i * c->most + j];
        if (!(*residual > RESIDUAL_NOISE * c->diagonal[first + i]))
            *residual = 0;
    }
}

static pen_status extend(pen_run *run, struct cholesky *c)
{
    const pen_mark_t mark = pen_mark(run);
    const int64_t *const rows = c->rows + c->m;
    pen_kernel_set set;

    PEN_TRY(pen_kernel_open(run, c->kernel, c->x, c->added, rows, &set));
    PEN_TRY(pen_kernel_values(run, PEN_PART("landmarks", c->m, c->m + c->added, c->most), &set,
                              c->x, NULL, c->n, c->F + c->m, c->most));
    gather_parts(c, c->added, rows);
    PEN_TRY(pen_parallel(run, PEN_SILENT, (c->n + TASK - 1) / TASK, extend_rows, c));
    for (int64_t j = 0; j < c->added; j++)
        c->residual[rows[j]] = 0;
    c->m += c->added;
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status allocate(pen_run *run, struct cholesky *c)
{
    PEN_TRY(PEN_NEW(run, c->diagonal, c->n));
    PEN_TRY(PEN_NEW(run, c->residual, c->n));
    PEN_TRY(PEN_NEW(run, c->sums, c->n));
    PEN_TRY(PEN_NEW(run, c->H, BLOCK * BLOCK));
    PEN_TRY(PEN_NEW(run, c->factor, BLOCK * BLOCK));
    return PEN_NEW(run, c->parts, pen_times(BLOCK, c->most));
}

pen_status pen_landmarks_cholesky(pen_run *run, const pen_kernel *kernel, const pen_rows *x,
                                  int64_t most, uint64_t seed, const int64_t **rows, int64_t *count,
                                  double **F, double *captured)
{
    struct cholesky c = { .kernel = kernel, .x = x, .n = x->n, .most = most, .rng = { seed } };

    PEN_TRY(PEN_NEW(run, c.rows, most));
    PEN_TRY(PEN_NEW(run, c.F, pen_times(c.n, most)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(allocate(run, &c));
    PEN_TRY(pen_kernel_diagonal(run, kernel, x, NULL, c.n, c.diagonal));
    memcpy(c.residual, c.diagonal, (size_t)c.n * sizeof *c.residual);
    const double trace = sum_residuals(&c);
    PEN_REQUIRE(run, trace > 0 && isfinite(trace), PEN_BAD_DATA,
                "the sum of the %s kernel values of rows with themselves must be finite and > 0, "
                "got %g",
                pen_kernel_names[kernel->kind], trace);
    while (c.m < most && sum_residuals(&c) > TRACE_NOISE * trace) {
        propose(&c);
        PEN_TRY(find_residual_kernel(run, &c));
        accept(&c);
        PEN_TRY(extend(run, &c));
    }
    *captured = 1 - sum_residuals(&c) / trace;
    for (int64_t i = 1; c.m < most && i < c.n; i++)
        memmove(c.F + i * c.m, c.F + i * most, (size_t)c.m * sizeof *c.F);
    *rows = c.rows;
    *count = c.m;
    *F = c.F;
    pen_release(run, mark);
    return PEN_OK;
}
