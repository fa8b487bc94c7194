/* byte_gram.c - the sum of products of bytes, column by column: panels hold columns, and the depth
 * of a product is rows.
 *
 * The result is partitioned into squares of at most 1024 columns, each into tiles, and the rows
 * into chunks, of which int32 holds the sums. A task multiplies one chunk for one square, a slice
 * of rows at a time. All sums are whole numbers, so their order does not matter. */
#include "linalg/byte_gram.h"

#include "core/parallel.h"
#include "products/columns_of_bytes.h"
#include "products/tiles.h"

#include <string.h>

enum {
    SQUARE = 1024, /* maximum number of columns of a square */
    SLICE = 512,   /* rows packed at a time: two panels of columns stay in the innermost cache */
    MOST_SLICES = PEN_MOST_DEPTH / SLICE, /* of a chunk */
    MAX_CHUNKS = 16,
    PARTIAL_BYTES = 24 << 20,
};

struct gram {
    const pen_tiles *tiles;
    const pen_array *x;
    int64_t first, rows; /* the current ones */
    int64_t chunk, chunks;
    /* columns of a square, squares along an edge, squares in the lower triangle, tiles in one */
    int64_t side, across, squares, tiles_of_square;
    pen_slices rows_of, left, right, products;
    int32_t *partial; /* [chunks][squares][tiles] */
    const double *sums;
    double weight;
    pen_sym *A;
};

int pen_bytes_are_fast(void)
{
    return pen_tiles_of_bytes(pen_isa_now())->isa != PEN_ISA_PORTABLE;
}

/* Row and column of number `index` in a lower triangle. */
static void place_in_triangle(int64_t index, int64_t *row, int64_t *column)
{
    *row = 0;
    while ((*row + 1) * (*row + 2) / 2 <= index)
        ++*row;
    *column = index - *row * (*row + 1) / 2;
}

static int64_t up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* The columns of a square that exist. */
static int64_t columns_of(const struct gram *g, int64_t square)
{
    return pen_min(g->side, g->x->cols - square * g->side);
}

/* Columns of one side of a square for a slice of rows, as panels. */
static void pack(const struct gram *g, int64_t square, int64_t first, int64_t count, int64_t depth,
                 int worker, int8_t *panels)
{
    const pen_array *const x = g->x;
    const int64_t columns = columns_of(g, square);
    const uint8_t *rows = (const uint8_t *)pen_row_at(x, first) + square * g->side;
    int64_t stride = x->stride;

    if (pen_step(x) != 1) {
        uint8_t *const gathered = pen_slice(&g->rows_of, worker);
        pen_array_gather(x, NULL, first, count, square * g->side, columns, PEN_U8, gathered);
        rows = gathered;
        stride = columns;
    }
    pen_pack_columns(count, columns, rows, stride, depth, up(columns, PEN_SIDE), panels);
}

/* Where the sums of a tile of a square are. */
static int64_t place_of(const struct gram *g, int diagonal, int64_t i, int64_t j)
{
    return (diagonal ? i * (i + 1) / 2 + j : i * (g->side / PEN_SIDE) + j) * PEN_AREA;
}

/* Adds the products of all tiles of a square. */
static void multiply_tiles(const struct gram *g, int64_t row, int64_t column, int64_t depth,
                           const char *left, const int8_t *right, int32_t *products, int32_t *sums)
{
    const int64_t high = up(columns_of(g, row), PEN_SIDE) / PEN_SIDE,
                  wide = up(columns_of(g, column), PEN_SIDE) / PEN_SIDE, pair = PEN_SIDE * depth;
    const int diagonal = row == column;

    if (g->tiles->open)
        g->tiles->open();
    for (int64_t j = 0; j < wide; j++)
        for (int64_t i = diagonal ? j : 0; i < high; i++) {
            int32_t *const to = sums + place_of(g, diagonal, i, j);
            g->tiles->multiply(depth, left + i * pair, right + j * pair, products);
            for (int k = 0; k < PEN_AREA; k++)
                to[k] += products[k];
        }
    if (g->tiles->close)
        g->tiles->close();
}

static void multiply(void *context, int64_t task, int worker)
{
    const struct gram *g = context;
    const int64_t chunk = task / g->squares, start = chunk * g->chunk,
                  end = pen_min(start + g->chunk, g->rows);
    int8_t *const right = pen_slice(&g->right, worker);
    char *const left = pen_slice(&g->left, worker);
    int32_t *const sums = g->partial + task * g->tiles_of_square * PEN_AREA;
    int64_t row, column;

    place_in_triangle(task % g->squares, &row, &column);
    memset(sums, 0, (size_t)(g->tiles_of_square * PEN_AREA) * sizeof *sums);
    for (int64_t i = start; i < end; i += SLICE) {
        const int64_t count = pen_min(SLICE, end - i), depth = up(count, g->tiles->unit),
                      pairs = up(columns_of(g, row), PEN_SIDE) / PEN_SIDE;
        const char *packed = (const char *)right;
        pack(g, row, g->first + i, count, depth, worker, right);
        for (int64_t p = 0; g->tiles->left && p < pairs; p++)
            g->tiles->left(depth, right + p * PEN_SIDE * depth, left + p * PEN_SIDE * depth);
        if (g->tiles->left) {
            packed = left;
        } else if (row != column) {
            memcpy(left, right, (size_t)(pairs * PEN_SIDE * depth));
            packed = left;
        }
        if (row != column)
            pack(g, column, g->first + i, count, depth, worker, right);
        multiply_tiles(g, row, column, depth, packed, right, pen_slice(&g->products, worker), sums);
    }
}

/* Adds a row of tiles of a square, all chunks of it. */
static void reduce(void *context, int64_t task, int worker)
{
    const struct gram *g = context;
    const int64_t across = g->side / PEN_SIDE, square = task / across, i = task % across,
                  d = g->x->cols;
    int64_t row, column;

    (void)worker;
    place_in_triangle(square, &row, &column);
    const int diagonal = row == column;
    for (int64_t r = 0; r < PEN_SIDE; r++) {
        const int64_t to_row = row * g->side + i * PEN_SIDE + r,
                      most = diagonal ? to_row + 1 : pen_min(d, (column + 1) * g->side);
        for (int64_t to = column * g->side; to_row < d && to < most; to++) {
            const int64_t within = to - column * g->side,
                          at = place_of(g, diagonal, i, within / PEN_SIDE) + r * PEN_SIDE
                               + within % PEN_SIDE;
            int64_t sum = 0;
            for (int64_t chunk = 0; chunk * g->chunk < g->rows; chunk++)
                sum +=
                    g->partial[(chunk * g->squares + square) * g->tiles_of_square * PEN_AREA + at];
            g->A->a[to_row * d + to] += g->weight * (double)sum;
        }
    }
}

/* Partitions the work, by sizes alone. */
static pen_status partition(pen_run *run, struct gram *g)
{
    const int64_t n = g->x->rows, d = g->x->cols, least = (d + SQUARE - 1) / SQUARE;

    g->side = up((d + least - 1) / least, PEN_SIDE);
    g->across = (d + g->side - 1) / g->side;
    g->squares = g->across * (g->across + 1) / 2;
    const int64_t tiles = g->side / PEN_SIDE;
    g->tiles_of_square = g->across == 1 ? tiles * (tiles + 1) / 2 : tiles * tiles;
    const int64_t each = pen_times(g->squares, g->tiles_of_square * PEN_AREA),
                  chunks = pen_max(1, pen_min(MAX_CHUNKS, PARTIAL_BYTES / 4 / each)),
                  slices = (n + SLICE - 1) / SLICE;
    g->chunk = pen_min(MOST_SLICES, (slices + chunks - 1) / chunks) * SLICE;
    g->chunks = pen_min(chunks, (n + g->chunk - 1) / g->chunk);
    return PEN_NEW(run, g->partial, pen_times(g->chunks, each));
}

/* Room for each worker. */
static pen_status open_slices(pen_run *run, struct gram *g)
{
    const int workers = pen_workers(run, g->chunks * g->squares);
    const int64_t packed = pen_times(g->side, SLICE + g->tiles->unit);

    if (pen_step(g->x) != 1)
        PEN_TRY(pen_slices_new(run, workers, pen_times(g->side, SLICE), 1, &g->rows_of));
    PEN_TRY(pen_slices_new(run, workers, packed, 1, &g->left));
    PEN_TRY(pen_slices_new(run, workers, packed, 1, &g->right));
    return pen_slices_new(run, workers, PEN_AREA, sizeof(int32_t), &g->products);
}

/* What a product has too much: its left codes are moved up by the bias. */
static void subtract_bias(const struct gram *g)
{
    const double bias = g->weight * (double)g->tiles->bias;

    for (int64_t i = 0; i < g->A->d; i++)
        for (int64_t j = 0; j <= i; j++)
            g->A->a[i * g->A->d + j] -= bias * g->sums[j];
}

pen_status pen_sym_add_gram_of_bytes(pen_run *run, const char *phase, double weight,
                                     const pen_array *x, const double *sums, pen_sym *A)
{
    const pen_mark_t mark = pen_mark(run);
    struct gram g = {
        .tiles = pen_tiles_of_bytes(pen_isa_now()), .x = x, .sums = sums, .weight = weight, .A = A
    };

    if (weight == 0)
        return PEN_OK;
    PEN_TRY(partition(run, &g));
    PEN_TRY(open_slices(run, &g));
    for (; g.first < x->rows; g.first += g.rows) {
        g.rows = pen_min(g.chunks * g.chunk, x->rows - g.first);
        PEN_TRY(pen_progress(run, phase, g.first, x->rows));
        PEN_TRY(pen_parallel(run, PEN_SILENT, (g.rows + g.chunk - 1) / g.chunk * g.squares,
                             multiply, &g));
        PEN_TRY(pen_parallel(run, PEN_SILENT, g.squares * (g.side / PEN_SIDE), reduce, &g));
    }
    subtract_bias(&g);
    pen_release(run, mark);
    return PEN_OK;
}
