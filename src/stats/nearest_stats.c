/* nearest_stats.c - pen_stats_nearest: the second pass over a block, which finds the distances of
 * all labelled rows to their nearest rows in this block. */
#include "core/arguments.h"
#include "core/checksum.h"
#include "linalg/affine.h"
#include "linalg/reduce.h"
#include "model/spec.h"
#include "neighbors/neighbors.h"
#include "core/row_digest.h"
#include "stats/stats_rows.h"

#include <math.h>
#include <string.h>

enum { ROWS_AT_ONCE = 4096 };

/* ---- the digest of what distances depend on ---- */

/* The checksum of numbers in the byte order of files. */
static uint32_t add_numbers(uint32_t crc, const double *numbers, int64_t count)
{
    unsigned char bytes[8];
    uint64_t bits;

    for (int64_t i = 0; i < count; i++) {
        memcpy(&bits, &numbers[i], sizeof bits);
        pen_put_u64(bits, bytes);
        crc = pen_crc32(crc, bytes, sizeof bytes);
    }
    return crc;
}

uint32_t pen_stats_digest(const pen_spec *spec, const pen_stats *s)
{
    const pen_common *const common = &spec->common;
    const double how[] = { (double)common->scale, common->pca, (double)common->pca_most,
                           (double)common->pca_scale };
    uint32_t crc = add_numbers(0, how, 4);

    if (common->scale == PEN_SCALE_STANDARD || common->scale == PEN_SCALE_AUTO || common->pca > 0)
        crc = add_numbers(add_numbers(crc, s->mean, s->d), s->scatter, s->packed);
    if (common->scale == PEN_SCALE_MINMAX)
        crc = add_numbers(add_numbers(crc, s->low, s->d), s->high, s->d);
    for (int64_t i = 0; i < s->kept; i++)
        if (s->row_class[i] >= 0)
            crc = add_numbers(crc, s->row_value + i * s->d, s->d);
    return crc;
}

/* ---- rows in the units of the fit ---- */

struct search {
    const pen_spec *spec;
    const pen_stats *all;
    pen_moments moments;
    pen_view scaled; /* columns as in the fit; without rows */
    int reduced;
    pen_reduction reduction;
    pen_view units;    /* components, or the scaled columns; without rows */
    pen_view labelled; /* of all blocks, in the units of the fit */
    int64_t *ids;      /* [labelled x 2] */
    pen_stats *out;
};

/* Columns are scaled and reduced as in a fit from the statistics of all blocks. */
static pen_status open_units(pen_run *run, struct search *q)
{
    const pen_stats *const s = q->all;
    const pen_common *const common = &q->spec->common;
    const pen_components asked = { .pca = common->pca,
                                   .most = common->pca_most,
                                   .unit = common->pca_scale == PEN_PCA_SCALE_UNIT };
    const pen_array none = pen_dense(s->mean, PEN_F64, 0, s->d, s->d);

    q->reduced = common->pca > 0;
    q->moments = pen_stats_moments(q->spec, s);
    PEN_TRY(pen_rows_open_moments(run, &q->moments, &none, NULL, common->scale, &q->scaled));
    q->units = q->scaled;
    if (q->reduced)
        PEN_TRY(pen_rows_components(run, &q->scaled, &asked, &q->reduction, &q->units));
    q->units.moments = NULL; /* a search treats its rows as all rows */
    return PEN_OK;
}

/* Converts values [n x d], rows after row steps, to these units. The values must outlive the
 * view. */
static pen_status take_units(pen_run *run, const struct search *q, const double *values, int64_t n,
                             pen_view *out)
{
    const int64_t d = q->scaled.d, k = q->reduction.q;
    const pen_array given = pen_dense(values, PEN_F64, n, d, d);
    double *y;

    *out = q->units;
    out->n = n;
    out->values = given;
    if (!q->reduced)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, y, pen_times(n, k)));
    if (n > 0)
        PEN_TRY(pen_affine_apply(run, "principal components", &given, 0, q->scaled.mean,
                                 q->reduction.V, k, PEN_F64, y, k));
    out->values = pen_dense(y, PEN_F64, n, k, k);
    return PEN_OK;
}

/* Opens the labelled rows. */
static pen_status open_labelled(pen_run *run, struct search *q)
{
    const pen_stats *const s = q->all;
    const int64_t l = pen_stats_labelled(s);
    double *values;
    int64_t at = 0;

    PEN_TRY(PEN_NEW(run, values, pen_times(l, s->d)));
    PEN_TRY(PEN_NEW(run, q->ids, pen_times(2, l)));
    for (int64_t i = 0; i < s->kept; i++)
        if (s->row_class[i] >= 0) {
            memcpy(values + at * s->d, s->row_value + i * s->d, (size_t)s->d * sizeof *values);
            memcpy(q->ids + 2 * at++, s->row_id + 2 * i, 2 * sizeof *q->ids);
        }
    return take_units(run, q, values, l, &q->labelled);
}

/* Opens rows first .. first + count - 1 of the block in the same units. given: measured from 0. */
static pen_status open_piece(pen_run *run, const struct search *q, const pen_view *given,
                             int64_t first, int64_t count, pen_view *out)
{
    double *values;

    PEN_TRY(PEN_NEW(run, values, pen_times(count, given->d)));
    pen_rows_centered(given, NULL, first, count, values);
    return take_units(run, q, values, count, out);
}

/* ---- the search ---- */

/* Takes nearer rows into the list [k] of a labelled row. `own`: the first of `found` is the row
 * itself. */
static void take(const pen_neighbor *found, int64_t count, int own, int64_t k, double *list,
                 double *scratch)
{
    int64_t a = 0, b = own;

    for (int64_t c = 0; c < k; c++) {
        const double here = b < count && found[b].row >= 0 ? found[b].distance2 : INFINITY;
        scratch[c] = list[a] <= here ? list[a++] : (b++, here);
    }
    memcpy(list, scratch, (size_t)k * sizeof *list);
}

static pen_status search_piece(pen_run *run, struct search *q, const pen_view *given, int64_t id,
                               int64_t first, int64_t count)
{
    const int64_t l = q->labelled.n, k = q->out->near;
    pen_neighbor *found;
    double *scratch;
    pen_view piece;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(open_piece(run, q, given, first, count, &piece));
    PEN_TRY(PEN_NEW(run, found, pen_times(l, k + 1)));
    PEN_TRY(PEN_NEW(run, scratch, k));
    PEN_TRY(pen_neighbors_among(run, &q->labelled, &piece, k + 1, found));
    for (int64_t i = 0; i < l; i++) {
        const int64_t row = q->ids[2 * i + 1];
        const int own = q->ids[2 * i] == id && row >= first && row < first + count;
        take(found + i * (k + 1), k + 1, own, k, q->out->near_distance2 + i * k, scratch);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- the block ---- */

static pen_status check_block(pen_run *run, const pen_stats *all, const pen_data *data, int64_t id)
{
    const int64_t at = pen_stats_find_block(all, id);

    PEN_REQUIRE(run, at >= 0, PEN_BAD_ARGUMENT, "block %lld is not in the statistics",
                (long long)id);
    const int64_t *const block = all->blocks + 3 * at;
    PEN_REQUIRE(run, block[1] == data->x.rows, PEN_BAD_DATA,
                "block %lld had %lld rows in the first pass, and has %lld", (long long)id,
                (long long)block[1], (long long)data->x.rows);
    PEN_REQUIRE(run, data->x.cols == all->d, PEN_BAD_DATA,
                "block %lld has %lld columns, the statistics have %lld", (long long)id,
                (long long)data->x.cols, (long long)all->d);
    return PEN_OK;
}

/* Checks that block `id` has the rows of the first pass. */
static pen_status check_rows(pen_run *run, const pen_stats *all, const pen_data *data, int64_t id)
{
    int64_t digest;

    PEN_TRY(pen_row_digest(run, &data->x, &digest));
    PEN_REQUIRE(run, digest == all->block_digest[pen_stats_find_block(all, id)], PEN_BAD_DATA,
                "block %lld has different rows than in the first pass, or a different order",
                (long long)id);
    return PEN_OK;
}

/* Opens the block's rows after row steps, measured from 0; possibly none. */
static pen_status open_given(pen_run *run, const struct search *q, const pen_data *data,
                             pen_view *out)
{
    double *zero;

    pen_data after = *data;
    *out = (pen_view){ .d = data->x.cols };
    PEN_TRY(pen_stats_take_steps(run, q->spec, &after.x));
    if (data->x.rows != 0)
        PEN_TRY(pen_rows_open(run, &after, q->spec->common.row.l2, PEN_SCALE_NONE, out));
    PEN_TRY(PEN_FILLED(run, zero, out->d, 0));
    out->mean = zero;
    return PEN_OK;
}

/* ---- the object ---- */

/* The parameter `neighbors` of the method. */
static int64_t neighbors_of(const pen_spec *spec)
{
    const pen_param *const param = pen_param_find(spec->method->params, "neighbors");
    return (int64_t)pen_param_get(param, spec->own);
}

static pen_status check(pen_run *run, const pen_spec *spec, const pen_stats *all,
                        const pen_data *data)
{
    PEN_TRY(pen_check_given(run, data, "data"));
    PEN_REQUIRE(run, !data->rows, PEN_BAD_ARGUMENT,
                "data.rows must be NULL: statistics read each block of rows once");
    if (data->x.rows != 0)
        PEN_TRY(pen_check_data(run, data));
    PEN_REQUIRE(run, pen_method_parts(spec->method) & PEN_PART_NEAREST, PEN_BAD_ARGUMENT,
                "%s needs no second pass over the rows", spec->method->name);
    PEN_TRY(pen_stats_check_steps(run, spec));
    PEN_REQUIRE(run, all->parts & PEN_PART_TOTAL && all->parts & PEN_PART_ROWS, PEN_BAD_ARGUMENT,
                "the statistics of all blocks must have the parts total and rows");
    return pen_stats_check_rows(run, spec, all, "this pass");
}

/* Makes an object of this block with empty lists. */
static pen_status open_result(pen_run *run, struct search *q, int64_t id)
{
    const int64_t at = pen_stats_find_block(q->all, id);
    pen_stats *const s = q->out;

    s->parts = PEN_PART_NEAREST;
    s->row = q->all->row;
    s->is_named = q->all->is_named;
    s->block_count = 1;
    s->near_rows = q->labelled.n;
    s->near = pen_max(1, pen_min(neighbors_of(q->spec), pen_stats_count(q->all) - 1));
    s->digest = pen_stats_digest(q->spec, q->all);
    PEN_TRY(pen_keep_names(run, NULL, 0, &s->class_names));
    PEN_TRY(pen_keep_names(run, q->all->column_names, s->d, &s->column_names));
    PEN_TRY(pen_stats_allocate(run, s));
    memcpy(s->blocks, q->all->blocks + 3 * at, 3 * sizeof *s->blocks);
    s->block_digest[0] = q->all->block_digest[at];
    memcpy(s->near_id, q->ids, (size_t)(2 * s->near_rows) * sizeof *s->near_id);
    for (int64_t i = 0; i < s->near_rows * s->near; i++)
        s->near_distance2[i] = INFINITY;
    return PEN_OK;
}

static pen_status search_block(pen_run *run, struct search *q, const pen_data *data, int64_t id)
{
    pen_view given;

    PEN_TRY(check_block(run, q->all, data, id));
    PEN_TRY(open_given(run, q, data, &given));
    PEN_TRY(check_rows(run, q->all, data, id));
    PEN_TRY(open_units(run, q));
    PEN_TRY(open_labelled(run, q));
    PEN_TRY(open_result(run, q, id));
    for (int64_t first = 0; q->labelled.n > 0 && first < given.n; first += ROWS_AT_ONCE)
        PEN_TRY(search_piece(run, q, &given, id, first, pen_min(ROWS_AT_ONCE, given.n - first)));
    return PEN_OK;
}

static pen_status make(pen_run *run, const pen_spec *spec, const pen_stats *all,
                       const pen_data *data, int64_t id, pen_stats **out)
{
    struct search q = { .spec = spec, .all = all };

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, all, "all"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(check(run, spec, all, data));
    PEN_TRY(pen_stats_empty(run, all->d, out));
    q.out = *out;
    return search_block(run, &q, data, id);
}

pen_status pen_stats_nearest(const pen_spec *spec, const pen_stats *all, const pen_data *data,
                             int64_t block, const pen_control *control, pen_stats **out,
                             pen_error *err)
{
    PEN_MAKE(control, err, out, pen_stats_free, make(run, spec, all, data, block, out));
}
