/* products.c - products with centered rows. The partition depends only on sizes, and sums are
 * reduced in the order of the rows. */
#include "linalg/products.h"

#include "core/parallel.h"
#include "linalg/row_bands.h"
#include "linalg/sparse_rows.h"

#include <string.h>

enum {
    ROWS = 128,    /* rows in a task of pen_rows_multiply */
    CHUNK = 256,   /* rows in a task of pen_rows_gather */
    MIN_ROWS = 32, /* minimum number of rows converted at a time */
    /* bytes of converted rows, so that they stay in the cache */
    BLOCK_BYTES = 256 << 10,
    BAND = 64,                /* rows of the result that a task reduces */
    WIDE = 4096,              /* columns of rows to process by bands of columns */
    WIDE_BAND = 256,          /* columns of such a band */
    MAX_CHUNKS = 64,          /* maximum number of partial sums held at a time */
    PARTIAL_BYTES = 20 << 20, /* and of their bytes */
    PRODUCTS = 1 << 25,       /* multiply-adds in a task of pen_multiply, BAND rows or more */
};

struct product {
    const pen_view *x;
    int64_t k;
    const double *V, *from;
    double *y, *G;
    int64_t step;         /* rows converted at a time */
    int64_t first, count; /* rows covered by the partial sums */
    pen_slices block;     /* [step x d]; at most [CHUNK x WIDE_BAND] of bands */
    double *partial;      /* [chunks][d x k] */
    pen_row_bands bands;  /* for bands */
};

/* The number of rows converted to double at a time. */
static int64_t rows_per_step(int64_t d)
{
    return pen_max(MIN_ROWS, pen_min(ROWS, BLOCK_BYTES / (8 * d)));
}

static void multiply_rows(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t d = p->x->d, k = p->k, end = pen_min(p->x->n, (task + 1) * ROWS);
    double *const block = pen_slice(&p->block, worker);

    for (int64_t i = task * ROWS; i < end; i += p->step) {
        const int64_t count = pen_min(p->step, end - i);
        pen_rows_centered(p->x, NULL, i, count, block);
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, count, k, d, 1, block, d, p->V, k, 0,
                      p->y + i * k, k);
    }
}

typedef pen_status sparse_fn(pen_run *run, const pen_sparse_rows *s, int64_t k, const double *from,
                             double *to);

static pen_status by_entries(pen_run *run, const pen_view *x, sparse_fn *fn, int64_t k,
                             const double *from, double *to)
{
    const pen_mark_t mark = pen_mark(run);
    const pen_sparse_rows *entries;
    pen_sparse_rows own;

    PEN_TRY(pen_sparse_rows_of(run, x, &own, &entries));
    PEN_TRY(fn(run, entries, k, from, to));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_rows_multiply(pen_run *run, const pen_view *x, int64_t k, const double *V, double *y)
{
    const int64_t tasks = (x->n + ROWS - 1) / ROWS;
    struct product p = { .x = x, .k = k, .V = V, .y = y, .step = rows_per_step(x->d) };

    if (k == 0)
        return PEN_OK;
    if (pen_rows_are_sparse(x))
        return by_entries(run, x, pen_sparse_rows_multiply, k, V, y);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), pen_times(p.step, x->d), sizeof(double),
                           &p.block));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, multiply_rows, &p));
    pen_release(run, mark);
    return PEN_OK;
}

/* The partial sum of a chunk of rows. */
static void gather_chunk(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t d = p->x->d, k = p->k, first = p->first + task * CHUNK,
                  end = pen_min(p->first + p->count, first + CHUNK);
    double *const block = pen_slice(&p->block, worker), *const partial = p->partial + task * d * k;

    for (int64_t i = first; i < end; i += p->step) {
        const int64_t count = pen_min(p->step, end - i);
        pen_rows_centered(p->x, NULL, i, count, block);
        pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, d, k, count, 1, block, d, p->from + i * k,
                      k, i > first, partial, k);
    }
}

/* Reduces one band of the result over the chunks, in order. */
static void reduce_band(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t size = p->x->d * p->k, first = task * BAND * p->k,
                  end = pen_min(size, first + BAND * p->k);
    double *restrict to = p->G;

    (void)worker;
    for (int64_t chunk = 0; chunk * CHUNK < p->count; chunk++) {
        const double *restrict from = p->partial + chunk * size;
        for (int64_t i = first; i < end; i++)
            to[i] += from[i];
    }
}

/* Computes a band of the result, from a band of the columns. */
static void gather_band(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t k = p->k, first = task * WIDE_BAND, wide = pen_min(WIDE_BAND, p->x->d - first);
    double *const block = pen_slice(&p->block, worker);

    for (int64_t i = 0; i < p->x->n; i += CHUNK) {
        const int64_t count = pen_min(CHUNK, p->x->n - i);
        for (int64_t r = 0; r < count; r++)
            pen_row_band(&p->bands, i + r, first, wide, block + r * wide);
        pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, wide, k, count, 1, block, wide,
                      p->from + i * k, k, i > 0, p->G + first * k, k);
    }
}

/* Writes each number of a large result once, without partial sums. Copying Y for every band costs
 * little compared with the products. */
static pen_status gather_by_bands(pen_run *run, struct product *p)
{
    const int64_t bands = (p->x->d + WIDE_BAND - 1) / WIDE_BAND;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_row_bands_open(run, p->x, &p->bands));
    PEN_TRY(pen_slices_new(run, pen_workers(run, bands),
                           pen_times(pen_min(CHUNK, p->x->n), pen_min(WIDE_BAND, p->x->d)),
                           sizeof(double), &p->block));
    PEN_TRY(pen_parallel(run, PEN_SILENT, bands, gather_band, p));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_rows_gather(pen_run *run, const pen_view *x, int64_t k, const double *y, double *G)
{
    const int64_t d = x->d;
    struct product p = { .x = x, .k = k, .from = y, .G = G, .step = rows_per_step(d) };

    if (k == 0)
        return PEN_OK;
    if (pen_rows_are_sparse(x))
        return by_entries(run, x, pen_sparse_rows_gather, k, y, G);
    if (x->n > 0 && (x->n <= CHUNK || d >= WIDE))
        return gather_by_bands(run, &p);
    const int64_t all = (x->n + CHUNK - 1) / CHUNK,
                  chunks =
                      pen_max(1, pen_min(pen_min(all, MAX_CHUNKS), PARTIAL_BYTES / (8 * d * k)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, chunks), pen_times(p.step, d), sizeof(double),
                           &p.block));
    PEN_TRY(PEN_NEW(run, p.partial, pen_times(pen_times(chunks, d), k)));
    memset(G, 0, (size_t)(d * k) * sizeof *G);
    for (p.first = 0; p.first < x->n; p.first += p.count) {
        p.count = pen_min(chunks * CHUNK, x->n - p.first);
        PEN_TRY(pen_parallel(run, PEN_SILENT, (p.count + CHUNK - 1) / CHUNK, gather_chunk, &p));
        PEN_TRY(pen_parallel(run, PEN_SILENT, (d + BAND - 1) / BAND, reduce_band, &p));
    }
    pen_release(run, mark);
    return PEN_OK;
}

struct dense {
    pen_op of_a, of_b;
    int64_t m, n, k, bands;
    const double *a, *b;
    double *c;
};

static void multiply_band(void *context, int64_t band, int worker)
{
    const struct dense *p = context;
    const int64_t first = p->m * band / p->bands, end = p->m * (band + 1) / p->bands;
    const int plain_a = p->of_a == PEN_PLAIN, plain_b = p->of_b == PEN_PLAIN;

    (void)worker;
    pen_blas_gemm(PEN_F64, p->of_a, p->of_b, end - first, p->n, p->k, 1,
                  p->a + (plain_a ? first * p->k : first), plain_a ? p->k : p->m, p->b,
                  plain_b ? p->n : p->k, 0, p->c + first * p->n, p->n);
}

pen_status pen_multiply(pen_run *run, pen_op of_a, pen_op of_b, int64_t m, int64_t n, int64_t k,
                        const double *a, const double *b, double *c)
{
    const int64_t tasks = pen_times(pen_times(m, n), k) / PRODUCTS;
    struct dense p = { of_a, of_b, m, n, k, pen_max(1, pen_min(m / BAND, tasks)), a, b, c };

    return pen_parallel(run, PEN_SILENT, p.bands, multiply_band, &p);
}
