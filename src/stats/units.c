/* units.c - a spec and the sums of all blocks give scale and components; rows follow. */
#include "stats/units.h"

#include "core/arguments.h"
#include "core/checksum.h"
#include "linalg/affine.h"
#include "model/spec.h"
#include "stats/row_digest.h"
#include "stats/stats_rows.h"

#include <string.h>

/* ---- what units depend on ---- */

uint32_t pen_stats_crc(uint32_t crc, const double *numbers, int64_t count)
{
    unsigned char bytes[8];
    uint64_t bits;

    for (int64_t i = 0; i < count; i++) {
        memcpy(&bits, &numbers[i], sizeof bits);
        for (int b = 0; b < 8; b++)
            bytes[b] = (unsigned char)(bits >> (8 * b));
        crc = pen_crc32(crc, bytes, sizeof bytes);
    }
    return crc;
}

uint32_t pen_units_digest(const pen_spec *spec, const pen_stats *s)
{
    const pen_common *const common = &spec->common;
    const double how[] = { (double)common->scale, common->pca, (double)common->pca_most,
                           (double)common->pca_scale };
    uint32_t crc = pen_stats_crc(0, how, 4);

    if (common->scale == PEN_SCALE_STANDARD || common->pca > 0)
        crc = pen_stats_crc(pen_stats_crc(crc, s->mean, s->d), s->scatter, s->packed);
    if (common->scale == PEN_SCALE_MINMAX)
        crc = pen_stats_crc(pen_stats_crc(crc, s->low, s->d), s->high, s->d);
    return crc;
}

/* ---- rows ---- */

pen_status pen_units_open(pen_run *run, const pen_spec *spec, const pen_stats *s, pen_units *out)
{
    const pen_common *const common = &spec->common;
    const pen_components asked = { .pca = common->pca,
                                   .most = common->pca_most,
                                   .unit = common->pca_scale == PEN_PCA_SCALE_UNIT };
    const pen_array none = pen_dense(s->mean, PEN_F64, 0, s->d, s->d);

    *out = (pen_units){ .reduced = common->pca > 0,
                        .moments = { .method = spec->method->name,
                                     .n = pen_stats_count(s),
                                     .unit = s->unit,
                                     .low = s->low,
                                     .high = s->high,
                                     .mean = s->mean,
                                     .scatter = s->scatter } };
    PEN_TRY(pen_rows_open_moments(run, &out->moments, &none, NULL, common, &out->scaled));
    out->reduced_to = out->scaled;
    if (out->reduced)
        PEN_TRY(pen_rows_components(run, &out->scaled, &asked, &out->reduction, &out->reduced_to));
    out->scaled.moments = out->reduced_to.moments = NULL;
    return PEN_OK;
}

pen_status pen_units_rows(pen_run *run, const pen_units *units, const double *values, int64_t n,
                          pen_rows *out)
{
    const int64_t d = units->scaled.d, q = units->reduction.q;
    const pen_array given = pen_dense(values, PEN_F64, n, d, d);
    double *y;

    *out = units->reduced_to;
    out->n = n;
    out->values = given;
    if (!units->reduced)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, y, pen_times(n, q)));
    if (n > 0)
        PEN_TRY(pen_affine_apply(run, "principal components", &given, 0, units->scaled.mean,
                                 units->reduction.V, q, PEN_F64, y, q));
    out->values = pen_dense(y, PEN_F64, n, q, q);
    return PEN_OK;
}

/* ---- a block ---- */

static pen_status find_block(pen_run *run, const pen_stats *all, const pen_data *data, int64_t id,
                             int64_t *first)
{
    const int64_t at = pen_stats_find_block(all, id);
    int64_t before = 0;

    PEN_REQUIRE(run, at >= 0, PEN_BAD_ARGUMENT, "block %lld is not in the statistics",
                (long long)id);
    const int64_t *const block = all->blocks + 3 * at;
    for (int64_t b = 0; b < at; b++)
        before += all->blocks[3 * b + 1];
    PEN_REQUIRE(run, block[1] == data->x.rows, PEN_BAD_DATA,
                "block %lld had %lld rows in the first pass, and has %lld", (long long)id,
                (long long)block[1], (long long)data->x.rows);
    PEN_REQUIRE(run, data->x.cols == all->d, PEN_BAD_DATA,
                "block %lld has %lld columns, the statistics have %lld", (long long)id,
                (long long)data->x.cols, (long long)all->d);
    if (first)
        *first = before;
    return PEN_OK;
}

/* The rows of the block `id` are those of the first pass. */
static pen_status check_rows(pen_run *run, const pen_stats *all, const pen_data *data, int64_t id)
{
    int64_t digest;

    PEN_TRY(pen_row_digest(run, &data->x, &digest));
    PEN_REQUIRE(run, digest == all->block_digest[pen_stats_find_block(all, id)], PEN_BAD_DATA,
                "block %lld has other rows than in the first pass, or the same in another order",
                (long long)id);
    return PEN_OK;
}

pen_status pen_units_given(pen_run *run, const pen_spec *spec, const pen_data *data, pen_rows *out)
{
    const pen_common plain = { .normalize = spec->common.normalize };
    double *zero;

    pen_data after = *data;
    *out = (pen_rows){ .d = data->x.cols };
    PEN_TRY(pen_stats_take_steps(run, spec, &after.x));
    if (data->x.rows != 0)
        PEN_TRY(pen_rows_open(run, &after, &plain, out));
    PEN_TRY(PEN_NEW(run, zero, out->d));
    memset(zero, 0, (size_t)out->d * sizeof *zero);
    out->mean = zero;
    return PEN_OK;
}

pen_status pen_units_block(pen_run *run, const pen_spec *spec, const pen_stats *s,
                           const pen_data *data, int64_t id, pen_rows *out, int64_t *first)
{
    PEN_TRY(pen_check_given(run, data, "data"));
    if (data->x.rows != 0)
        PEN_TRY(pen_check_data(run, data));
    PEN_TRY(find_block(run, s, data, id, first));
    PEN_TRY(pen_units_given(run, spec, data, out));
    return check_rows(run, s, data, id);
}
