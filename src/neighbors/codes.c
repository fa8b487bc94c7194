/* codes.c - codes rows sixteen at a time, with the coordinates of eight side by side, so that every
 * loop runs over rows.
 *
 * The rotation: two rounds of random signs and Hadamard transforms of the first p and of the last p
 * coordinates, p the largest power of two that is at most d. Each step is orthogonal. */
#include "neighbors/codes.h"

#include "core/float_bits.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "core/sort.h"
#include "linalg/blas.h"
#include "neighbors/neighbor.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_WHOLE = 33025, /* columns: 255^2 times this is an int32 */
    LANES = 8,          /* rows side by side */
    SOME = 64,          /* rows that show whether all values may be whole numbers */
    TASK = 256,         /* rows of a task that only reads */
    ROUNDS = 2,
    SIGNS_TAG = 7001,
    /* Rounding of a rotation in double, in units of 2^-53 of the length of the row: at most 2 x 2 x
     * 31 stages of sums add one each, and four multiplications by p^-1/2 add two each. */
    ROTATION_UNITS = 136,
    /* The same for float arithmetic in the filter, in units of 2^-24: three roundings of the
     * product and one of each of two sums, with sizes at most 1, 1 and 2, make less than 6.2. */
    FILTER_UNITS = 8,
};

/* Lengths are at most 1. Underflow in the filter is below the square of this. */
static const double TINY = 1e-18;

/* The same rows with blocks of doubles. */
static pen_view in_double(const pen_view *x)
{
    pen_view out = *x;
    out.work = PEN_F64;
    return out;
}

/* ---- the coding ---- */

/* NaN if either is. */
static double smaller(double a, double b)
{
    return a < b || isnan(a) ? a : b;
}

static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

struct survey {
    const pen_view *x;
    pen_slices rows; /* [LANES x d] */
    double *parts;   /* [tasks x 3] lowest and highest value and 0, or 0, 0 and largest squared
                      * length */
    int whole;
};

/* The lowest and highest value, or NaN if a value is not a whole number. */
static void survey_values(const double *restrict block, int64_t count, double *part)
{
    double low = block[0], high = block[0], rest = 0;

    for (int64_t i = 0; i < count; i++) {
        low = block[i] < low ? block[i] : low;
        high = block[i] > high ? block[i] : high;
        rest += fabs(block[i] - floor(block[i]));
    }
    part[0] = rest == 0 ? smaller(part[0], low) : (double)NAN;
    part[1] = larger(part[1], high);
}

static void survey_rows(void *context, int64_t task, int worker)
{
    const struct survey *s = context;
    const int64_t d = s->x->d, end = pen_min((task + 1) * TASK, s->x->n);
    double *const block = pen_slice(&s->rows, worker), *const part = s->parts + 3 * task;
    double lengths[LANES];

    part[0] = (double)INFINITY;
    part[1] = -(double)INFINITY;
    part[2] = 0;
    for (int64_t i = task * TASK; i < end && !isnan(part[0]); i += LANES) {
        const int64_t count = pen_min(LANES, end - i);
        if (s->whole) {
            pen_array_gather(&s->x->values, NULL, i, count, 0, d, PEN_F64, block);
            survey_values(block, count * d, part);
            continue;
        }
        pen_rows_block(s->x, NULL, i, count, block);
        pen_squared_lengths(PEN_F64, block, count, d, lengths);
        for (int64_t j = 0; j < count; j++)
            part[2] = larger(part[2], lengths[j]);
    }
}

static pen_status survey(pen_run *run, const pen_view *x, int whole, int64_t n, double *out)
{
    pen_view some = *x;
    struct survey s = { .x = &some, .whole = whole };
    const pen_mark_t mark = pen_mark(run);

    some.n = n;
    const int64_t tasks = (n + TASK - 1) / TASK;
    PEN_TRY(PEN_NEW(run, s.parts, pen_times(3, tasks)));
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), pen_times(LANES, x->d), sizeof(double),
                           &s.rows));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, survey_rows, &s));
    for (int64_t t = 0; t < tasks; t++) {
        const double *const part = s.parts + 3 * t;
        out[0] = smaller(out[0], part[0]);
        out[1] = larger(out[1], part[1]);
        out[2] = larger(out[2], part[2]);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* 1 if the rows are plain, so that whole numbers stay whole. */
static int is_plain(const pen_view *x)
{
    return !x->unit && !x->scale && x->d <= MOST_WHOLE;
}

/* Are all values whole numbers that span at most 255? */
static pen_status find_whole(pen_run *run, const pen_view *x, const pen_view *others,
                             pen_coding *coding)
{
    const pen_view *const both[] = { x, others };
    double facts[3] = { (double)INFINITY, -(double)INFINITY, 0 };

    coding->whole = is_plain(x);
    if (!coding->whole
        || (x->values.dtype == PEN_U8 && (!others || others->values.dtype == PEN_U8)))
        return PEN_OK;
    for (int all = 0; all < 2 && coding->whole; all++)
        for (int i = 0; i < 2 && both[i] && coding->whole; i++) {
            const int64_t n = all ? both[i]->n : pen_min(SOME, both[i]->n);
            PEN_TRY(survey(run, both[i], 1, n, facts));
            coding->whole = facts[1] - facts[0] <= 255; /* not if NaN */
        }
    coding->lowest = facts[0];
    return PEN_OK;
}

/* The sum of the distances of rows to a center, or to that of all rows if NULL. */
static double spread_of(int64_t d, int64_t count, const double *rows, const double *center)
{
    double sum = 0;

    for (int64_t i = 0; i < count; i++) {
        double length2 = 0;
        for (int64_t j = 0; j < d; j++) {
            const double value = rows[i * d + j] - (center ? center[j] : 0);
            length2 += value * value;
        }
        sum += sqrt(length2);
    }
    return sum;
}

/* Finds a center near most rows: their origin, or the median of some rows if that is nearer,
 * because a few far rows have moved the origin. */
static pen_status find_center(pen_run *run, const pen_view *x, pen_coding *coding)
{
    const int64_t d = x->d, count = pen_min(SOME, x->n), apart = x->n / count;
    double *rows, *column, *center;

    PEN_TRY(PEN_NEW(run, center, d));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rows, pen_times(count, d)));
    PEN_TRY(PEN_NEW(run, column, count));
    for (int64_t i = 0; i < count; i++)
        pen_rows_block(x, NULL, i * apart, 1, rows + i * d);
    for (int64_t j = 0; j < d; j++) {
        for (int64_t i = 0; i < count; i++)
            column[i] = rows[i * d + j];
        qsort(column, (size_t)count, sizeof *column, pen_by_double);
        center[j] = column[count / 2];
    }
    if (spread_of(d, count, rows, center) < spread_of(d, count, rows, NULL))
        coding->center = center;
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status open_scaled(pen_run *run, const pen_view *x, const pen_view *others,
                              pen_coding *coding, int *suits)
{
    const pen_view *const both[] = { x, others };
    double facts[3] = { 0 };
    int exponent;

    for (int i = 0; i < 2 && both[i]; i++) {
        const pen_view precise = in_double(both[i]);
        PEN_TRY(survey(run, &precise, 0, precise.n, facts));
    }
    *suits = facts[2] > DBL_MIN && facts[2] <= DBL_MAX / 8;
    if (!*suits)
        return PEN_OK;
    const pen_view precise = in_double(x);
    frexp(sqrt(facts[2]), &exponent);
    coding->unit = ldexp(1, -exponent);
    /* |d1^2 - d2^2| <= margin (|a|^2 + |b|^2) bounds |d1 - d2| by sqrt(margin) (|a| + |b|) */
    coding->error = sqrt(pen_neighbors_margin(&precise)) + ROTATION_UNITS * (DBL_EPSILON / 2);
    PEN_TRY(find_center(run, &precise, coding));
    coding->absolute = (x->rounding ? 2 * pen_norm(x->d, x->rounding) : 0) * coding->unit;
    if (coding->center) /* the error of a row is a fraction of its distance to the origin */
        coding->absolute += 2 * coding->error * pen_norm(x->d, coding->center) * coding->unit;

    double *signs;
    pen_rng rng = { pen_rng_derive(0, SIGNS_TAG) };
    PEN_TRY(PEN_NEW(run, signs, pen_times(ROUNDS, x->d)));
    for (int64_t j = 0; j < ROUNDS * x->d; j++)
        signs[j] = pen_rng_next(&rng) >> 63 ? 1 : -1;
    coding->signs = signs;
    return PEN_OK;
}

pen_status pen_coding_open(pen_run *run, const pen_view *x, const pen_view *others,
                           pen_coding *coding, int *suits)
{
    const pen_isa isa = pen_isa_now();

    *coding = (pen_coding){ .unit = 1 };
    PEN_TRY(find_whole(run, x->source ? x->source : x, others, coding));
    coding->tiles = coding->whole ? pen_tiles_of_bytes(isa) : pen_tiles_of_codes(isa);
    coding->d = pen_coded_rows(coding, x)->d;
    coding->depth = pen_tiles_depth(coding->tiles, coding->d);
    *suits = coding->depth <= PEN_MOST_DEPTH;
    if (*suits && !coding->whole)
        PEN_TRY(open_scaled(run, x, others, coding, suits));
    return PEN_OK;
}

/* ---- codes ---- */

void pen_coding_block(const pen_coding *coding, const pen_view *x, const int64_t *members,
                      int64_t first, int64_t count, double *block)
{
    const int64_t d = coding->d;

    if (coding->whole) {
        pen_array_gather(&x->values, members, first, count, 0, d, PEN_F64, block);
        for (int64_t i = 0; i < count * d; i++)
            block[i] = block[i] - coding->lowest - 128;
        return;
    }
    const pen_view precise = in_double(x);
    pen_rows_block(&precise, members, first, count, block);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < d; j++) {
            const double from = coding->center ? coding->center[j] : 0;
            block[i * d + j] = (block[i * d + j] - from) * coding->unit;
        }
}

struct making {
    const pen_coding *coding;
    const pen_view *x;
    const int64_t *members;
    pen_slices block; /* [LANES x d] rows, then [d x LANES] the same side by side */
    pen_codes *out;
};

/* Hadamard transform of `size` coordinates of all lanes, two stages at a time if possible: the sums
 * are those of one stage after the other. */
static void transform(int64_t size, double *restrict v)
{
    const double factor = 1 / sqrt((double)size);
    int64_t half = 1;

    for (; 4 * half <= size; half *= 4)
        for (int64_t i = 0; i < size; i += 4 * half)
            for (int64_t j = i * LANES, step = half * LANES; j < i * LANES + step; j++) {
                const double a = v[j] + v[j + step], b = v[j] - v[j + step],
                             c = v[j + 2 * step] + v[j + 3 * step],
                             e = v[j + 2 * step] - v[j + 3 * step];
                v[j] = a + c;
                v[j + step] = b + e;
                v[j + 2 * step] = a - c;
                v[j + 3 * step] = b - e;
            }
    for (int64_t j = 0; half < size && j < half * LANES; j++) {
        const double a = v[j], b = v[j + half * LANES];
        v[j] = a + b;
        v[j + half * LANES] = a - b;
    }
    for (int64_t j = 0; j < size * LANES; j++)
        v[j] *= factor;
}

static void rotate(const pen_coding *coding, double *restrict v)
{
    const int64_t d = coding->d;
    int64_t size = 1;

    while (2 * size <= d)
        size *= 2;
    for (int round = 0; round < ROUNDS; round++) {
        for (int64_t j = 0; j < d; j++)
            for (int l = 0; l < LANES; l++)
                v[j * LANES + l] *= coding->signs[round * d + j];
        transform(size, v);
        if (size < d)
            transform(size, v + (d - size) * LANES);
    }
}

/* Writes codes [d x LANES], whole numbers, into the panel of rows from `row`, and numbers that
 * depend only on codes. */
static void store_codes(const struct making *m, int64_t row, const double *codes)
{
    const pen_coding *const c = m->coding;
    int8_t *const panel = m->out->panels + row / PEN_PANEL * pen_panel_bytes(c->depth);
    const int64_t in_panel = row % PEN_PANEL;
    int32_t length2[LANES] = { 0 }, sum[LANES] = { 0 };

    for (int64_t j = 0; j < c->d; j++) {
        int8_t *const to = panel + pen_panel_place(in_panel, j);
        for (int l = 0; l < LANES; l++) {
            const int32_t code = (int32_t)codes[j * LANES + l];
            to[4 * l] = (int8_t)code;
            sum[l] += code;
            length2[l] += code * code;
        }
    }
    for (int l = 0; l < LANES; l++) {
        m->out->length2[row + l] = length2[l];
        /* in uint32, whose overflow is defined: see pen_whole_filter */
        m->out->base[row + l] =
            c->whole
                ? (int32_t)((uint32_t)length2[l] + 2 * (uint32_t)c->tiles->bias * (uint32_t)sum[l])
                : c->tiles->bias * sum[l];
    }
}

/* Rounds the rotated rows v [d x LANES] to codes. A row whose largest coordinate is below TINY
 * becomes all residual. */
static void quantize(const struct making *m, int64_t row, double *restrict v)
{
    const pen_coding *const c = m->coding;
    const double round = 0x1.8p52; /* the nearest whole number to x is (x + round) - round */
    const double most = pen_tiles_most(c->tiles);
    double largest[LANES] = { 0 }, all2[LANES] = { 0 }, rest2[LANES] = { 0 }, factor[LANES],
           scale[LANES];

    for (int64_t j = 0; j < c->d; j++)
        for (int l = 0; l < LANES; l++) {
            const double value = v[j * LANES + l], size = fabs(value);
            largest[l] = size > largest[l] ? size : largest[l];
            all2[l] += value * value;
        }
    for (int l = 0; l < LANES; l++) {
        const float single = largest[l] > TINY ? pen_float_above(largest[l] / most) : 0;
        scale[l] = (double)single;
        factor[l] = single > 0 ? 1 / scale[l] : 0;
        m->out->scale[row + l] = single;
        m->out->twice[row + l] = 2 * single;
    }
    for (int64_t j = 0; j < c->d; j++)
        for (int l = 0; l < LANES; l++) {
            const double code = (v[j * LANES + l] * factor[l] + round) - round,
                         rest = v[j * LANES + l] - scale[l] * code;
            rest2[l] += rest * rest;
            v[j * LANES + l] = code;
        }
    store_codes(m, row, v);
    for (int l = 0; l < LANES; l++) {
        const double units = FLT_EPSILON / 2,
                     length2 = scale[l] * scale[l] * (double)m->out->length2[row + l];
        /* sums of d squares are accurate to d DBL_EPSILON, which the factor amply covers */
        const double slack = sqrt(rest2[l]) * (1 + 1e-9) + c->error * sqrt(all2[l]) * (1 + 1e-9)
                             + c->absolute + TINY;
        m->out->slack[row + l] = pen_float_above(slack * (1 + 4 * units));
        m->out->low[row + l] = pen_float_below(length2 * (1 - FILTER_UNITS * units));
    }
}

/* Codes eight rows; rows beyond the last are 0. */
static void code_rows(const struct making *m, int64_t row, int worker)
{
    const pen_coding *const c = m->coding;
    const int64_t d = c->d, count = pen_max(0, pen_min(LANES, m->out->count - row));
    double *const block = pen_slice(&m->block, worker), *const v = block + LANES * d;

    if (count)
        pen_coding_block(c, m->x, m->members, row, count, block);
    memset(block + count * d, 0, (size_t)((LANES - count) * d) * sizeof *block);
    pen_transpose(LANES, d, block, v);
    if (c->whole) {
        store_codes(m, row, v);
        return;
    }
    rotate(c, v);
    quantize(m, row, v);
}

static void code_panel(void *context, int64_t panel, int worker)
{
    const struct making *m = context;

    for (int64_t row = panel * PEN_PANEL; row < (panel + 1) * PEN_PANEL; row += LANES)
        code_rows(m, row, worker);
}

pen_status pen_codes_make(pen_run *run, const pen_coding *coding, const pen_view *x,
                          const int64_t *members, int64_t count, pen_codes *out)
{
    struct making m = { .coding = coding, .x = x, .members = members, .out = out };

    *out = (pen_codes){ .count = count, .padded = (count + PEN_SIDE - 1) / PEN_SIDE * PEN_SIDE };
    const int64_t panels = out->padded / PEN_PANEL,
                  bytes = pen_times(panels, pen_panel_bytes(coding->depth));
    PEN_TRY(PEN_FILLED(run, out->panels, bytes, 0));
    PEN_TRY(PEN_NEW2(run, out->length2, out->base, out->padded));
    if (!coding->whole) {
        PEN_TRY(PEN_NEW4(run, out->scale, out->twice, out->slack, out->low, out->padded));
    }
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, panels), pen_times(2 * LANES, x->d),
                           sizeof(double), &m.block));
    PEN_TRY(pen_parallel(run, PEN_SILENT, panels, code_panel, &m));
    pen_release(run, mark);
    return PEN_OK;
}
