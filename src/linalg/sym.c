/* sym.c - sums of outer products of rows.
 *
 * A'A is partitioned into tiles of the result and chunks of rows. A task multiplies one chunk for
 * one tile; the chunks of a tile are then reduced in the order of the rows. The partition depends
 * only on sizes, so the bits of the sum do not depend on the number of threads. */
#include "linalg/sym.h"

#include "core/parallel.h"
#include "core/rows.h"
#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    /* maximum number of columns in a tile: larger tiles leave gemm less packing to do */
    TILE = 1024,
    /* rows multiplied before the sum is added in double: products of bytes stay exact in float */
    CHUNK = 1024,
    /* the same for doubles if rows need not be stored: fewer partial sums */
    DOUBLE_CHUNK = 2048,
    FILL_ROWS = 128,        /* rows filled by a task */
    SLICE = 256,            /* rows filled and multiplied while they are in cache */
    BAND = 64,              /* rows of a tile reduced by a task */
    BLOCK_BYTES = 24 << 20, /* bytes of rows held at a time */
    /* bytes of partial sums held at a time, unless d is so large that one is larger */
    PARTIAL_BYTES = 20 << 20,
    MAX_CHUNKS = 16,
};

pen_status pen_sym_zero(pen_run *run, int64_t d, pen_sym *A)
{
    *A = (pen_sym){ .d = d, .rank = 0, .epsilon = DBL_EPSILON };
    PEN_TRY(PEN_FILLED(run, A->floor, d, 0));
    if (d > pen_run_stored(run)) {
        PEN_TRY(PEN_NEW(run, A->terms, 1));
        *A->terms = (pen_operator){ .count = 0 };
        return PEN_OK;
    }
    PEN_TRY(PEN_FILLED(run, A->a, pen_times(d, d), 0));
    return PEN_OK;
}

pen_status pen_sym_need_stored(pen_run *run, const pen_sym *A)
{
    PEN_REQUIRE(run, !A->terms, PEN_BAD_ARGUMENT,
                "with these parameters a matrix of all %lld columns would be formed; set pca to a "
                "number of components, such as 100",
                (long long)A->d);
    return PEN_OK;
}

pen_status pen_sym_zeros(pen_run *run, int64_t d, pen_sym *const *matrices)
{
    for (; *matrices; matrices++)
        PEN_TRY(pen_sym_zero(run, d, *matrices));
    return PEN_OK;
}

pen_status pen_sym_copy(pen_run *run, const pen_sym *B, pen_sym *A)
{
    *A = *B;
    PEN_TRY(PEN_NEW(run, A->floor, B->d));
    memcpy(A->floor, B->floor, (size_t)B->d * sizeof *A->floor);
    if (B->terms) {
        PEN_TRY(PEN_NEW(run, A->terms, 1));
        *A->terms = *B->terms;
        return PEN_OK;
    }
    PEN_TRY(PEN_NEW(run, A->a, pen_times(B->d, B->d)));
    memcpy(A->a, B->a, (size_t)(B->d * B->d) * sizeof *A->a);
    return PEN_OK;
}

pen_made pen_sym_made(const pen_sym *A)
{
    return (pen_made){ A,
                       sizeof *A,
                       2,
                       { { offsetof(pen_sym, a), 8 * pen_times(A->d, A->d) },
                         { offsetof(pen_sym, floor), 8 * A->d } } };
}

void pen_sym_note(pen_sym *A, int64_t more, double epsilon)
{
    A->rank = more >= A->d - A->rank ? A->d : A->rank + more;
    A->epsilon = fmax(A->epsilon, epsilon);
}

void pen_sym_add_floor(double weight, const double *values, pen_sym *A)
{
    for (int64_t j = 0; j < A->d; j++)
        A->floor[j] += weight * values[j] * values[j];
}

int pen_sym_is_rounding(const pen_sym *A)
{
    for (int64_t j = 0; j < A->d; j++)
        if (A->a[j * A->d + j] > A->floor[j])
            return 0;
    return 1;
}

double pen_sym_floor(const pen_sym *A, const double *v)
{
    double sum = 0;
    for (int64_t j = 0; j < A->d; j++)
        sum += v[j] * v[j] * A->floor[j];
    return sum;
}

void pen_sym_add_identity(double weight, pen_sym *A)
{
    for (int64_t i = 0; A->a && i < A->d; i++)
        A->a[i * A->d + i] += weight;
    A->identity += weight;
    if (weight != 0)
        pen_sym_note(A, A->d, DBL_EPSILON);
}

void pen_sym_unit_scale(const pen_sym *A, double *scale)
{
    for (int64_t j = 0; j < A->d; j++) {
        const double entry = A->a[j * A->d + j];
        scale[j] = entry > 0 ? 1 / sqrt(entry) : 1;
    }
}

void pen_sym_rescale(const double *scale, pen_sym *A)
{
    for (int64_t i = 0; i < A->d; i++) {
        for (int64_t j = 0; j <= i; j++)
            A->a[i * A->d + j] *= scale[i] * scale[j];
        A->floor[i] *= scale[i] * scale[i];
    }
}

/* Terms beyond the room are only counted; their products fail. */
static void add_terms(double weight, const pen_operator *B, pen_operator *A)
{
    if (B->count > 0)
        A->x = B->x;
    for (int64_t i = 0; i < B->count; i++)
        if (A->count++ < PEN_MOST_TERMS) {
            A->term[A->count - 1] = B->term[i];
            A->term[A->count - 1].weight *= weight;
        }
}

void pen_sym_add_scaled(double weight, const pen_sym *B, pen_sym *A)
{
    if (weight == 0)
        return;
    if (A->terms)
        add_terms(weight, B->terms, A->terms);
    for (int64_t i = 0; A->a && i < A->d * A->d; i++)
        A->a[i] += weight * B->a[i];
    for (int64_t j = 0; j < A->d; j++)
        A->floor[j] += weight * B->floor[j];
    A->identity += weight * B->identity;
    pen_sym_note(A, B->rank, B->epsilon);
}

void pen_sym_add(const pen_sym *B, pen_sym *A)
{
    pen_sym_add_scaled(1, B, A);
}

void pen_sym_add_outer(double weight, const double *v, pen_sym *A)
{
    for (int64_t i = 0; i < A->d; i++)
        for (int64_t j = 0; j <= i; j++)
            A->a[i * A->d + j] += weight * v[i] * v[j];
}

double pen_sym_trace(const pen_sym *A)
{
    double sum = 0;
    for (int64_t i = 0; i < A->d; i++)
        sum += A->a[i * A->d + i];
    return sum;
}

double pen_sym_largest(const pen_sym *A)
{
    double largest = 0, sum = 0; /* NaN if an entry is NaN */
    for (int64_t i = 0; A->a && i < A->d; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double size = fabs(A->a[i * A->d + j]);
            largest = size > largest ? size : largest;
            sum += size;
        }
    return isnan(sum) ? sum : largest;
}

/* Adds columns side by side, so that rows below the diagonal are read in memory order. */
double pen_sym_norm1(const pen_sym *A)
{
    const int64_t d = A->d;
    double largest = 0;

    for (int64_t first = 0; first < d; first += BAND) {
        const int64_t end = pen_min(first + BAND, d);
        double sum[BAND] = { 0 };
        for (int64_t i = first; i < end; i++)
            for (int64_t j = 0; j <= i; j++)
                sum[i - first] += fabs(A->a[i * d + j]);
        for (int64_t j = first + 1; j < d; j++)
            for (int64_t i = first; i < pen_min(end, j); i++)
                sum[i - first] += fabs(A->a[j * d + i]);
        for (int64_t i = first; i < end; i++)
            largest = fmax(largest, sum[i - first]);
    }
    return largest;
}

/* ---- products ---- */

struct product {
    pen_fill_fn fill;
    const void *context;
    const void *x, *y; /* blocks of rows [rows x d]; y = x except for a product of two matrices */
    pen_dtype type;
    double weights[2];
    const pen_weighted_groups *groups; /* groups of rows with different weights; or NULL */
    /* the current chunks: chunk c is rows bounds[c] .. bounds[c + 1] - 1 after `first`, with the
     * weights weight_of[sum][c] */
    int64_t batch;
    int64_t bounds[MAX_CHUNKS + 1];
    double weight_of[2][MAX_CHUNKS];
    int64_t first, rows, d;
    int64_t chunk, chunks;
    /* columns of a tile, tiles along an edge, tiles in the lower triangle */
    int64_t side, across, tiles;
    void *block;       /* the current rows; with one tile, instead: */
    pen_slices slices; /* [SLICE x d] */
    char *partial;     /* [chunks][tiles][side x side] */
    pen_sym *sums[2];  /* the second: NULL, or another sum with different weights */
};

static void fill_piece(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t first = task * FILL_ROWS, count = pen_min(FILL_ROWS, p->rows - first);
    (void)worker;
    p->fill(p->context, p->first + first, count,
            (char *)p->block + (size_t)(first * p->d) * pen_size(p->type));
}

/* The position of a tile: rows from r, columns from c, high x wide. */
struct tile {
    int64_t r, c, high, wide;
};

static struct tile place_of(const struct product *p, int64_t index)
{
    int64_t row = 0;
    while ((row + 1) * (row + 2) / 2 <= index)
        row++;
    const int64_t column = index - row * (row + 1) / 2;
    const struct tile t = { row * p->side, column * p->side, pen_min(p->side, p->d - row * p->side),
                            pen_min(p->side, p->d - column * p->side) };
    return t;
}

static void *partial_at(const struct product *p, int64_t chunk, int64_t tile)
{
    return p->partial + (size_t)((chunk * p->tiles + tile) * p->side * p->side) * pen_size(p->type);
}

static void multiply(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t chunk = task / p->tiles, index = task % p->tiles, first = p->bounds[chunk],
                  k = p->bounds[chunk + 1] - first;
    const size_t size = pen_size(p->type);
    const struct tile t = place_of(p, index);
    const char *const x = (const char *)p->x + (size_t)(first * p->d) * size;
    const char *const y = (const char *)p->y + (size_t)(first * p->d) * size;
    const size_t row = (size_t)t.r * size, column = (size_t)t.c * size;
    void *const c = partial_at(p, chunk, index);

    (void)worker;
    if (row == column && x == y) {
        pen_blas_syrk(p->type, t.high, k, x + row, p->d, 0, c, p->side);
    } else if (row == column) {
        pen_blas_syr2k(p->type, t.high, k, x + row, y + row, p->d, c, p->side);
    } else {
        pen_blas_gemm(p->type, PEN_TRANSPOSED, PEN_PLAIN, t.high, t.wide, k, 1, x + row, p->d,
                      y + column, p->d, 0, c, p->side);
        if (x != y)
            pen_blas_gemm(p->type, PEN_TRANSPOSED, PEN_PLAIN, t.high, t.wide, k, 1, y + row, p->d,
                          x + column, p->d, 1, c, p->side);
    }
}

/* The same with a single tile: each task fills the rows it multiplies, a slice at a time, while
 * they are in cache. */
static void fill_and_multiply(void *context, int64_t chunk, int worker)
{
    const struct product *p = context;
    void *const slice = pen_slice(&p->slices, worker);
    const int64_t first = p->bounds[chunk], end = p->bounds[chunk + 1];

    for (int64_t i = first; i < end; i += SLICE) {
        const int64_t count = pen_min(SLICE, end - i);
        p->fill(p->context, p->first + i, count, slice);
        pen_blas_syrk(p->type, p->d, count, slice, p->d, i > first, partial_at(p, chunk, 0),
                      p->side);
    }
}

/* Adds rows first .. first + BAND - 1 of a tile of one chunk to one of the sums. */
static void add_band(const struct product *p, int64_t chunk, int64_t index, int64_t first, int sum)
{
    const struct tile t = place_of(p, index);
    const double weight = p->weight_of[sum][chunk];

    for (int64_t i = first; i < pen_min(first + BAND, t.high); i++) {
        const int64_t end = t.r == t.c ? i + 1 : t.wide;
        double *restrict to = p->sums[sum]->a + (t.r + i) * p->d + t.c;
        if (p->type == PEN_F64) {
            const double *restrict from = (const double *)partial_at(p, chunk, index) + i * p->side;
            for (int64_t j = 0; j < end; j++)
                to[j] += weight * from[j];
        } else {
            const float *restrict from = (const float *)partial_at(p, chunk, index) + i * p->side;
            for (int64_t j = 0; j < end; j++)
                to[j] += weight * (double)from[j];
        }
    }
}

/* Reduces a band of a tile over the chunks, in order. */
static void reduce_band(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const int64_t bands = (p->side + BAND - 1) / BAND;

    (void)worker;
    for (int64_t chunk = 0; chunk < p->batch; chunk++)
        for (int sum = 0; sum < 2 && p->sums[sum]; sum++)
            add_band(p, chunk, task / bands, task % bands * BAND, sum);
}

/* Partitions the work, only by sizes. */
static pen_status partition(pen_run *run, struct product *p, int64_t n)
{
    const int64_t size = (int64_t)pen_size(p->type);

    p->across = (p->d + TILE - 1) / TILE;
    p->side = (p->d + p->across - 1) / p->across;
    p->tiles = p->across * (p->across + 1) / 2;
    const int sliced = p->fill && p->tiles == 1; /* then only slices of rows are held */
    const int64_t held =
        sliced ? pen_max(1, n) : pen_max(FILL_ROWS, pen_min(n, BLOCK_BYTES / (size * p->d)));
    p->chunk = pen_min(sliced && p->type == PEN_F64 ? DOUBLE_CHUNK : CHUNK, held);
    p->chunks = pen_max(
        1, pen_min(MAX_CHUNKS, pen_min(held / p->chunk,
                                       PARTIAL_BYTES / (size * p->tiles * p->side * p->side))));
    return PEN_NEW(
        run, p->partial,
        pen_times(pen_times(pen_times(pen_times(p->chunks, p->tiles), p->side), p->side), size));
}

/* The next chunks, starting at row p->first; none crosses the end of a group. */
static void next_batch(struct product *p, int64_t n, int64_t *group)
{
    p->batch = p->rows = 0;
    while (p->batch < p->chunks && p->first + p->rows < n) {
        while (p->groups && p->groups->ends[*group] <= p->first + p->rows)
            ++*group;
        const int64_t end = p->groups ? p->groups->ends[*group] : n, row = p->first + p->rows;
        for (int sum = 0; sum < 2; sum++)
            p->weight_of[sum][p->batch] =
                p->groups ? p->groups->weights[sum][*group] : p->weights[sum];
        p->bounds[p->batch++] = p->rows;
        p->rows += pen_min(p->chunk, end - row);
    }
    p->bounds[p->batch] = p->rows;
}

static pen_status multiply_block(pen_run *run, struct product *p)
{
    const int64_t chunks = p->batch, bands = (p->side + BAND - 1) / BAND;

    if (p->fill && p->tiles == 1) {
        PEN_TRY(pen_parallel(run, PEN_SILENT, chunks, fill_and_multiply, p));
    } else {
        if (p->fill)
            PEN_TRY(pen_parallel(run, PEN_SILENT, (p->rows + FILL_ROWS - 1) / FILL_ROWS, fill_piece,
                                 p));
        PEN_TRY(pen_parallel(run, PEN_SILENT, chunks * p->tiles, multiply, p));
    }
    return pen_parallel(run, PEN_SILENT, p->tiles * bands, reduce_band, p);
}

static pen_status add_gram(pen_run *run, const char *phase, int64_t n, struct product *p)
{
    const pen_mark_t mark = pen_mark(run);

    PEN_TRY(partition(run, p, n));
    if (p->tiles == 1)
        PEN_TRY(pen_slices_new(run, pen_workers(run, p->chunks), pen_times(SLICE, p->d),
                               pen_size(p->type), &p->slices));
    else if (!(p->block = pen_scratch(run, pen_times(pen_times(p->chunks, p->chunk), p->d),
                                      pen_size(p->type))))
        return PEN_NO_MEMORY;
    p->x = p->y = p->block;
    int64_t group = 0;
    for (p->first = 0; p->first < n; p->first += p->rows) {
        next_batch(p, n, &group);
        PEN_TRY(pen_progress(run, phase, p->first, n));
        PEN_TRY(multiply_block(run, p));
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_sym_add_gram(pen_run *run, const char *phase, double weight, pen_dtype type,
                            int64_t n, pen_fill_fn fill, const void *context, pen_sym *A)
{
    struct product p = { .fill = fill,
                         .context = context,
                         .type = type,
                         .weights = { weight, 0 },
                         .d = A->d,
                         .sums = { A, NULL } };
    PEN_TRY(pen_sym_need_stored(run, A));
    return add_gram(run, phase, n, &p);
}

struct array {
    int64_t d;
    const double *rows;
};

static void copy_rows(const void *context, int64_t first, int64_t count, void *block)
{
    const struct array *const a = context;
    memcpy(block, a->rows + first * a->d, (size_t)(count * a->d) * sizeof *a->rows);
}

pen_status pen_sym_add_rows(pen_run *run, const char *phase, double weight, int64_t n,
                            const double *rows, pen_sym *A)
{
    const struct array array = { A->d, rows };
    return pen_sym_add_gram(run, phase, weight, PEN_F64, n, copy_rows, &array, A);
}

pen_status pen_sym_add_gram_of_groups(pen_run *run, const char *phase, pen_dtype type,
                                      const pen_weighted_groups *groups, pen_fill_fn fill,
                                      const void *context, pen_sym *A, pen_sym *B)
{
    const int64_t n = groups->count > 0 ? groups->ends[groups->count - 1] : 0;
    struct product p = { .fill = fill,
                         .context = context,
                         .type = type,
                         .groups = groups,
                         .d = A->d,
                         .sums = { A, B } };
    PEN_TRY(pen_sym_need_stored(run, A));
    return add_gram(run, phase, n, &p);
}

pen_status pen_sym_add_product(pen_run *run, double weight, int64_t n, const double *x,
                               const double *y, pen_sym *A)
{
    const pen_mark_t mark = pen_mark(run);
    struct product p = {
        .type = PEN_F64, .weights = { weight, 0 }, .d = A->d, .sums = { A, NULL }
    };

    PEN_TRY(pen_sym_need_stored(run, A));
    PEN_TRY(partition(run, &p, n));
    int64_t group = 0;
    for (p.first = 0; p.first < n; p.first += p.rows) {
        next_batch(&p, n, &group);
        p.x = x + p.first * p.d;
        p.y = y + p.first * p.d;
        PEN_TRY(multiply_block(run, &p));
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_sym_project(pen_run *run, const pen_sym *A, const double *V, int64_t k, pen_sym *S)
{
    const int64_t d = A->d;
    double *columns, *AV;

    PEN_TRY(pen_sym_need_stored(run, A));
    PEN_TRY(pen_sym_zero(run, k, S));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, columns, AV, pen_times(d, k)));
    pen_transpose(k, d, V, columns);
    pen_blas_symm(d, k, A->a, columns, AV);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, k, k, d, 1, V, d, AV, k, 0, S->a, k);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < i; j++)
            S->a[i * k + j] = (S->a[i * k + j] + S->a[j * k + i]) / 2;
    pen_sym_note(S, A->rank, A->epsilon);
    pen_release(run, mark);
    return PEN_OK;
}
