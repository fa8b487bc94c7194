/* row_fit.c - the steps before a fit. They run once, and their rows are stored: computing
 * logarithms in every pass would take longer than most fits. A column without variance is left out:
 * it holds no information, and the other columns give the numbers that they would give alone. */
#include "model/row_fit.h"

#include "core/cache.h"
#include "core/dtype.h"
#include "core/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the columns that vary ----
 *
 * Columns are suspects until a value differs from the first. */

/* Relative change of a value that rounding may cause. */
static const double ROUNDING = 8 * DBL_EPSILON;

/* Does a value equal that of the first row? NaN equals nothing. */
static int is_equal(double first, double value, int zeros)
{
    return zeros ? first == 0 && value == 0 : fabs(value - first) <= ROUNDING * fabs(first);
}

/* suspects [*count]: the columns without variation so far. */
static void watch_dense(const pen_array *x, int zeros, int64_t *suspects, int64_t *count)
{
    for (int64_t i = 0; i<x->rows && * count> 0; i++) {
        int64_t left = 0;
        for (int64_t s = 0; s < *count; s++) {
            const int64_t j = suspects[s];
            if (is_equal(pen_value_at(x, 0, j), pen_value_at(x, i, j), zeros))
                suspects[left++] = j;
        }
        *count = left;
    }
}

/* The first value of a column is that of its first entry, or 0 if a row has none. */
static pen_status watch_sparse(pen_run *run, const pen_array *x, int zeros, int64_t *suspects,
                               int64_t *count)
{
    double *first;
    int64_t *entries, left = 0;

    PEN_TRY(PEN_FILLED(run, first, x->cols, 0));
    PEN_TRY(PEN_FILLED(run, entries, x->cols, 0));
    for (int64_t e = 0; e < x->starts[x->rows]; e++)
        entries[x->columns[e]]++;
    for (int64_t e = x->starts[x->rows] - 1; e >= 0; e--)
        if (entries[x->columns[e]] == x->rows)
            first[x->columns[e]] = pen_entry(x, e);
    for (int64_t e = 0; e < x->starts[x->rows]; e++)
        if (!is_equal(first[x->columns[e]], pen_entry(x, e), zeros))
            entries[x->columns[e]] = -1;
    for (int64_t j = 0; j < x->cols; j++)
        if (entries[j] >= 0)
            suspects[left++] = j;
    *count = left;
    return PEN_OK;
}

/* Lists the columns that vary, ascending, in columns [x->cols]. A column is constant if every value
 * equals the first up to rounding, 8 epsilon of it; with `zeros`, only if all values are 0. Columns
 * with nonfinite values vary. Cost: a dense row is read only in the columns not yet known to vary;
 * sparse rows are read once. */
static pen_status list_live(pen_run *run, const pen_array *x, int zeros, int64_t *columns,
                            int64_t *count)
{
    int64_t *dead, deaths = x->cols, next = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, dead, x->cols));
    for (int64_t j = 0; j < x->cols; j++)
        dead[j] = j;
    if (pen_is_sparse(x))
        PEN_TRY(watch_sparse(run, x, zeros, dead, &deaths));
    else
        watch_dense(x, zeros, dead, &deaths);
    *count = 0;
    for (int64_t j = 0; j < x->cols; j++)
        if (next < deaths && dead[next] == j)
            next++;
        else
            columns[(*count)++] = j;
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status pick_entries(pen_run *run, const pen_array *x, int64_t count,
                               const int64_t *columns, pen_array *out)
{
    const int64_t size = (int64_t)pen_size(x->dtype), most = x->starts[x->rows] + 1;
    int64_t *starts, used = 0;
    int32_t *places, *to;
    char *values;

    PEN_TRY(PEN_NEW(run, starts, x->rows + 1));
    PEN_TRY(PEN_NEW(run, to, most));
    PEN_TRY(PEN_NEW(run, values, pen_times(most, size)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, places, x->cols, -1));
    for (int64_t c = 0; c < count; c++)
        places[columns[c]] = (int32_t)c;
    starts[0] = 0;
    for (int64_t i = 0; i < x->rows; i++) {
        for (int64_t e = x->starts[i]; e < x->starts[i + 1]; e++)
            if (places[x->columns[e]] >= 0) {
                to[used] = places[x->columns[e]];
                memcpy(values + used++ * size, (const char *)x->values + e * size, (size_t)size);
            }
        starts[i + 1] = used;
    }
    *out = pen_csr(values, x->dtype, starts, to, x->rows, count);
    pen_release(run, mark);
    return PEN_OK;
}

/* Copies columns [count], ascending, of all rows into scratch memory: values of the same type,
 * sparse if x is. */
static pen_status pick_columns(pen_run *run, const pen_array *x, int64_t count,
                               const int64_t *columns, pen_array *out)
{
    const size_t size = pen_size(x->dtype);

    if (pen_is_sparse(x))
        return pick_entries(run, x, count, columns, out);
    char *to = pen_scratch(run, pen_times(x->rows, count), size);
    if (!to)
        return PEN_NO_MEMORY;
    *out = pen_dense(to, x->dtype, x->rows, count, count);
    for (int64_t i = 0; i < x->rows; i++) {
        const char *const row = pen_row_at(x, i);
        for (int64_t c = 0; c < count; c++, to += size)
            memcpy(to, row + columns[c] * pen_step(x) * (int64_t)size, size);
    }
    return PEN_OK;
}

/* ---- the rows ---- */

struct preparing {
    const pen_common *common;
    const pen_array *x;
    int64_t kind; /* in the cache: which steps */
};

/* Finds the columns that vary. */
static pen_status find_live(pen_run *run, const pen_array *x, int zeros, pen_row_steps *out)
{
    int64_t *columns, count;

    PEN_TRY(PEN_NEW(run, columns, x->cols));
    PEN_TRY(list_live(run, x, zeros, columns, &count));
    *out = (pen_row_steps){ .columns = x->cols, .kept = x->cols };
    const int64_t entries = x->starts ? x->starts[x->rows] : pen_times(x->rows, count);
    /* keep all columns if a copy of the rows may not fit into memory, as with a mapped file */
    const int fits =
        pen_memory_has(pen_times(2 * (x->starts ? 12 : (int64_t)pen_size(x->dtype)), entries));
    if (count > 0 && count < x->cols && fits) {
        out->selected = columns;
        out->kept = count;
    }
    return PEN_OK;
}

static pen_status prepare(pen_run *run, const struct preparing *p, pen_row_steps *steps,
                          pen_array *x)
{
    if (p->kind == PEN_CACHE_ROW_STEPS) {
        PEN_TRY(pen_row_steps_learn(run, &p->common->row, p->x, steps));
        return pen_row_steps_apply(run, steps, p->x, 0, p->x->rows, x);
    }
    PEN_TRY(find_live(run, p->x, p->common->row.l2, steps));
    return steps->selected ? pick_columns(run, p->x, steps->kept, steps->selected, x) : PEN_OK;
}

struct kept_rows {
    pen_row_steps steps;
    pen_array x; /* no rows: the given ones, which the steps do not change */
};

/* A pen_make_fn. */
static pen_status make_rows(pen_run *run, void *context, pen_made *out)
{
    const struct preparing *const p = context;
    struct kept_rows *made;

    PEN_TRY(PEN_FILLED(run, made, 1, 0));
    PEN_TRY(prepare(run, p, &made->steps, &made->x));
    const pen_array *const x = &made->x;
    const int64_t entries = x->starts ? x->starts[x->rows] : x->rows * x->cols;
    *out = (pen_made){ made,
                       sizeof *made,
                       5,
                       { { offsetof(struct kept_rows, steps.selected), 8 * made->steps.kept },
                         { offsetof(struct kept_rows, steps.idf), 8 * made->steps.columns },
                         { offsetof(struct kept_rows, x.starts), 8 * (x->rows + 1) },
                         { offsetof(struct kept_rows, x.values),
                           entries * (int64_t)pen_size(x->dtype) },
                         { offsetof(struct kept_rows, x.columns), 4 * entries } } };
    return PEN_OK;
}

static pen_status name_rows(pen_run *run, const struct preparing *p, pen_cache_key **key)
{
    const pen_row_params *const asked = &p->common->row;

    PEN_TRY(pen_cache_key_new(run, p->x, p->kind, key));
    if (*key && p->kind == PEN_CACHE_COLUMNS) {
        (*key)->normalize = asked->l2;
    } else if (*key) {
        (*key)->steps.total = asked->total;
        (*key)->steps.log1p = asked->log1p;
        (*key)->steps.idf = asked->idf;
        (*key)->steps.snv = asked->snv;
        (*key)->steps.derivative = asked->derivative;
        (*key)->steps.select = asked->select;
    }
    return PEN_OK;
}

/* The names of the remaining columns. */
static pen_status select_names(pen_run *run, const pen_row_steps *steps, pen_data *data)
{
    const char **names;

    if (!data->column_names || !steps->selected)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, names, steps->kept));
    for (int64_t c = 0; c < steps->kept; c++)
        names[c] = data->column_names[steps->selected[c]];
    data->column_names = names;
    return PEN_OK;
}

static pen_status take(pen_run *run, const pen_common *common, int64_t kind, pen_data *data,
                       pen_row_steps *steps)
{
    struct preparing p = { common, &data->x, kind };
    pen_cache_key *key;
    const void *value;

    PEN_TRY(pen_array_check(run, &data->x, "x"));
    PEN_TRY(name_rows(run, &p, &key));
    PEN_TRY(pen_cache_get(run, key, make_rows, &p, &value));
    *steps = ((const struct kept_rows *)value)->steps;
    PEN_TRY(select_names(run, steps, data));
    if (((const struct kept_rows *)value)->x.rows > 0)
        data->x = ((const struct kept_rows *)value)->x;
    return PEN_OK;
}

/* Notes the values of the columns that are left out. */
static pen_status note_constant(pen_run *run, const pen_array *x, pen_row_fit *f)
{
    double *values;

    PEN_TRY(PEN_NEW(run, values, x->cols));
    for (int64_t j = 0; j < x->cols; j++)
        values[j] = pen_value_at(x, 0, j);
    f->values = values;
    pen_note(run, "constant_columns", (double)(f->live.columns - f->live.kept));
    return PEN_OK;
}

/* Finds the first value that is not finite, at its place in the rows as given. */
static pen_status check_finite(pen_run *run, const pen_array *given, const pen_array *x)
{
    double *row;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, row, x->cols));
    for (int64_t i = 0; i < x->rows; i++) {
        pen_array_gather(x, NULL, i, 1, 0, x->cols, PEN_F64, row);
        if (!pen_all_finite(row, x->cols))
            return pen_rows_refuse(run, given, i);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- sums instead of rows ---- */

static pen_status pick(pen_run *run, const pen_row_steps *live, int64_t count, const double *from,
                       const double **out)
{
    double *to;

    PEN_TRY(PEN_NEW(run, to, pen_times(count, live->kept)));
    for (int64_t i = 0; i < count; i++)
        for (int64_t c = 0; c < live->kept; c++)
            to[i * live->kept + c] = from[i * live->columns + live->selected[c]];
    *out = to;
    return PEN_OK;
}

/* Selects columns of a packed lower triangle. */
static pen_status pick_packed(pen_run *run, const pen_row_steps *live, const double *from,
                              const double **out)
{
    const int64_t *const selected = live->selected;
    double *to;

    PEN_TRY(PEN_NEW(run, to, pen_times(live->kept, live->kept + 1) / 2));
    *out = to;
    for (int64_t i = 0; i < live->kept; i++)
        for (int64_t j = 0; j <= i; j++)
            *to++ = from[selected[i] * (selected[i] + 1) / 2 + selected[j]];
    return PEN_OK;
}

static pen_status pick_classes(pen_run *run, const pen_row_steps *live,
                               const pen_class_moments **classes)
{
    pen_class_moments *out;

    if (!*classes)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, out, 1));
    *out = **classes;
    *classes = out;
    PEN_TRY(pick(run, live, out->count, out->means, &out->means));
    return pick_packed(run, live, out->within, &out->within);
}

static pen_status pick_moments(pen_run *run, const pen_row_steps *live, const pen_moments **moments)
{
    pen_moments *out;

    PEN_TRY(PEN_NEW(run, out, 1));
    *out = **moments;
    *moments = out;
    PEN_TRY(pick(run, live, 1, out->low, &out->low));
    PEN_TRY(pick(run, live, 1, out->high, &out->high));
    PEN_TRY(pick(run, live, 1, out->mean, &out->mean));
    PEN_TRY(pick_packed(run, live, out->scatter, &out->scatter));
    PEN_TRY(pick_classes(run, live, &out->classes));
    return pick_classes(run, live, &out->chunks);
}

/* Columns whose extremes are equal are constant in all rows. */
static pen_status open_moments(pen_run *run, const pen_common *common, pen_data *data,
                               const pen_moments **moments, pen_row_fit *out)
{
    const int64_t d = data->x.cols;
    const pen_array given = data->x;
    double *ends;

    if (pen_row_params_any(&common->row))
        out->steps = (pen_row_steps){ .columns = d,
                                      .total = common->row.total,
                                      .log1p = common->row.log1p,
                                      .snv = common->row.snv,
                                      .derivative = common->row.derivative,
                                      .kept = d };
    PEN_TRY(PEN_NEW(run, ends, pen_times(2, d)));
    memcpy(ends, (*moments)->low, (size_t)d * sizeof *ends);
    memcpy(ends + d, (*moments)->high, (size_t)d * sizeof *ends);
    const pen_array x = pen_dense(ends, PEN_F64, 2, d, d);
    PEN_TRY(find_live(run, &x, (*moments)->unit, &out->live));
    if (!out->live.selected)
        return PEN_OK;
    data->x.cols = out->live.kept;
    if (given.rows > 0)
        PEN_TRY(pick_columns(run, &given, out->live.kept, out->live.selected, &data->x));
    PEN_TRY(select_names(run, &out->live, data));
    PEN_TRY(note_constant(run, &x, out));
    return pick_moments(run, &out->live, moments);
}

pen_status pen_row_fit_open(pen_run *run, const pen_common *common, pen_data *data,
                            const pen_moments **moments, pen_row_fit *out)
{
    const int precomputed = common->kernel.kind == PEN_KERNEL_PRECOMPUTED;

    *out = (pen_row_fit){ .values = NULL };
    if (*moments)
        return open_moments(run, common, data, moments, out);
    if (pen_row_params_any(&common->row)) {
        PEN_REQUIRE(run, !precomputed, PEN_BAD_ARGUMENT,
                    "with kernel precomputed the rows are kernel values: set no row_steps");
        PEN_TRY(take(run, common, PEN_CACHE_ROW_STEPS, data, &out->steps));
        if (common->row.total < 0)
            pen_note(run, "row_total", out->steps.total);
    }
    if (precomputed)
        return PEN_OK;
    const pen_array x = data->x;
    PEN_TRY(take(run, common, PEN_CACHE_COLUMNS, data, &out->live));
    if (!out->live.selected)
        return PEN_OK;
    PEN_TRY(check_finite(run, &x, &data->x));
    return note_constant(run, &x, out);
}

/* ---- the model ---- */

/* Spreads numbers [outer x kept x inner], if any, to their places among `rest` [columns], or
 * zeros. */
static pen_status spread(pen_run *run, const pen_row_steps *steps, int64_t outer, int64_t inner,
                         const double *rest, double **numbers)
{
    double *all;

    if (!*numbers)
        return PEN_OK;
    PEN_TRY(PEN_KEEP(run, all, pen_times(pen_times(outer, steps->columns), inner)));
    for (int64_t j = 0; rest && j < steps->columns; j++)
        all[j] = rest[j];
    for (int64_t o = 0; o < outer; o++)
        for (int64_t c = 0; c < steps->kept; c++)
            memcpy(all + (o * steps->columns + steps->selected[c]) * inner,
                   *numbers + (o * steps->kept + c) * inner, (size_t)inner * sizeof *all);
    free(*numbers);
    *numbers = all;
    return PEN_OK;
}

static pen_status spread_columns(pen_run *run, const pen_row_steps *steps, const double *rest,
                                 pen_model *model)
{
    PEN_TRY(spread(run, steps, 1, model->k, NULL, &model->projection));
    PEN_TRY(spread(run, steps, 1, 1, rest, &model->mean));
    PEN_TRY(spread(run, steps, 1, 1, NULL, &model->scale));
    PEN_TRY(spread(run, steps, 1, 1, NULL, &model->deviation));
    model->d = steps->columns;
    return PEN_OK;
}

/* A constant column is 0 in the landmarks of a kernel, and so is its factor. */
static pen_status spread_kernel(pen_run *run, const pen_row_fit *f, pen_model *model)
{
    pen_model_kernel_map *const kernel = &model->kernel;
    const pen_row_steps *const live = &f->live;

    if (!kernel->scale) {
        PEN_TRY(PEN_KEEP(run, kernel->scale, live->kept));
        for (int64_t c = 0; c < live->kept; c++)
            kernel->scale[c] = 1;
    }
    PEN_TRY(spread(run, live, model->d, 1, NULL, &kernel->landmarks));
    PEN_TRY(spread(run, live, 1, 1, NULL, &kernel->scale));
    PEN_TRY(spread(run, live, 1, 1, f->values, &kernel->origin));
    kernel->inputs = live->columns;
    return PEN_OK;
}

pen_status pen_row_fit_keep(pen_run *run, const pen_row_fit *f, pen_model *model)
{
    const pen_row_steps *const steps = &f->steps;
    const int mapped = model->kernel.form.kind != PEN_KERNEL_NONE;
    double *numbers;

    if (f->live.selected)
        PEN_TRY(mapped ? spread_kernel(run, f, model)
                       : spread_columns(run, &f->live, f->values, model));
    if (steps->columns == 0)
        return PEN_OK;
    model->row.steps = *steps;
    model->row.steps.idf = NULL;
    model->row.steps.selected = NULL;
    PEN_TRY(pen_model_numbers(run, steps->idf, steps->columns, &model->row.idf));
    model->row.steps.idf = model->row.idf;
    if (!steps->selected)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, numbers, steps->kept));
    for (int64_t c = 0; c < steps->kept; c++)
        numbers[c] = (double)steps->selected[c];
    PEN_TRY(pen_model_numbers(run, numbers, steps->kept, &model->row.selected));
    PEN_TRY(pen_model_number_columns(run, model));
    /* a kernel model projects kernel values */
    return mapped ? PEN_OK : spread_columns(run, steps, NULL, model);
}
