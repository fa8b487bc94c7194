/* pair_scatter.c - scatters of must-links and cannot-links, without an n x n matrix.
 *
 * The Laplacian of the pairs is L = diag(deg) - A. Half of it suffices: with A_upper the entries
 * (i, j), i < j, of A,
 *
 *   U = (diag(deg) / 2 - A_upper) X
 *   X'LX = X'U + U'X
 *
 * Blocks of rows of U are formed one at a time, either by adding rows or, if pairs are dense, by
 * products with tiles of A_upper. */
#include "scatter/pair_scatter.h"

#include "core/parallel.h"
#include "linalg/blas.h"
#include "scatter/chain_scatter.h"
#include "scatter/pair_terms.h"
#include "scatter/scatter.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    BLOCK = 2048, /* rows of a block of U */
    TILE = 1024,  /* columns of a tile of A */
    SUB = 128,    /* rows of U in a task */
    PIECE = 64,   /* rows loaded at a time */
};

/* The cost of adding an element of a row, relative to a flop of a matrix product. */
static const double GATHER_COST = 24;

/* Rounding error of deg x - sum x, relative to deg |x|. */
static const double LAPLACIAN_ROUNDING = 4 * DBL_EPSILON;

static const char *const route_names[] = { "", "differences", "laplacian", "laplacian-dense" };

/* ---- difference rows ---- */

struct differences {
    const pen_view *x;
    const int64_t *rows;
    const pen_links *links;
};

/* The position i of pair number k. */
static int64_t row_of_pair(const pen_links *links, int64_t k)
{
    int64_t low = 0, high = links->n;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (links->first[middle] <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void multiply(double factor, int64_t d, double *row)
{
    for (int64_t j = 0; j < d; j++)
        row[j] *= factor;
}

static void fill_differences(const void *context, int64_t first, int64_t count, void *block)
{
    const struct differences *d = context;
    const int64_t *at = d->links->first;
    int64_t others[PIECE], done = 0;

    for (int64_t i = row_of_pair(d->links, first); done < count; i++)
        for (int64_t skip = first + done - at[i]; done < count && skip < at[i + 1] - at[i];) {
            const int64_t here =
                pen_links_slice(d->links, i, skip, pen_min(PIECE, count - done), others);
            for (int64_t k = 0; k < here; k++) {
                double *const row = (double *)block + (done + k) * d->x->d;
                pen_rows_difference(d->x, d->rows[i], d->rows[others[k]], row);
                if (d->links->weights)
                    multiply(sqrt(d->links->weights[first + done + k]), d->x->d, row);
            }
            done += here;
            skip += here;
        }
}

static pen_status add_differences(pen_run *run, const pen_problem *problem, const pen_links *links,
                                  double weight, pen_sym *S)
{
    const struct differences d = { &problem->rows, problem->pairs->rows, links };
    return pen_sym_add_gram(run, "scatter of pairs", weight, PEN_F64, links->count,
                            fill_differences, &d, S);
}

/* D [links->count x d] = the rows sqrt(w_ij) (x_i - x_j), in double. */
static pen_status list_differences(pen_run *run, const pen_problem *problem, const pen_links *links,
                                   double *D)
{
    const struct differences d = { &problem->rows, problem->pairs->rows, links };

    PEN_TRY(pen_progress(run, "scatter of pairs", 0, 1));
    if (links->count > 0)
        fill_differences(&d, 0, links->count, D);
    return PEN_OK;
}

/* ---- Laplacian ---- */

struct laplacian {
    pen_view x;     /* blocks in double */
    pen_view tiles; /* blocks in the precision of tile products */
    const int64_t *rows;
    const pen_links *links;
    double *degree;       /* [links->n] */
    int64_t first, count; /* the current block of rows of U */
    double *U, *X;        /* [count x d] */
    int64_t from, wide;   /* the current tile: columns from .. from + wide - 1 of A */
    void *Y;              /* [wide x d] the rows of X for these columns */
    /* buffers of a worker: rows to add, or a tile of A and its product */
    pen_slices buffers;
};

/* u_i -= the sum of x_j over its pairs */
static void gather_row(const struct laplacian *l, int64_t i, double *pieces, double *restrict u)
{
    const int64_t d = l->x.d, there = l->links->first[i + 1] - l->links->first[i];
    int64_t others[PIECE];

    for (int64_t skip = 0; skip < there; skip += PIECE) {
        const int64_t count = pen_links_slice(l->links, i, skip, PIECE, others);
        for (int64_t k = 0; k < count; k++)
            others[k] = l->rows[others[k]];
        pen_rows_block(&l->x, others, 0, count, pieces);
        for (int64_t k = 0; k < count; k++) {
            const double *restrict piece = pieces + k * d,
                                   weight =
                                       pen_links_weight(l->links, l->links->first[i] + skip + k);
            for (int64_t j = 0; j < d; j++)
                u[j] -= weight * piece[j];
        }
    }
}

static void gather(void *context, int64_t task, int worker)
{
    const struct laplacian *l = context;
    const int64_t first = task * SUB, end = pen_min(first + SUB, l->count);

    for (int64_t i = first; i < end; i++)
        gather_row(l, l->first + i, pen_slice(&l->buffers, worker), l->U + i * l->x.d);
}

/* Sets X, and U = deg / 2 X. */
static void begin_block(void *context, int64_t task, int worker)
{
    const struct laplacian *l = context;
    const int64_t d = l->x.d, first = task * SUB, end = pen_min(first + SUB, l->count);

    (void)worker;
    pen_rows_block(&l->x, l->rows, l->first + first, end - first, l->X + first * d);
    for (int64_t i = first; i < end; i++)
        for (int64_t j = 0; j < d; j++)
            l->U[i * d + j] = l->degree[l->first + i] / 2 * l->X[i * d + j];
}

static void fetch_tile(void *context, int64_t task, int worker)
{
    const struct laplacian *l = context;
    const int64_t first = task * SUB, count = pen_min(SUB, l->wide - first);

    (void)worker;
    pen_rows_block(&l->tiles, l->rows, l->from + first, count,
                   (char *)l->Y + (size_t)(first * l->x.d) * pen_size(l->tiles.work));
}

/* Expands a tile of A_upper to numbers: rows first .. first + count - 1 and columns from .. from +
 * wide - 1. */
static void adjacency(const struct laplacian *l, int64_t first, int64_t count, int64_t from,
                      int64_t wide, int64_t *others, void *tile)
{
    const int single = l->tiles.work == PEN_F32;

    memset(tile, 0, (size_t)(count * wide) * pen_size(l->tiles.work));
    for (int64_t i = 0; i < count; i++) {
        const int64_t found = pen_links_of(l->links, first + i, from, from + wide, others);
        for (int64_t k = 0; k < found; k++)
            if (single)
                ((float *)tile)[i * wide + others[k] - from] = 1;
            else
                ((double *)tile)[i * wide + others[k] - from] = 1;
    }
}

/* u_i -= A_upper x over the columns of the tile. In single precision the product is exact: its sums
 * are integers below 2^24. */
static void multiply_tile(void *context, int64_t task, int worker)
{
    const struct laplacian *l = context;
    const int64_t d = l->x.d, first = l->first + task * SUB,
                  count = pen_min(SUB, l->count - task * SUB);
    int64_t from = l->from + l->wide, last = -1;
    const pen_dtype type = l->tiles.work;
    char *const buffers = pen_slice(&l->buffers, worker);
    char *const product = buffers + SUB * TILE * sizeof(double);
    double *restrict u = l->U + task * SUB * d;

    for (int64_t i = first; i < first + count; i++)
        pen_links_span(l->links, i, l->from, l->from + l->wide, &from, &last);
    const int64_t wide = last - from + 1; /* columns between the first and the last pair */
    if (wide <= 0)
        return;
    adjacency(l, first, count, from, wide, (int64_t *)(void *)product, buffers);
    const void *const rows = (const char *)l->Y + (size_t)((from - l->from) * d) * pen_size(type);
    if (type == PEN_F64) {
        pen_blas_gemm(type, PEN_PLAIN, PEN_PLAIN, count, d, wide, -1, buffers, wide, rows, d, 1, u,
                      d);
        return;
    }
    pen_blas_gemm(type, PEN_PLAIN, PEN_PLAIN, count, d, wide, -1, buffers, wide, rows, d, 0,
                  product, d);
    const float *restrict sum = (const float *)(const void *)product;
    for (int64_t j = 0; j < count * d; j++)
        u[j] += (double)sum[j];
}

static pen_status add_tiles(pen_run *run, struct laplacian *l)
{
    for (l->from = l->first / TILE * TILE; l->from < l->links->n; l->from += TILE) {
        l->wide = pen_min(TILE, l->links->n - l->from);
        PEN_TRY(pen_parallel(run, PEN_SILENT, (l->wide + SUB - 1) / SUB, fetch_tile, l));
        PEN_TRY(pen_parallel(run, PEN_SILENT, (l->count + SUB - 1) / SUB, multiply_tile, l));
    }
    return PEN_OK;
}

static pen_status laplacian_memory(pen_run *run, int tiles, struct laplacian *l)
{
    const int64_t d = l->x.d, n = l->links->n, tasks = (pen_min(BLOCK, n) + SUB - 1) / SUB;
    const int64_t product =
        pen_max(pen_times(SUB * (int64_t)sizeof(float), d), TILE * (int64_t)sizeof(int64_t));
    const int64_t tile = pen_plus(SUB * TILE * (int64_t)sizeof(double), product),
                  rows = pen_times(PIECE * (int64_t)sizeof(double), d);

    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), tiles ? tile : rows, 1, &l->buffers));
    PEN_TRY(PEN_NEW(run, l->degree, n));
    PEN_TRY(PEN_NEW2(run, l->U, l->X, pen_times(pen_min(BLOCK, n), d)));
    if (tiles)
        l->Y = pen_scratch(run, pen_times(pen_min(TILE, n), d), pen_size(l->tiles.work));
    return !tiles || l->Y ? PEN_OK : PEN_NO_MEMORY;
}

/* Records the rounding error of S, relative to sum_i deg_i x_ij^2. */
static void note_rounding(const struct laplacian *l, double *sum, double weight, pen_sym *S)
{
    for (int64_t j = 0; j < l->x.d; j++)
        sum[j] = sqrt(LAPLACIAN_ROUNDING * sum[j]);
    pen_sym_add_floor(fabs(weight), sum, S);
}

static void add_squares(const struct laplacian *l, double *restrict sum)
{
    for (int64_t i = 0; i < l->count; i++)
        for (int64_t j = 0; j < l->x.d; j++)
            sum[j] += l->degree[l->first + i] * l->X[i * l->x.d + j] * l->X[i * l->x.d + j];
}

/* 1 if tile products are exact in single precision: bytes minus 128, without normalization or
 * scaling. */
static int exact_in_single(const pen_view *x)
{
    return x->work == PEN_F32 && x->epsilon <= DBL_EPSILON;
}

static pen_status add_laplacian(pen_run *run, const pen_problem *problem, const pen_links *links,
                                int tiles, double weight, pen_sym *S)
{
    const pen_view *const x = &problem->rows;
    struct laplacian l = { .x = *x, .tiles = *x, .rows = problem->pairs->rows, .links = links };
    double *sum;

    const pen_mark_t mark = pen_mark(run);
    l.x.work = PEN_F64;
    if (!exact_in_single(x))
        l.tiles.work = PEN_F64;
    PEN_TRY(laplacian_memory(run, tiles, &l));
    PEN_TRY(PEN_FILLED(run, sum, x->d, 0));
    memset(l.degree, 0, (size_t)links->n * sizeof *l.degree);
    pen_links_add_degrees(links, l.degree);
    for (l.first = 0; l.first < links->n; l.first += BLOCK) {
        l.count = pen_min(BLOCK, links->n - l.first);
        const int64_t tasks = (l.count + SUB - 1) / SUB;
        PEN_TRY(pen_progress(run, "scatter of pairs", l.first, links->n));
        PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, begin_block, &l));
        PEN_TRY(tiles ? add_tiles(run, &l) : pen_parallel(run, PEN_SILENT, tasks, gather, &l));
        PEN_TRY(pen_sym_add_product(run, weight, l.count, l.X, l.U, S));
        if (!exact_in_single(x))
            add_squares(&l, sum);
    }
    note_rounding(&l, sum, weight, S);
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- choice of the route ---- */

/* The number of entries of A_upper that tile products touch: for the rows of a task, the columns
 * between their first and last pair. */
static double tile_entries(const pen_links *links)
{
    double sum = 0;
    for (int64_t first = 0; first < links->n; first += SUB) {
        const int64_t end = pen_min(first + SUB, links->n);
        int64_t low = links->n, high = -1;
        for (int64_t i = first; i < end; i++)
            pen_links_span(links, i, 0, links->n, &low, &high);
        sum += (double)(end - first) * (double)pen_max(0, high - low + 1);
    }
    return sum;
}

static pen_route cheapest_route(const pen_view *x, const pen_links *links)
{
    const double m = (double)links->count, n = (double)links->n, d = (double)x->d;
    const double differences = m * d, gathered = GATHER_COST * m + 2 * n * d;
    const double tiles =
        (exact_in_single(x) ? 1 : 2) * tile_entries(links) + n * n / BLOCK + 2 * n * d;

    if (differences <= gathered && (differences <= tiles || links->weights))
        return PEN_ROUTE_DIFFERENCES;
    return gathered <= tiles || links->weights ? PEN_ROUTE_GATHER : PEN_ROUTE_TILES;
}

pen_status pen_scatter_links(pen_run *run, const pen_problem *problem, const pen_links *links,
                             pen_route route, double weight, pen_sym *S, pen_route *used)
{
    const pen_view *const x = &problem->rows;
    if (route == PEN_ROUTE_LEAST && S->terms)
        route = PEN_ROUTE_GATHER; /* products with the Laplacian */
    else if (route == PEN_ROUTE_LEAST)
        route = cheapest_route(x, links);
    if (used)
        *used = route;
    if (weight == 0 || links->count == 0)
        return PEN_OK;
    if (S->terms)
        return pen_term_of_links(run, weight, problem, links, S);
    PEN_TRY(route == PEN_ROUTE_DIFFERENCES
                ? add_differences(run, problem, links, weight, S)
                : add_laplacian(run, problem, links, route == PEN_ROUTE_TILES, weight, S));
    pen_sym_note(S, pen_min(links->count, links->n - 1), DBL_EPSILON);
    pen_sym_add_floor(fabs(weight) * pen_links_total(links), x->rounding, S);
    return PEN_OK;
}

/* "labels", "labels+differences", "chunklets", ... */
static void note_route(pen_run *run, const char *name, const char *groups, const pen_links *links,
                       const char *route)
{
    char text[PEN_NOTE_SIZE];

    snprintf(text, sizeof text, "%s%s%s", groups, *groups && links->count ? "+" : "",
             links->count ? route : "");
    pen_note_text(run, name, *text ? text : "none");
}

pen_status pen_scatter_pairs(pen_run *run, double cannot, double must, const pen_problem *problem,
                             pen_sym *B, pen_sym *W)
{
    const pen_view *const x = &problem->rows;
    const pen_pair_set *pairs = problem->pairs;
    const int chains = pairs->chain_members != NULL;
    pen_route route;
    pen_view groups;

    if (chains && must != 0) {
        pen_pairs_must_groups(x, pairs, &groups);
        PEN_TRY(pairs->tree ? pen_scatter_joined(run, must, x, pairs->tree, W)
                            : pen_scatter_labels_as_pairs(run, &groups, 0, must, NULL, W));
    }
    if (pairs->closed && (cannot != 0 || (must != 0 && !chains)))
        PEN_TRY(pen_scatter_labels_as_pairs(run, x, cannot, chains ? 0 : must, B, W));
    PEN_TRY(pen_scatter_links(run, problem, &pairs->cannot, PEN_ROUTE_LEAST, cannot, B, &route));
    note_route(run, "cannot_route", pairs->closed ? "labels" : "", &pairs->cannot,
               route_names[route]);
    PEN_TRY(pen_scatter_links(run, problem, &pairs->must, PEN_ROUTE_LEAST, must, W, &route));
    note_route(run, "must_route",
               chains          ? "chunklets"
               : pairs->closed ? "labels"
                               : "",
               &pairs->must, route_names[route]);
    return PEN_OK;
}

static pen_status factor_links(pen_run *run, const pen_problem *problem, const pen_links *links,
                               pen_factored *factored)
{
    const pen_view *const x = &problem->rows;
    *factored = (pen_factored){ .d = x->d, .count = links->count };
    PEN_TRY(PEN_NEW(run, factored->rows, pen_times(links->count, x->d)));
    return list_differences(run, problem, links, factored->rows);
}

pen_status pen_scatter_mean_pairs(pen_run *run, double cannot, double must,
                                  const pen_problem *problem, pen_sym *A)
{
    const double q = problem->pairs->cannot_weight, m = problem->pairs->must_weight;

    return pen_scatter_pairs(run, q > 0 ? cannot / q : 0, m > 0 ? -must / m : 0, problem, A, A);
}

pen_status pen_scatter_pairs_factored(pen_run *run, const pen_problem *problem, pen_factored *B,
                                      pen_factored *W)
{
    const pen_view *const x = &problem->rows;
    const pen_pair_set *pairs = problem->pairs;

    if (!pairs->closed && !pairs->chain_members && pairs->must.count + pairs->cannot.count < x->d) {
        PEN_TRY(factor_links(run, problem, &pairs->cannot, B));
        PEN_TRY(factor_links(run, problem, &pairs->must, W));
        note_route(run, "cannot_route", "", &pairs->cannot, "svd");
        note_route(run, "must_route", "", &pairs->must, "svd");
        return PEN_OK;
    }
    *B = *W = (pen_factored){ .d = x->d };
    PEN_TRY(pen_sym_zero(run, x->d, &B->matrix));
    PEN_TRY(pen_sym_zero(run, x->d, &W->matrix));
    return pen_scatter_pairs(run, 1, 1, problem, &B->matrix, &W->matrix);
}
