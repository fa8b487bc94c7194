/* products.c - products with centred rows. What is multiplied is cut by its sizes alone, and sums are added up in the order of the rows. */
#include "linalg/products.h"

#include "core/parallel.h"
#include "linalg/blas.h"

#include <string.h>

enum {
    ROWS = 128,   /* rows a task fills */
    CHUNK = 1024, /* rows multiplied at a time */
    TILE = 512,   /* columns of the rows a task multiplies */
    BAND = 64,    /* rows of the sum a task adds up */
    MOST_CHUNKS = 16,
    BLOCK_BYTES = 24 << 20,   /* rows held at a time */
    PARTIAL_BYTES = 20 << 20, /* partial sums held at a time */
};

struct product {
    const pen_rows *x;
    int64_t k;
    const double *V, *from;
    double *y, *G;
    int64_t first, count;  /* rows at hand */
    int64_t chunk, chunks; /* their cut */
    int64_t tiles;
    double *block;   /* [workers][ROWS x d], or all rows at hand [count x d] */
    double *partial; /* [chunks][d x k] */
};

static void multiply_rows(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t d = p->x->d, first = task * ROWS, count = pen_min(ROWS, p->x->n - first);
    double *const block = p->block + worker * ROWS * d;

    pen_rows_centred(p->x, NULL, first, count, block);
    blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, count, p->k, d, 1, block, d, p->V, p->k, 0, p->y + first * p->k, p->k);
}

pen_status rows_multiply(pen_run *run, const pen_rows *x, int64_t k, const double *V, double *y)
{
    const int64_t tasks = (x->n + ROWS - 1) / ROWS;
    struct product p = { .x = x, .k = k, .V = V, .y = y };

    if (k == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, p.block, pen_workers(run, tasks) * ROWS * x->d));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, multiply_rows, &p));
    pen_release(run, mark);
    return PEN_OK;
}

static void fill_rows(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t first = task * ROWS;

    (void)worker;
    pen_rows_centred(p->x, NULL, p->first + first, pen_min(ROWS, p->count - first), p->block + first * p->x->d);
}

/* One chunk of rows, one tile of their columns. */
static void multiply_tile(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t d = p->x->d, first = task / p->tiles * p->chunk, column = task % p->tiles * TILE;

    (void)worker;
    blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, pen_min(TILE, d - column), p->k, pen_min(p->chunk, p->count - first), 1,
              p->block + first * d + column, d, p->from + (p->first + first) * p->k, p->k, 0,
              p->partial + (task / p->tiles * d + column) * p->k, p->k);
}

/* A band of the sum: the chunks, in order. */
static void add_up(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t size = p->x->d * p->k, first = task * BAND * p->k, end = pen_min(size, first + BAND * p->k);
    double *restrict to = p->G;

    (void)worker;
    for (int64_t chunk = 0; chunk * p->chunk < p->count; chunk++) {
        const double *restrict from = p->partial + chunk * size;
        for (int64_t i = first; i < end; i++)
            to[i] += from[i];
    }
}

static pen_status gather_block(pen_run *run, struct product *p)
{
    PEN_TRY(pen_parallel(run, PEN_SILENT, (p->count + ROWS - 1) / ROWS, fill_rows, p));
    PEN_TRY(pen_parallel(run, PEN_SILENT, (p->count + p->chunk - 1) / p->chunk * p->tiles, multiply_tile, p));
    return pen_parallel(run, PEN_SILENT, (p->x->d + BAND - 1) / BAND, add_up, p);
}

pen_status rows_gather(pen_run *run, const pen_rows *x, int64_t k, const double *y, double *G)
{
    const int64_t d = x->d, held = pen_max(ROWS, pen_min(x->n, BLOCK_BYTES / (8 * d)));
    struct product p = { .x = x, .k = k, .from = y, .G = G, .chunk = pen_min(CHUNK, held), .tiles = (d + TILE - 1) / TILE };

    if (k == 0)
        return PEN_OK;
    p.chunks = pen_max(1, pen_min(MOST_CHUNKS, pen_min(held / p.chunk, PARTIAL_BYTES / (8 * d * k))));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, p.block, p.chunks * p.chunk * d));
    PEN_TRY(PEN_NEW(run, p.partial, p.chunks * d * k));
    memset(G, 0, (size_t)(d * k) * sizeof *G);
    for (p.first = 0; p.first < x->n; p.first += p.count) {
        p.count = pen_min(p.chunks * p.chunk, x->n - p.first);
        PEN_TRY(gather_block(run, &p));
    }
    pen_release(run, mark);
    return PEN_OK;
}
