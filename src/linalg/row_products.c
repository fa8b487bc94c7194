/* row_products.c - the products of the rows with each other; the scatter of the columns or these
 * products, whichever is smaller, as the operator of block Lanczos. */
#include "linalg/row_products.h"

#include "linalg/lanczos.h"
#include "linalg/orthonormal.h"
#include "linalg/products.h"
#include "linalg/row_bands.h"
#include "linalg/sparse_rows.h"
#include "linalg/sym.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double TOL = 1e-10;

/* y = Xc Xc'v if there are fewer rows than columns, otherwise Xc'Xc v. */
static pen_status apply(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    const pen_view *const x = context;
    const int wide = x->n < x->d;
    double *between;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, between, pen_times(pen_max(x->n, x->d), k)));
    PEN_TRY((wide ? pen_rows_gather : pen_rows_multiply)(run, x, k, v, between));
    PEN_TRY((wide ? pen_rows_multiply : pen_rows_gather)(run, x, k, between, y));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_rows_trace(pen_run *run, const pen_view *x, double *trace)
{
    double *deviation;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, deviation, x->d));
    PEN_TRY(pen_rows_deviations(run, x, deviation));
    *trace = 0;
    for (int64_t j = 0; j < x->d; j++)
        *trace += (double)x->n * deviation[j] * deviation[j];
    pen_release(run, mark);
    return PEN_OK;
}

/* The number of values above the rounding of sums and of the rows. */
static int64_t rank_of(const pen_view *x, int64_t k, const double *values)
{
    double noise = 0;
    int64_t rank = 0;

    for (int64_t j = 0; j < x->d; j++)
        noise = fmax(noise, x->rounding[j]);
    const double limit =
        fmax((double)pen_max(x->n, x->d) * DBL_EPSILON * values[0], (double)x->n * noise * noise);
    while (rank < k && values[rank] > limit)
        rank++;
    return rank;
}

/* Copies the first q of the columns [rows x k]. */
static void first_columns(int64_t rows, int64_t k, const double *from, int64_t q, double *to)
{
    for (int64_t i = 0; i < rows; i++)
        memcpy(to + i * q, from + i * k, (size_t)q * sizeof *to);
}

/* V [d x q] = Xc'U, orthonormalized in the order of the columns. */
static pen_status find_directions(pen_run *run, const pen_view *x, int64_t q, const double *U,
                                  const double *values, double *V)
{
    PEN_TRY(pen_rows_gather(run, x, q, U, V));
    for (int64_t j = 0; j < x->d; j++)
        for (int64_t c = 0; c < q; c++)
            V[j * q + c] /= sqrt(values[c]);
    return pen_orthonormal_columns(run, x->d, q, V);
}

pen_status pen_rows_by_products(pen_run *run, const pen_view *x, int64_t k, pen_row_products *out)
{
    const int wide = x->n < x->d;
    const pen_lanczos problem = { .phase = "principal components",
                                  .n = wide ? x->n : x->d,
                                  .k = k,
                                  .apply = apply,
                                  .context = x,
                                  .block = pen_lanczos_block(k, pen_rows_are_sparse(x)),
                                  .tol = TOL };
    pen_lanczos_pairs e;
    double *U;

    *out = (pen_row_products){ .rank = 0 };
    PEN_TRY(PEN_NEW(run, out->values, k));
    PEN_TRY(PEN_NEW(run, out->V, pen_times(x->d, k)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_lanczos_solve(run, &problem, &e));
    out->products = e.products;
    out->restarts = e.restarts;
    out->residual = e.residual;
    const int64_t q = out->rank = rank_of(x, k, e.values);
    for (int64_t c = 0; c < k; c++)
        out->values[c] = c < q ? e.values[c] : 0;
    if (wide && q > 0) {
        PEN_TRY(PEN_NEW(run, U, pen_times(x->n, q)));
        first_columns(x->n, k, e.vectors, q, U);
        PEN_TRY(find_directions(run, x, q, U, e.values, out->V));
    } else {
        first_columns(x->d, k, e.vectors, q, out->V);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- products of the rows with each other ----
 *
 * The sum over columns of their outer products. Blocks of columns are written as rows of Xc', and
 * linalg/sym.h adds their products. */

enum { TOGETHER = 8, COLUMNS = 128 };

/* Writes a few rows at a time, so that writes are contiguous. */
static void fill_columns(const void *context, int64_t first, int64_t count, void *block)
{
    const pen_row_bands *const bands = context;
    const int64_t n = bands->x->n;
    double part[TOGETHER][COLUMNS], *const to = block;

    for (int64_t j = 0; j < count; j += COLUMNS) {
        const int64_t some = pen_min(COLUMNS, count - j);
        for (int64_t i = 0; i < n; i += TOGETHER) {
            const int64_t rows = pen_min(TOGETHER, n - i);
            for (int64_t r = 0; r < rows; r++)
                pen_row_band(bands, i + r, first + j, some, part[r]);
            for (int64_t l = 0; l < some; l++)
                for (int64_t r = 0; r < rows; r++)
                    to[(j + l) * n + i + r] = part[r][l];
        }
    }
}

static pen_status gram_of_sparse(pen_run *run, const pen_view *x, double *G)
{
    const pen_mark_t mark = pen_mark(run);
    const pen_sparse_rows *entries;
    pen_sparse_rows own;

    PEN_TRY(pen_sparse_rows_of(run, x, &own, &entries));
    PEN_TRY(pen_sparse_rows_gram(run, entries, G));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_rows_gram(pen_run *run, const pen_view *x, double *G)
{
    const int64_t n = x->n;
    pen_sym sum = { .d = n, .a = G };
    pen_row_bands bands;

    if (pen_rows_are_sparse(x))
        return gram_of_sparse(run, x, G);
    memset(G, 0, (size_t)(n * n) * sizeof *G);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_row_bands_open(run, x, &bands));
    PEN_TRY(
        pen_sym_add_gram(run, "products of rows", 1, PEN_F64, x->d, fill_columns, &bands, &sum));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            G[j * n + i] = G[i * n + j];
    pen_release(run, mark);
    return PEN_OK;
}
