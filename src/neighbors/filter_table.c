/* filter_table.c - the rows of a filtered search: projected, ordered, as codes and copies. */
#include "core/parallel.h"
#include "core/sort.h"
#include "linalg/blas.h"
#include "neighbors/filter.h"

#include <float.h>
#include <math.h>

enum {
    BLOCK_BYTES = 400 << 10, /* bytes of the copies of a block: two blocks stay in cache */
    UNIT = 64,               /* the size of a copy is a multiple of this */
    FAR_ROWS = 4,            /* rows that may be too far for codes and then always pass, */
    ROWS_PER_FAR = 8192,     /* plus one per this number of rows */
    TASK = 64,               /* rows */
};

/* Underflow in floats is far below this, even over d squares. */
static const double TINY = 1e-16;

struct making {
    pen_filter_table *t;
    float *y;                 /* [n x m] projected rows, by place, */
    double *largest, *blur;   /* [n] largest coordinates, and their possible error */
    pen_slices block, single; /* [TASK x d] */
};

/* ---- projection ---- */

/* A row is known to error |row| + absolute, and is rounded to floats. A sum of d products of floats
 * has an error of at most d units of rounding times the sum of their sizes. For an axis that sum is
 * at most its length times that of the row; m axes multiply it by sqrt(m). */
static double blur_of(const struct making *m, double length, double from_center)
{
    const pen_coding *const c = m->t->rows->coding;
    const pen_filter_basis *const basis = m->t->basis;
    const double unit = FLT_EPSILON / 2, terms = (double)c->d * sqrt((double)basis->m) * 1.01;

    return basis->stretch
           * (c->error * length + c->absolute + TINY + (2 + terms) * unit * from_center)
           * (1 + 1e-6);
}

static void project_rows(void *context, int64_t task, int worker)
{
    const struct making *m = context;
    const pen_filter_rows *const rows = m->t->rows;
    const pen_filter_basis *const basis = m->t->basis;
    const int64_t d = rows->coding->d, axes = basis->m, first = task * TASK,
                  count = pen_min(TASK, m->t->n - first);
    double *const block = pen_slice(&m->block, worker), lengths[TASK], from_center[TASK];
    float *const single = pen_slice(&m->single, worker);

    pen_coding_block(rows->coding, rows->x, rows->rows, first, count, block);
    pen_squared_lengths(PEN_F64, block, count, d, lengths);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < d; j++) {
            block[i * d + j] -= basis->center[j];
            single[i * d + j] = (float)block[i * d + j];
        }
    pen_squared_lengths(PEN_F64, block, count, d, from_center);
    pen_blas_gemm(PEN_F32, PEN_PLAIN, PEN_TRANSPOSED, count, axes, d, 1, single, d, basis->axes, d,
                  0, m->y + first * axes, axes);
    for (int64_t i = 0; i < count; i++) {
        double largest = 0;
        for (int64_t j = (first + i) * axes; j < (first + i + 1) * axes; j++)
            largest = fmax(largest, fabs((double)m->y[j]));
        m->largest[first + i] = largest;
        m->blur[first + i] = blur_of(m, sqrt(lengths[i]), sqrt(from_center[i]));
    }
}

/* ---- in the order of the search ---- */

/* The codes of a row, and the length of its residual. */
static void code_row(const struct making *m, int64_t i)
{
    pen_filter_table *const t = m->t;
    const float *const y = m->y + t->place[i] * t->basis->m;
    int8_t *const panel = t->panels + i / PEN_PANEL * pen_panel_bytes(t->depth);
    const double most = pen_tiles_most(t->rows->coding->tiles);
    double rest2 = 0;
    int32_t sum = 0, length2 = 0;
    int far = 0;

    for (int64_t j = 0; j < t->basis->m; j++) {
        const double wanted = nearbyint((double)y[j] / t->scale),
                     code = fmax(-most, fmin(most, wanted)), rest = (double)y[j] - t->scale * code;
        far |= code != wanted;
        rest2 += rest * rest;
        panel[pen_panel_place(i % PEN_PANEL, j)] = (int8_t)code;
        sum += (int32_t)code;
        length2 += (int32_t)code * (int32_t)code;
    }
    t->blur[i] = m->blur[t->place[i]];
    t->length2[i] = length2;
    t->base[i] = length2 + 2 * t->rows->coding->tiles->bias * sum;
    t->slack[i] = far ? (double)INFINITY : sqrt(rest2) * (1 + 1e-9) + t->blur[i];
}

static void copy_bytes(pen_filter_table *t, int64_t i, int64_t d, const double *row)
{
    uint8_t *const to = t->bytes + i * t->stride;
    uint32_t sum = 0, length2 = 0;

    for (int64_t j = 0; j < d; j++) {
        to[j] = (uint8_t)(row[j] + 128);
        sum += to[j];
        length2 += (uint32_t)to[j] * to[j];
    }
    t->far[i] = (int32_t)length2;
    t->own[i] = (int32_t)(length2 - 256 * sum);
}

static void make_rows(void *context, int64_t task, int worker)
{
    const struct making *m = context;
    pen_filter_table *const t = m->t;
    const int64_t d = t->rows->coding->d;
    double *const row = pen_slice(&m->block, worker);

    for (int64_t i = task * TASK; i < pen_min(t->n, (task + 1) * TASK); i++) {
        code_row(m, i);
        pen_coding_block(t->rows->coding, t->rows->x, t->order, i, 1, row);
        if (t->bytes)
            copy_bytes(t, i, d, row);
        for (int64_t j = 0; t->floats && j < d; j++)
            t->floats[i * t->stride + j] = (float)(row[j] - t->basis->center[j]);
    }
}

static void finish_table(pen_filter_table *t)
{
    for (int64_t i = 0; i < t->n; i++) {
        t->widest = isfinite(t->slack[i]) ? fmax(t->widest, t->slack[i]) : t->widest;
        t->worst = fmax(t->worst, t->blur[i]);
    }
    for (int64_t i = t->n; i < t->padded; i++) {
        t->length2[i] = t->base[i] = 0;
        t->reach[i] = -1;
    }
}

static pen_status fill(pen_run *run, struct making *m)
{
    pen_filter_table *const t = m->t;
    const int64_t n = t->n, axes = t->basis->m, tasks = (n + TASK - 1) / TASK,
                  each = pen_times(TASK, t->rows->coding->d);
    const int workers = pen_workers(run, tasks);

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, m->y, pen_times(n, axes)));
    PEN_TRY(PEN_NEW2(run, m->largest, m->blur, n));
    PEN_TRY(pen_slices_new(run, workers, each, sizeof(double), &m->block));
    PEN_TRY(pen_slices_new(run, workers, each, sizeof(float), &m->single));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, project_rows, m));
    PEN_TRY(pen_filter_order(run, n, axes, m->y, t->block, t->place));
    for (int64_t i = 0; i < n; i++)
        t->order[i] = t->rows->rows ? t->rows->rows[t->place[i]] : t->place[i];
    /* one scale for all rows, except for some of the farthest */
    t->scale = pen_select_kth(m->largest, n, n - 1 - pen_min(n / 2, FAR_ROWS + n / ROWS_PER_FAR))
               / pen_tiles_most(t->rows->coding->tiles);
    if (t->scale > 0)
        PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, make_rows, m));
    pen_release(run, mark);
    finish_table(t);
    return PEN_OK;
}

pen_status pen_filter_table_open(pen_run *run, const pen_filter_rows *rows,
                                 const pen_filter_basis *basis, pen_filter_table *t)
{
    const pen_coding *const c = rows->coding;
    const int64_t n = rows->count, stride = (c->d + UNIT - 1) / UNIT * UNIT,
                  bytes = stride * (c->whole ? 1 : (int64_t)sizeof *t->floats),
                  most = pen_min(n / PEN_FEWEST_BLOCKS, BLOCK_BYTES / bytes);
    struct making m = { .t = t };

    *t = (pen_filter_table){ .rows = rows,
                             .basis = basis,
                             .n = n,
                             .padded = (n + PEN_SIDE - 1) / PEN_SIDE * PEN_SIDE,
                             .depth = pen_tiles_depth(c->tiles, basis->m),
                             .stride = stride,
                             .block = pen_tile_walk_rows(most),
                             .fast = pen_fast() };
    t->blocks = (n + t->block - 1) / t->block;
    PEN_TRY(PEN_NEW2(run, t->order, t->place, n));
    PEN_TRY(PEN_FILLED(run, t->panels, pen_times(t->padded, t->depth), 0));
    PEN_TRY(PEN_NEW3(run, t->length2, t->base, t->reach, t->padded));
    PEN_TRY(PEN_NEW3(run, t->slack, t->near, t->blur, n));
    if (c->whole) {
        PEN_TRY(PEN_NEW2(run, t->own, t->far, n));
        PEN_TRY(PEN_FILLED(run, t->bytes, pen_times(n, stride), 0));
    } else {
        PEN_TRY(PEN_FILLED(run, t->floats, pen_times(n, stride), 0));
    }
    return fill(run, &m);
}

pen_status pen_filter_walk(pen_run *run, const pen_filter_table *t, const void *context,
                           pen_tile_filter_fn *filter, pen_tile_meet_fn *meet, pen_tile_walk *out)
{
    const pen_tile_side side = { t->panels, t->n };

    *out = (pen_tile_walk){ .run = run,
                            .tiles = t->rows->coding->tiles,
                            .depth = t->depth,
                            .block = t->block,
                            .left = side,
                            .right = side,
                            .context = context,
                            .filter = filter,
                            .meet = meet };
    return pen_tile_walk_open(run, out);
}
