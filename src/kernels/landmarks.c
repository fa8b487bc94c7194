/* landmarks.c - landmarks by randomly pivoted Cholesky in blocks. */
#include "kernels/landmarks.h"

#include "core/rng.h"
#include "linalg/blas.h"
#include "linalg/cholesky.h"

#include <math.h>
#include <string.h>

/* The number of proposals in a round: least and most. */
enum { FEWEST = 64, BLOCK = 256 };

/* Columns of a triangular factor to multiply together. */
enum { PANEL = 128 };

/* ---- a round of proposals ---- */

struct cholesky {
    const pen_kernel *kernel;
    const pen_view *x;
    const int64_t *order; /* [n] the order for summing residuals; NULL: by number */
    int64_t n, most, m;   /* number of rows; of landmarks to find, and found */
    int64_t *rows;        /* [most] landmarks */
    double noise;         /* of k(x, x), and of the trace: smaller residuals are rounding */
    double negative;      /* of k(x, x): residuals below minus this mean that it is no kernel */
    double *diagonal;     /* [n] k(x, x) */
    double *residual;     /* [n] */
    double *sums;         /* [n] running sums of residuals in `order` */
    double *F;            /* [whole blocks x most], the first m columns are set; padding: 0 */
    pen_rng rng;

    int64_t count; /* number of proposals */
    int64_t proposed[BLOCK];
    double *H;       /* [count x count] residual kernel of the proposed rows, lower triangle */
    double *parts;   /* [count x most] their rows of F */
    int64_t added;   /* number of accepted rows */
    double *factor;  /* [added x added] Cholesky factor of their residual kernel */
    double *inverse; /* [added x added] of the transposed factor */
};

/* Computes the running sums of the residuals; returns the sum of all. */
static double sum_residuals(struct cholesky *c)
{
    double sum = 0;

    for (int64_t i = 0; i < c->n; i++)
        c->sums[i] = sum += c->residual[c->order ? c->order[i] : i];
    return sum;
}

/* The first row whose running sum is above `target`, which is below the sum of all. A row without
 * residual has the running sum of the previous row and is never found. */
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
    return c->order ? c->order[low] : low;
}

/* The number of proposals equals the number of landmarks. A round costs a pass over all rows; with
 * more draws there are fewer rounds, but more of their rows are rejected. */
static int64_t round_after(int64_t landmarks)
{
    return pen_min(BLOCK, landmarks > FEWEST ? landmarks : FEWEST);
}

static void propose(struct cholesky *c)
{
    const double all = c->sums[c->n - 1];

    c->count = round_after(c->m);
    for (int64_t b = 0; b < c->count; b++)
        c->proposed[b] = row_at(c, pen_rng_uniform(&c->rng) * all);
}

/* Copies rows of F into `parts`, one after another. */
static void gather_parts(struct cholesky *c, int64_t count, const int64_t *rows)
{
    for (int64_t b = 0; b < count; b++)
        memcpy(c->parts + b * c->m, c->F + rows[b] * c->most, (size_t)c->m * sizeof *c->parts);
}

/* H = K - F F' for the proposed rows. */
static pen_status find_residual_kernel(pen_run *run, struct cholesky *c)
{
    const int64_t count = c->count;
    const pen_mark_t mark = pen_mark(run);
    pen_kernel_set set;

    PEN_TRY(pen_kernel_open(run, c->kernel, c->x, count, c->proposed, &set));
    PEN_TRY(pen_kernel_values(run, PEN_SILENT, &set, 0, c->x, c->proposed, count, c->H, count));
    gather_parts(c, count, c->proposed);
    if (c->m > 0)
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, count, count, c->m, -1, c->parts, c->m,
                      c->parts, c->m, 1, c->H, count);
    for (int64_t b = 0; b < count; b++)
        c->H[b * count + b] = c->residual[c->proposed[b]];
    pen_release(run, mark);
    return PEN_OK;
}

/* Accepts a proposal: computes column `added` of the factor over all proposals, stored in column b
 * of H, and updates the residual kernel of later proposals. */
static void eliminate(struct cholesky *c, int64_t b)
{
    const int64_t count = c->count;
    double *const H = c->H;
    const double root = sqrt(H[b * count + b]);
    double column[BLOCK];

    for (int64_t i = b; i < count; i++)
        column[i] = H[i * count + b] /= root;
    for (int64_t i = b + 1; i < count; i++)
        for (int64_t j = b + 1; j <= i; j++)
            H[i * count + j] -= column[i] * column[j];
}

/* Tries the proposals in order; each uses one random number, accepted or not. */
static void accept(struct cholesky *c)
{
    const int64_t count = c->count;
    int64_t kept[BLOCK];

    c->added = 0;
    for (int64_t b = 0; b < count; b++) {
        const int64_t row = c->proposed[b];
        const double u = pen_rng_uniform(&c->rng), left = c->H[b * count + b];
        if (c->m + c->added == c->most || !(u * c->residual[row] < left)
            || !(left > c->noise * c->diagonal[row]))
            continue;
        eliminate(c, b);
        c->rows[c->m + c->added] = row;
        kept[c->added++] = b;
    }
    for (int64_t i = 0; i < c->added; i++)
        for (int64_t j = 0; j <= i; j++)
            c->factor[i * c->added + j] = c->H[kept[i] * count + kept[j]];
}

/* ---- the factor of all rows ---- */

/* Columns m .. m + added - 1 of F for a block of rows with values K [block x added]: subtracts what
 * earlier columns explain, and divides by the factor of the accepted rows. Padding is included, so
 * that equal rows have equal bits. */
static void extend_block(void *context, int64_t first, int64_t count, double *K)
{
    struct cholesky *const c = context;
    const int64_t added = c->added;
    double *const F = c->F + first * c->most;

    if (c->m > 0)
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, PEN_KERNEL_ROWS, added, c->m, -1, F,
                      c->most, c->parts, c->m, 1, K, added);
    for (int64_t from = 0; from < added; from += PANEL) {
        const int64_t wide = pen_min(PANEL, added - from);
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, PEN_KERNEL_ROWS, wide, from + wide, 1, K,
                      added, c->inverse + from, added, 0, F + c->m + from, c->most);
    }
    for (int64_t i = 0; i < count; i++) {
        double *const residual = c->residual + first + i;
        double length;
        pen_squared_lengths(PEN_F64, F + i * c->most + c->m, 1, added, &length);
        *residual -= length;
        const double size = c->diagonal[first + i];
        if (*residual >= -c->negative * size && *residual <= c->noise * size)
            *residual = 0;
    }
}

static pen_status extend(pen_run *run, struct cholesky *c)
{
    const pen_mark_t mark = pen_mark(run);
    const int64_t *const rows = c->rows + c->m;
    pen_kernel_set set;

    PEN_TRY(pen_kernel_open(run, c->kernel, c->x, c->added, rows, &set));
    gather_parts(c, c->added, rows);
    /* products with the inverse are much faster than substitution, and as accurate for a factor
     * whose errors have that size */
    pen_invert_factor(c->added, c->factor, c->inverse);
    PEN_TRY(pen_kernel_blocks(run, PEN_PART("landmarks", c->m, c->m + c->added, c->most), &set,
                              c->x, extend_block, c));
    for (int64_t j = 0; j < c->added; j++)
        c->residual[rows[j]] = 0;
    for (int64_t i = 0; i < c->n; i++)
        PEN_REQUIRE(run, c->residual[i] >= 0, PEN_BAD_DATA,
                    "the %s kernel matrix is not positive semidefinite: with landmarks a direction "
                    "of row %lld (counted from 0) has the squared length %g",
                    pen_kernel_names[c->kernel->kind], (long long)i, c->residual[i]);
    c->m += c->added;
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status allocate(pen_run *run, struct cholesky *c)
{
    const int64_t round = round_after(c->most);

    PEN_TRY(PEN_NEW3(run, c->diagonal, c->residual, c->sums, c->n));
    PEN_TRY(PEN_NEW3(run, c->H, c->factor, c->inverse, pen_times(round, round)));
    return PEN_NEW(run, c->parts, pen_times(round, c->most));
}

pen_status pen_landmarks_cholesky(pen_run *run, const pen_kernel *kernel, const pen_view *x,
                                  const int64_t *order, int64_t most, uint64_t seed,
                                  const int64_t **rows, int64_t *count, double **F,
                                  double *captured)
{
    struct cholesky c = { .kernel = kernel,
                          .x = x,
                          .order = order,
                          .n = x->n,
                          .most = most,
                          .rng = { seed },
                          .noise = pen_kernel_noise(kernel, x),
                          .negative = pen_kernel_negative(kernel, x) };

    const int64_t padded = (c.n + PEN_KERNEL_ROWS - 1) / PEN_KERNEL_ROWS * PEN_KERNEL_ROWS;
    PEN_TRY(PEN_NEW(run, c.rows, most));
    PEN_TRY(PEN_NEW(run, c.F, pen_times(padded, most)));
    memset(c.F + c.n * most, 0, (size_t)((padded - c.n) * most) * sizeof *c.F);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(allocate(run, &c));
    PEN_TRY(pen_kernel_diagonal(run, kernel, x, NULL, c.n, c.diagonal));
    memcpy(c.residual, c.diagonal, (size_t)c.n * sizeof *c.residual);
    const double trace = sum_residuals(&c);
    PEN_REQUIRE(run, trace > 0 && isfinite(trace), PEN_BAD_DATA,
                "the sum of the %s kernel values of rows with themselves must be finite and > 0, "
                "got %g",
                pen_kernel_names[kernel->kind], trace);
    while (c.m < most && sum_residuals(&c) > c.noise * trace) {
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
