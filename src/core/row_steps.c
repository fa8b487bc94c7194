/* row_steps.c - functions of one row, sparse or dense. */
#include "core/row_steps.h"

#include "core/sort.h"
#include "core/sparse_array.h"
#include "core/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const pen_word total_words[] = { { "median", -1 }, { NULL, 0 } };
static const pen_param in_order[] = {
    PEN_POSITIVE(pen_row_params, total, 0, PEN_NO_LIMIT, total_words, ""),
    PEN_FLAG(pen_row_params, log1p, ""),
    PEN_FLAG(pen_row_params, idf, ""),
    PEN_FLAG(pen_row_params, snv, ""),
    PEN_INT(pen_row_params, derivative, 0, 3, PEN_NO_LIMIT, ""),
    PEN_INT(pen_row_params, select, 0, 1, PEN_NO_LIMIT, ""),
    PEN_FLAG(pen_row_params, l2, ""),
    PEN_PARAMS_END,
};
const pen_text_form pen_row_steps_form = { .parts = in_order, .list = 1 };

int pen_row_params_any(const pen_row_params *asked)
{
    return asked->total != 0 || asked->log1p || asked->idf || asked->snv || asked->derivative > 0
           || asked->select > 0;
}

/* Some steps would turn the zeros of sparse rows into other values. */
static pen_status check_form(pen_run *run, const pen_row_steps *steps, const pen_array *x)
{
    PEN_REQUIRE(run, !(steps->snv || steps->derivative > 0) || !pen_is_sparse(x), PEN_BAD_ARGUMENT,
                "%s turns zeros into other values, so rows must not be sparse: give dense rows, "
                "such as a .csv or .npy file from penumbra convert",
                steps->snv ? "snv" : "derivative");
    return PEN_OK;
}

/* ---- one row ---- */

/* The entries of a row: values, and their columns; NULL: 0 .. count - 1. */
struct entries {
    const int32_t *columns;
    int64_t count;
    double *values;
    double *spare; /* [count] if dense */
};

static int64_t column_of(const struct entries *row, int64_t e)
{
    return row->columns ? row->columns[e] : e;
}

/* Reads row i of x; the buffer has room for all its entries twice. */
static struct entries read_row(const pen_array *x, int64_t i, double *buffer)
{
    struct entries row = { .count = x->cols, .values = buffer, .spare = buffer + x->cols };

    if (!pen_is_sparse(x)) {
        pen_array_gather(x, NULL, i, 1, 0, x->cols, PEN_F64, row.values);
        return row;
    }
    row.columns = x->columns + x->starts[i];
    row.count = x->starts[i + 1] - x->starts[i];
    for (int64_t e = 0; e < row.count; e++)
        row.values[e] = pen_entry(x, x->starts[i] + e);
    return row;
}

static int64_t entries_of(const pen_array *x, int64_t i)
{
    return pen_is_sparse(x) ? x->starts[i + 1] - x->starts[i] : x->cols;
}

static double sum_of(const struct entries *row)
{
    double sum = 0;

    for (int64_t e = 0; e < row->count; e++)
        sum += row->values[e];
    return sum;
}

static pen_status refuse(pen_run *run, const char *step, const char *rule, const pen_array *x,
                         int64_t i, const struct entries *row, int64_t e)
{
    if (!isfinite(row->values[e]))
        return pen_rows_refuse(run, x, i);
    return pen_fail(run, PEN_BAD_DATA,
                    "%s: values must be %s, got %g at row %lld, column %lld (counted from 0)", step,
                    rule, row->values[e], (long long)(pen_run_first(run) + i),
                    (long long)column_of(row, e));
}

/* Takes the steps that need a whole, dense row. */
static pen_status take_spectrum(pen_run *run, const pen_row_steps *steps, int64_t i,
                                struct entries *row)
{
    double *const given = row->values;

    if (steps->snv)
        pen_standard_normal(row->count, given);
    if (steps->derivative == 0)
        return PEN_OK;
    pen_derivative(row->count, steps->derivative, given, row->spare);
    row->values = row->spare;
    row->spare = given;
    PEN_REQUIRE(run, pen_all_finite(row->values, row->count), PEN_BAD_DATA,
                "row %lld (counted from 0): the derivative overflows",
                (long long)(pen_run_first(run) + i));
    return PEN_OK;
}

/* Takes all steps except the choice of columns. */
static pen_status take_steps(pen_run *run, const pen_row_steps *steps, const pen_array *x,
                             int64_t i, struct entries *row)
{
    for (int64_t e = 0; e < row->count; e++)
        if (!(row->values[e] >= (steps->total > 0 ? 0 : -HUGE_VAL)) || !isfinite(row->values[e]))
            return refuse(run, "total", ">= 0", x, i, row, e);
    const double sum = steps->total > 0 ? sum_of(row) : 0;
    PEN_REQUIRE(run, isfinite(sum), PEN_BAD_DATA, "row %lld (counted from 0): the sum overflows",
                (long long)(pen_run_first(run) + i));
    for (int64_t e = 0; sum > 0 && e < row->count; e++)
        row->values[e] = row->values[e] / sum * steps->total;
    for (int64_t e = 0; steps->log1p && e < row->count; e++) {
        if (!(row->values[e] > -1))
            return refuse(run, "log1p", "> -1", x, i, row, e);
        row->values[e] = log1p(row->values[e]);
    }
    for (int64_t e = 0; steps->idf && e < row->count; e++)
        row->values[e] *= steps->idf[column_of(row, e)];
    return take_spectrum(run, steps, i, row);
}

/* ---- learning ---- */

static pen_status find_median(pen_run *run, const pen_array *x, double *buffer, double *median)
{
    const pen_row_steps positive = { .columns = x->cols, .total = 1 };
    const pen_mark_t mark = pen_mark(run);
    double *sums;
    int64_t count = 0;

    PEN_TRY(PEN_NEW(run, sums, x->rows));
    for (int64_t i = 0; i < x->rows; i++) {
        struct entries row = read_row(x, i, buffer);
        const double sum = sum_of(&row);
        PEN_TRY(take_steps(run, &positive, x, i, &row)); /* refuses negative values */
        if (sum > 0)
            sums[count++] = sum;
    }
    PEN_REQUIRE(run, count > 0, PEN_BAD_DATA,
                "total:median: some row must have a positive sum, but all are 0");
    qsort(sums, (size_t)count, sizeof *sums, pen_by_double);
    *median = (sums[(count - 1) / 2] + sums[count / 2]) / 2;
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status find_idf(pen_run *run, const pen_array *x, double *buffer, const double **out)
{
    double *idf;

    PEN_TRY(PEN_FILLED(run, idf, x->cols, 0));
    for (int64_t i = 0; i < x->rows; i++) {
        const struct entries row = read_row(x, i, buffer);
        for (int64_t e = 0; e < row.count; e++)
            idf[column_of(&row, e)] += row.values[e] != 0;
    }
    for (int64_t j = 0; j < x->cols; j++)
        idf[j] = log((1 + (double)x->rows) / (1 + idf[j])) + 1;
    *out = idf;
    return PEN_OK;
}

/* The sum over all rows of the values, or of squares of their deviations from `mean`, [columns];
 * counts [columns]: the number of entries. */
static pen_status add_up(pen_run *run, const pen_row_steps *steps, const pen_array *x,
                         const double *mean, double *buffer, double *sums, int64_t *counts)
{
    memset(sums, 0, (size_t)x->cols * sizeof *sums);
    memset(counts, 0, (size_t)x->cols * sizeof *counts);
    for (int64_t i = 0; i < x->rows; i++) {
        struct entries row = read_row(x, i, buffer);
        PEN_TRY(take_steps(run, steps, x, i, &row));
        for (int64_t e = 0; e < row.count; e++) {
            const int64_t j = column_of(&row, e);
            const double off = mean ? row.values[e] - mean[j] : 0;
            sums[j] += mean ? off * off : row.values[e];
            counts[j]++;
        }
    }
    return PEN_OK;
}

struct candidate {
    double variance;
    int64_t column;
};

static int larger_first(const void *a, const void *b)
{
    const struct candidate *p = a, *q = b;
    if (p->variance != q->variance)
        return p->variance > q->variance ? -1 : 1;
    return p->column < q->column ? -1 : p->column > q->column;
}

static pen_status find_columns(pen_run *run, int64_t select, const pen_array *x, double *buffer,
                               pen_row_steps *steps)
{
    const int64_t d = x->cols;
    int64_t *selected, *counts;
    struct candidate *candidates;
    double *mean, *squares;

    PEN_TRY(PEN_NEW(run, selected, select));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW4(run, counts, candidates, mean, squares, d));
    PEN_TRY(add_up(run, steps, x, NULL, buffer, mean, counts));
    for (int64_t j = 0; j < d; j++)
        mean[j] /= (double)x->rows;
    PEN_TRY(add_up(run, steps, x, mean, buffer, squares, counts));
    for (int64_t j = 0; j < d; j++) /* add the zeros that are not stored */
        candidates[j] =
            (struct candidate){ squares[j] + (double)(x->rows - counts[j]) * (mean[j] * mean[j]),
                                j };
    qsort(candidates, (size_t)d, sizeof *candidates, larger_first);
    for (int64_t c = 0; c < select; c++)
        selected[c] = candidates[c].column;
    qsort(selected, (size_t)select, sizeof *selected, pen_by_int64);
    pen_release(run, mark);
    steps->selected = selected;
    steps->kept = select;
    return PEN_OK;
}

pen_status pen_row_steps_learn(pen_run *run, const pen_row_params *asked, const pen_array *x,
                               pen_row_steps *out)
{
    double *buffer;

    PEN_REQUIRE(run, asked->select <= x->cols, PEN_BAD_ARGUMENT,
                "select must be at most %lld, the number of columns, got %lld", (long long)x->cols,
                (long long)asked->select);
    *out = (pen_row_steps){ .columns = x->cols,
                            .total = asked->total > 0 ? asked->total : 0,
                            .log1p = asked->log1p,
                            .snv = asked->snv,
                            .derivative = asked->derivative,
                            .kept = x->cols };
    PEN_TRY(check_form(run, out, x));
    PEN_REQUIRE(run,
                asked->derivative == 0 || (asked->derivative % 2 && asked->derivative <= x->cols),
                PEN_BAD_ARGUMENT,
                "derivative must be odd and at most %lld, the number of columns, got %lld",
                (long long)x->cols, (long long)asked->derivative);
    PEN_TRY(PEN_NEW(run, buffer, pen_times(2, x->cols)));
    if (asked->total < 0)
        PEN_TRY(find_median(run, x, buffer, &out->total));
    if (asked->idf)
        PEN_TRY(find_idf(run, x, buffer, &out->idf));
    return asked->select > 0 ? find_columns(run, asked->select, x, buffer, out) : PEN_OK;
}

/* ---- application ---- */

/* The place of each column among the kept columns, or -1; NULL: all are kept. */
static pen_status find_places(pen_run *run, const pen_row_steps *steps, int32_t **out)
{
    *out = NULL;
    if (!steps->selected)
        return PEN_OK;
    PEN_TRY(PEN_FILLED(run, *out, steps->columns, -1));
    for (int64_t c = 0; c < steps->kept; c++)
        (*out)[steps->selected[c]] = (int32_t)c;
    return PEN_OK;
}

static pen_status apply_dense(pen_run *run, const pen_row_steps *steps, const pen_array *x,
                              int64_t first, int64_t count, double *buffer, pen_array *out)
{
    double *values;

    PEN_TRY(PEN_NEW(run, values, pen_times(count, steps->kept)));
    for (int64_t i = 0; i < count; i++) {
        double *const to = values + i * steps->kept;
        struct entries row = read_row(x, first + i, buffer);
        PEN_TRY(take_steps(run, steps, x, first + i, &row));
        for (int64_t c = 0; c < steps->kept; c++)
            to[c] = row.values[steps->selected ? steps->selected[c] : c];
    }
    *out = pen_dense(values, PEN_F64, count, steps->kept, steps->kept);
    return PEN_OK;
}

static pen_status apply_sparse(pen_run *run, const pen_row_steps *steps, const pen_array *x,
                               int64_t first, int64_t count, double *buffer, const int32_t *places,
                               pen_array *out)
{
    int64_t *starts, used = 0, most = 0;
    int32_t *columns;
    double *values;

    for (int64_t e = x->starts[first]; e < x->starts[first + count]; e++)
        most += !places || places[x->columns[e]] >= 0;
    PEN_TRY(PEN_NEW(run, starts, count + 1));
    PEN_TRY(PEN_NEW2(run, columns, values, most > 0 ? most : 1));
    starts[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        struct entries row = read_row(x, first + i, buffer);
        PEN_TRY(take_steps(run, steps, x, first + i, &row));
        for (int64_t e = 0; e < row.count; e++) {
            const int32_t place = places ? places[row.columns[e]] : row.columns[e];
            if (place < 0)
                continue;
            columns[used] = place;
            values[used++] = row.values[e];
        }
        starts[i + 1] = used;
    }
    *out = pen_csr(values, PEN_F64, starts, columns, count, steps->kept);
    return PEN_OK;
}

pen_status pen_row_steps_apply(pen_run *run, const pen_row_steps *steps, const pen_array *x,
                               int64_t first, int64_t count, pen_array *out)
{
    double *buffer;
    int32_t *places;
    int64_t most = 1;

    PEN_TRY(check_form(run, steps, x));
    for (int64_t i = first; i < first + count; i++)
        most = pen_max(most, entries_of(x, i));
    PEN_TRY(PEN_NEW(run, buffer, pen_times(2, most)));
    PEN_TRY(find_places(run, steps, &places));
    return pen_is_sparse(x) ? apply_sparse(run, steps, x, first, count, buffer, places, out)
                            : apply_dense(run, steps, x, first, count, buffer, out);
}
