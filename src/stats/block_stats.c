/* block_stats.c - pen_stats_new: the statistics of a block of rows.
 *
 * Sums are about the mean, in two passes, and the mean of the residuals corrects the mean: X'X - n
 * m m' would lose the digits of columns far from 0. */
#include "core/arguments.h"
#include "core/parallel.h"
#include "core/row_digest.h"
#include "core/rows.h"
#include "core/sort.h"
#include "core/textbuf.h"
#include "linalg/packed.h"
#include "linalg/sym.h"
#include "model/spec.h"
#include "scatter/class_scatter.h"
#include "stats/stats.h"
#include "stats/stats_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- residuals of a mean, and the extremes of columns ---- */

enum { PIECE = 1024 };

/* Sums of residuals, minima and maxima of pieces. */
struct pieces {
    const pen_view *x;
    const double *mean;
    pen_slices slices; /* [d] */
    double *parts;     /* [pieces x 3 d] */
};

static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Adds a row to the sums of residuals and to the extremes. */
static void measure_row(const double *restrict row, int64_t d, const double *restrict mean,
                        double *restrict sum, double *restrict low, double *restrict high)
{
    for (int64_t j = 0; j < d; j++) {
        sum[j] += row[j] - mean[j];
        low[j] = lesser(row[j], low[j]);
        high[j] = greater(row[j], high[j]);
    }
}

/* The same for four rows at a time. */
static void measure_four(const double *restrict a, int64_t stride, int64_t d,
                         const double *restrict mean, double *restrict sum, double *restrict low,
                         double *restrict high)
{
    const double *restrict b = a + stride, *restrict c = b + stride, *restrict e = c + stride;

    for (int64_t j = 0; j < d; j++) {
        const double least = lesser(lesser(a[j], b[j]), lesser(c[j], e[j])),
                     most = greater(greater(a[j], b[j]), greater(c[j], e[j]));
        sum[j] = sum[j] + (a[j] - mean[j]) + (b[j] - mean[j]) + (c[j] - mean[j]) + (e[j] - mean[j]);
        low[j] = lesser(least, low[j]);
        high[j] = greater(most, high[j]);
    }
}

static void measure_piece(void *context, int64_t task, int worker)
{
    const struct pieces *p = context;
    const pen_view *const x = p->x;
    const pen_array *const values = &x->values;
    const int64_t d = x->d, end = pen_min(x->n, (task + 1) * PIECE);
    const double *const mean = p->mean;
    double *const row = pen_slice(&p->slices, worker), *const sum = p->parts + task * 3 * d,
                  *const low = sum + d, *const high = low + d;
    int64_t i = task * PIECE;

    for (int64_t j = 0; j < d; j++) {
        sum[j] = 0;
        low[j] = INFINITY;
        high[j] = -INFINITY;
    }
    /* doubles need no copy */
    if (values->dtype == PEN_F64 && !x->unit && !pen_rows_are_sparse(x)
        && pen_is_contiguous(values))
        for (; i + 4 <= end; i += 4)
            measure_four(pen_row_at(values, i), values->stride, d, mean, sum, low, high);
    for (; i < end; i++) {
        pen_rows_centered(x, NULL, i, 1, row);
        measure_row(row, d, mean, sum, low, high);
    }
}

/* rest [d]: the mean of x - mean; low and high [d]: minimum and maximum of each column. x: at least
 * one row, measured from 0. */
static pen_status measure_columns(pen_run *run, const pen_view *x, const double *mean, double *rest,
                                  double *low, double *high)
{
    const int64_t d = x->d, n = x->n, pieces = (n + PIECE - 1) / PIECE;
    struct pieces p = { .x = x, .mean = mean };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, pieces), d, sizeof(double), &p.slices));
    PEN_TRY(PEN_NEW(run, p.parts, pen_times(pieces, pen_times(3, d))));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("reading rows"), pieces, measure_piece, &p));
    for (int64_t j = 0; j < d; j++) {
        rest[j] = 0;
        low[j] = p.parts[d + j];
        high[j] = p.parts[2 * d + j];
    }
    for (int64_t t = 0; t < pieces; t++)
        for (int64_t j = 0; j < d; j++) {
            const double *const part = p.parts + t * 3 * d;
            rest[j] += part[j] / (double)n;
            low[j] = fmin(low[j], part[d + j]);
            high[j] = fmax(high[j], part[2 * d + j]);
        }
    pen_release(run, mark);
    return PEN_OK;
}

struct block {
    const pen_data *data;
    const pen_stats_block *given;
    pen_view rows;     /* in double, measured from their mean */
    pen_view as_given; /* the same, measured from 0 */
    pen_stats *stats;
};

/* ---- all rows ---- */

static void fill(const void *context, int64_t first, int64_t count, void *rows)
{
    pen_rows_block(context, NULL, first, count, rows);
}

static pen_status add_total(pen_run *run, const struct block *b)
{
    pen_stats *const s = b->stats;
    double *rest;
    pen_sym S;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rest, s->d));
    PEN_TRY(measure_columns(run, &b->as_given, b->rows.mean, rest, s->low, s->high));
    PEN_TRY(pen_sym_zero(run, s->d, &S));
    PEN_TRY(
        pen_sym_add_gram(run, "scatter of all rows", 1, PEN_F64, b->rows.n, fill, &b->rows, &S));
    pen_sym_add_outer(-(double)b->rows.n, rest, &S);
    for (int64_t j = 0; j < s->d; j++) {
        s->mean[j] = b->rows.mean[j] + rest[j];
        S.a[j * s->d + j] = fmax(0, S.a[j * s->d + j]);
    }
    pen_packed_of(&S, s->scatter);
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- classes and chunks ---- */

/* x: the rows, with classes. */
static pen_status add_sums(pen_run *run, const pen_view *x, pen_stats_sums *out)
{
    pen_classes classes;
    pen_sym S;

    if (x->labelled == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_classes_open(run, x, &classes));
    for (int64_t c = 0; c < x->classes; c++) {
        out->rows[c] = pen_class_size(x, c);
        for (int64_t j = 0; j < x->d; j++)
            out->mean[c * x->d + j] = x->origin[j] + classes.means[c * x->d + j];
    }
    PEN_TRY(pen_sym_zero(run, x->d, &S));
    PEN_TRY(pen_sym_add_gram(run, "scatter within classes", 1, PEN_F64, x->labelled,
                             pen_classes_fill, &classes, &S));
    pen_packed_of(&S, out->within);
    pen_release(run, mark);
    return PEN_OK;
}

struct numbered {
    int64_t chunk, row;
};

/* Makes chunks the classes of the rows, and lists the names of the chunks [rows]. */
static pen_status chunk_rows(pen_run *run, const struct block *b, pen_view *out, int64_t **ids)
{
    const int64_t n = b->rows.n, *const chunks = b->given->chunks;
    struct numbered *sorted;
    int32_t *label;
    int64_t count = 0, chunks_found = 0;

    PEN_TRY(PEN_NEW3(run, sorted, label, *ids, n));
    for (int64_t i = 0; i < n; i++) {
        label[i] = PEN_UNLABELLED;
        PEN_REQUIRE(run, chunks[i] >= -1, PEN_BAD_ARGUMENT,
                    "row %lld: a chunk must be >= 0, or -1 for none, got %lld", (long long)i,
                    (long long)chunks[i]);
        if (chunks[i] >= 0)
            sorted[count++] = (struct numbered){ chunks[i], i };
    }
    qsort(sorted, (size_t)count, sizeof *sorted, pen_by_two_int64);
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || sorted[i].chunk != sorted[i - 1].chunk)
            (*ids)[chunks_found++] = sorted[i].chunk;
        label[sorted[i].row] = (int32_t)(chunks_found - 1);
    }
    *out = b->rows;
    return pen_rows_label(run, label, n, out);
}

/* Names the classes that have rows, and orders the classes by name. */
static pen_status name_classes(pen_run *run, const pen_data *data, pen_view *x, pen_stats *s)
{
    const int64_t count = x->classes;
    const char **names, **ordered;
    char(*numbers)[PEN_NUMBER_SIZE];
    int64_t *of;
    int32_t *labels;

    s->is_named = data->class_names != NULL;
    if (data->class_type && strlen(data->class_type) < sizeof s->class_type)
        strcpy(s->class_type, data->class_type);
    PEN_TRY(PEN_NEW3(run, names, numbers, of, count));
    for (int64_t c = 0; c < count; c++)
        names[c] = pen_label_text(data, data->labels[x->members[x->starts[c]]], numbers[c]);
    PEN_TRY(pen_stats_order_names(run, names, count, &ordered, &s->class_count, of));
    PEN_TRY(pen_keep_names(run, (char *const *)ordered, s->class_count, &s->class_names));
    PEN_TRY(PEN_FILLED(run, labels, x->n, -1));
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++)
            labels[x->members[i]] = (int32_t)of[c];
    return pen_rows_label(run, labels, x->n, x);
}

/* ---- rows that are kept ---- */

/* The class of each row to keep; -2: not kept. */
static pen_status choose_rows(pen_run *run, const struct block *b, int32_t **class_of)
{
    const pen_view *const x = &b->rows;

    PEN_TRY(PEN_NEW(run, *class_of, x->n));
    for (int64_t i = 0; i < x->n; i++)
        (*class_of)[i] = -2;
    for (int64_t k = 0; k < b->given->keep_count; k++) {
        const int64_t row = b->given->keep[k];
        PEN_REQUIRE(run, row >= 0 && row < x->n, PEN_BAD_ARGUMENT,
                    "a row to keep must be in 0 .. %lld, got %lld", (long long)x->n - 1,
                    (long long)row);
        (*class_of)[row] = -1;
    }
    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++)
            (*class_of)[x->members[i]] = (int32_t)c;
    return PEN_OK;
}

static void keep_rows(const struct block *b, const int32_t *class_of)
{
    pen_stats *const s = b->stats;
    int64_t at = 0;

    for (int64_t i = 0; i < b->rows.n; i++) {
        if (class_of[i] < -1)
            continue;
        s->row_id[2 * at] = b->given->id;
        s->row_id[2 * at + 1] = i;
        s->row_class[at] = class_of[i];
        pen_rows_centered(&b->as_given, NULL, i, 1, s->row_value + at++ * s->d);
    }
}

/* ---- the object ---- */

/* The parts that a fit of this spec needs. */
static int parts_of(const pen_spec *spec, const pen_stats_block *given)
{
    const int chunked = given->chunks && pen_stats_takes_chunks(spec),
              parts = pen_method_parts(spec->method)
                      & (PEN_PART_TOTAL | PEN_PART_CLASSES | (chunked ? 0 : PEN_PART_ROWS));

    if (given->parts)
        return given->parts | (given->chunks ? PEN_PART_CHUNKS : 0);
    return parts | PEN_PART_TOTAL | (given->chunks ? PEN_PART_CHUNKS : 0)
           | (spec->common.classifier.kind != PEN_CLASSIFIER_NONE ? PEN_PART_ROWS : 0);
}

static pen_status check(pen_run *run, const pen_spec *spec, const pen_data *data,
                        const pen_stats_block *given)
{
    const int known = PEN_PART_TOTAL | PEN_PART_CLASSES | PEN_PART_ROWS;

    PEN_TRY(pen_check_given(run, data, "data"));
    PEN_REQUIRE(run, !data->rows, PEN_BAD_ARGUMENT,
                "data.rows must be NULL: statistics read each block of rows once");
    if (data->x.rows != 0)
        PEN_TRY(pen_check_data(run, data));
    PEN_TRY(pen_stats_check_steps(run, spec));
    PEN_REQUIRE(run, PEN_IS_ZERO(given->reserved), PEN_BAD_ARGUMENT, PEN_NOT_ZERO, "block");
    PEN_REQUIRE(run, given->id >= 0, PEN_BAD_ARGUMENT, "the id of a block must be >= 0, got %lld",
                (long long)given->id);
    PEN_REQUIRE(run, data->x.cols >= 1 && data->x.cols <= PEN_STATS_MOST_COLUMNS, PEN_BAD_DATA,
                "statistics need 1 to %d columns, got %lld", PEN_STATS_MOST_COLUMNS,
                (long long)data->x.cols);
    PEN_REQUIRE(run, given->keep_count >= 0 && (given->keep_count == 0 || given->keep),
                PEN_BAD_ARGUMENT, "keep must not be NULL if its count is %lld",
                (long long)given->keep_count);
    PEN_REQUIRE(run, !(given->parts & ~known) && (!given->parts || given->parts & PEN_PART_TOTAL),
                PEN_BAD_ARGUMENT,
                "parts must be total, maybe with classes or rows, got the bits %d", given->parts);
    return PEN_OK;
}

/* Sets the counts that decide about memory, and members that need no rows. */
static pen_status describe(pen_run *run, const struct block *b, const pen_spec *spec,
                           const int32_t *class_of)
{
    pen_stats *const s = b->stats;

    s->parts = parts_of(spec, b->given);
    s->row = spec->common.row;
    s->block_count = 1;
    for (int64_t i = 0; s->parts & PEN_PART_ROWS && i < b->rows.n; i++)
        s->kept += class_of[i] >= -1;
    PEN_TRY(pen_keep_names(run, (char *const *)b->data->column_names, s->d, &s->column_names));
    PEN_TRY(pen_stats_allocate(run, s));
    s->blocks[0] = b->given->id;
    s->blocks[1] = b->rows.n;
    s->blocks[2] = b->rows.labelled;
    return pen_row_digest(run, &b->data->x, s->block_digest);
}

/* Opens the rows in double, measured from their mean and from 0. */
static pen_status open_rows(pen_run *run, const pen_spec *spec, struct block *b)
{
    pen_data after = *b->data;
    double *zero;

    PEN_TRY(PEN_FILLED(run, zero, b->data->x.cols, 0));
    if (b->data->x.rows == 0) {
        b->rows = (pen_view){ .d = b->data->x.cols, .mean = zero };
        PEN_TRY(pen_rows_label(run, NULL, 0, &b->rows));
    } else {
        PEN_TRY(pen_stats_take_steps(run, spec, &after.x));
        PEN_TRY(pen_rows_open(run, &after, spec->common.row.l2, PEN_SCALE_NONE, &b->rows));
        PEN_TRY(pen_rows_need_squares(run, &b->rows, 0));
    }
    b->rows = pen_rows_precise(&b->rows);
    b->rows.work = PEN_F64;
    b->rows.origin = b->rows.mean;
    b->rows.offset = zero;
    b->as_given = b->rows;
    b->as_given.mean = b->as_given.origin = zero;
    return PEN_OK;
}

static pen_status fill_stats(pen_run *run, const pen_spec *spec, struct block *b)
{
    pen_stats *const s = b->stats;
    pen_view chunks = { .n = 0 };
    int32_t *class_of;
    int64_t *ids = NULL;

    PEN_TRY(open_rows(run, spec, b));
    PEN_TRY(name_classes(run, b->data, &b->rows, s));
    PEN_TRY(choose_rows(run, b, &class_of));
    if (b->given->chunks) {
        PEN_TRY(chunk_rows(run, b, &chunks, &ids));
        s->chunks.count = chunks.classes;
    }
    PEN_TRY(describe(run, b, spec, class_of));
    if (b->rows.n == 0)
        return PEN_OK;
    PEN_TRY(add_total(run, b));
    if (s->parts & PEN_PART_CLASSES)
        PEN_TRY(add_sums(run, &b->rows, &s->classes));
    if (s->parts & PEN_PART_CHUNKS) {
        PEN_TRY(add_sums(run, &chunks, &s->chunks));
        memcpy(s->chunk_id, ids, (size_t)chunks.classes * sizeof *ids);
    }
    if (s->parts & PEN_PART_ROWS)
        keep_rows(b, class_of);
    return PEN_OK;
}

static pen_status make(pen_run *run, const pen_spec *spec, const pen_data *data,
                       const pen_stats_block *given, pen_stats **out)
{
    struct block b = { .data = data, .given = given };
    char where[40];

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, given, "block"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(check(run, spec, data, given));
    PEN_TRY(pen_stats_empty(run, data->x.cols, out));
    b.stats = *out;
    const pen_status status = fill_stats(run, spec, &b);
    if (status != PEN_OK) {
        snprintf(where, sizeof where, "block %lld", (long long)given->id);
        pen_explain(run, where);
    }
    return status;
}

pen_status pen_stats_new(const pen_spec *spec, const pen_data *data, const pen_stats_block *block,
                         const pen_control *control, pen_stats **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_stats_free, make(run, spec, data, block, out));
}
