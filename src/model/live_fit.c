/* live_fit.c - a column without variance is no evidence of anything: what is left gives the numbers
 * that it would give alone. */
#include "model/live_fit.h"

#include "core/cache.h"
#include "core/live_columns.h"

#include <stdlib.h>
#include <string.h>

/* Columns and rows in one block of memory. */
struct kept_columns {
    int64_t count;
    pen_array x;
    int64_t numbers[]; /* columns, then the rows */
};

struct watching {
    const pen_array *x;
    int zeros;
};

static pen_status watch(pen_run *run, const struct watching *w, int scratch,
                        struct kept_columns **out)
{
    const pen_array *const x = w->x;
    int64_t *columns, count;

    PEN_TRY(PEN_NEW(run, columns, x->cols));
    PEN_TRY(pen_live_columns(run, x, w->zeros, columns, &count));
    if (count == 0)
        count = x->cols;
    const int64_t rows = count < x->cols ? pen_picked_size(x, count) : 0;
    const int64_t size = pen_plus((int64_t)sizeof **out, pen_plus(pen_times(count, 8), rows));
    struct kept_columns *const kept = scratch ? pen_scratch(run, size, 1) : pen_keep(run, size, 1);
    if (!kept)
        return PEN_NO_MEMORY;
    kept->count = count;
    memcpy(kept->numbers, columns, (size_t)count * sizeof *columns);
    *out = kept;
    return count == x->cols
               ? PEN_OK
               : pen_pick_columns(run, x, count, columns, kept->numbers + count, &kept->x);
}

/* A pen_make_fn. */
static pen_status keep(pen_run *run, void *context, void **value)
{
    struct kept_columns *kept = NULL;
    const pen_status status = watch(run, context, 0, &kept);

    if (status != PEN_OK)
        free(kept);
    *value = kept;
    return status;
}

static pen_status share(pen_run *run, struct watching *w, const struct kept_columns **out)
{
    pen_cache_key *key;
    const void *value;

    PEN_TRY(PEN_NEW(run, key, 1));
    memset(key, 0, sizeof *key);
    key->values = w->x->values;
    key->stride = w->x->stride;
    key->step = pen_step(w->x);
    key->starts = w->x->starts;
    key->normalize = w->zeros;
    key->kind = PEN_CACHE_COLUMNS;
    PEN_TRY(pen_cache_get(run, pen_run_cache(run), key, keep, w, &value));
    *out = value;
    return PEN_OK;
}

/* The names of the columns that are left, and the values of the others. */
static pen_status note(pen_run *run, const pen_array *x, pen_data *data, pen_live_fit *live)
{
    const char **names;
    double *values;

    PEN_TRY(PEN_NEW(run, names, live->count));
    PEN_TRY(PEN_NEW(run, values, x->cols));
    for (int64_t j = 0; j < x->cols; j++)
        values[j] = x->rows > 0 ? pen_value_at(x, 0, j) : 0;
    for (int64_t c = 0; data->feature_names && c < live->count; c++)
        names[c] = data->feature_names[live->columns[c]];
    if (data->feature_names)
        data->feature_names = names;
    live->values = values;
    pen_note(run, "constant_columns", (double)(live->given - live->count));
    return PEN_OK;
}

/* The first value that is not finite, where it stands in the rows as given. */
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

/* ---- sums in place of rows ---- */

static pen_status pick(pen_run *run, const pen_live_fit *live, int64_t count, const double *from,
                       const double **out)
{
    double *to;

    PEN_TRY(PEN_NEW(run, to, pen_times(count, live->count)));
    for (int64_t i = 0; i < count; i++)
        for (int64_t c = 0; c < live->count; c++)
            to[i * live->count + c] = from[i * live->given + live->columns[c]];
    *out = to;
    return PEN_OK;
}

/* Of a packed lower triangle. */
static pen_status pick_packed(pen_run *run, const pen_live_fit *live, const double *from,
                              const double **out)
{
    double *to;

    PEN_TRY(PEN_NEW(run, to, pen_times(live->count, live->count + 1) / 2));
    *out = to;
    for (int64_t i = 0; i < live->count; i++)
        for (int64_t j = 0; j <= i; j++)
            *to++ = from[live->columns[i] * (live->columns[i] + 1) / 2 + live->columns[j]];
    return PEN_OK;
}

static pen_status pick_classes(pen_run *run, const pen_live_fit *live,
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

static pen_status pick_moments(pen_run *run, const pen_live_fit *live, const pen_moments **moments)
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

/* The columns whose extremes are equal are those of all rows. */
static pen_status open_moments(pen_run *run, pen_data *data, const pen_moments **moments,
                               pen_live_fit *live)
{
    const double *const ends[] = { (*moments)->low, (*moments)->high };
    const pen_array given = data->x;
    double *rows;
    int64_t *columns;
    void *memory;

    PEN_TRY(PEN_NEW(run, rows, pen_times(2, live->given)));
    PEN_TRY(PEN_NEW(run, columns, live->given));
    for (int64_t i = 0; i < 2; i++)
        memcpy(rows + i * live->given, ends[i], (size_t)live->given * sizeof *rows);
    const pen_array x = pen_dense(rows, PEN_F64, 2, live->given, live->given);
    PEN_TRY(pen_live_columns(run, &x, (*moments)->unit, columns, &live->count));
    if (live->count == 0 || live->count == live->given)
        return PEN_OK;
    live->columns = columns;
    if (data->x.rows > 0) {
        PEN_TRY(PEN_NEW(run, rows, pen_times(data->x.rows, live->count)));
        memory = rows;
        PEN_TRY(pen_pick_columns(run, &given, live->count, columns, memory, &data->x));
    }
    data->x.cols = live->count;
    PEN_TRY(note(run, &x, data, live));
    return pick_moments(run, live, moments);
}

/* ---- the fit and its model ---- */

pen_status pen_live_fit_open(pen_run *run, const pen_common *common, pen_data *data,
                             const pen_moments **moments, pen_live_fit *out)
{
    const pen_array x = data->x;
    struct watching w = { &x, common->normalize == PEN_NORMALIZE_L2 };
    const struct kept_columns *shared = NULL;
    struct kept_columns *own = NULL;

    *out = (pen_live_fit){ .given = x.cols, .count = x.cols };
    if (*moments)
        return open_moments(run, data, moments, out);
    if (common->kernel.kind == PEN_KERNEL_PRECOMPUTED)
        return PEN_OK;
    PEN_TRY(pen_array_check(run, &x, "x"));
    PEN_TRY(pen_run_cache(run) ? share(run, &w, &shared) : watch(run, &w, 1, &own));
    const struct kept_columns *const kept = own ? own : shared;
    if (kept->count == x.cols)
        return PEN_OK;
    out->count = kept->count;
    out->columns = kept->numbers;
    data->x = kept->x;
    PEN_TRY(check_finite(run, &x, &kept->x));
    return note(run, &x, data, out);
}

/* Rows of a matrix [count x k], or columns of one [k x count], in their places among the others, if
 * there is one. */
static pen_status spread(pen_run *run, const pen_live_fit *live, int64_t k, int columns,
                         const double *rest, double **numbers)
{
    if (!*numbers)
        return PEN_OK;
    double *const all = pen_keep(run, pen_times(live->given, k), sizeof *all);

    if (!all)
        return PEN_NO_MEMORY;
    for (int64_t j = 0; rest && j < live->given; j++)
        all[j] = rest[j];
    for (int64_t c = 0; c < live->count; c++)
        for (int64_t i = 0; i < k; i++)
            if (columns)
                all[i * live->given + live->columns[c]] = (*numbers)[i * live->count + c];
            else
                all[live->columns[c] * k + i] = (*numbers)[c * k + i];
    free(*numbers);
    *numbers = all;
    return PEN_OK;
}

/* In the landmarks of a kernel a constant column is 0, and its factor, too. */
static pen_status spread_kernel(pen_run *run, const pen_live_fit *live,
                                pen_model_kernel_map *kernel, int64_t m)
{
    if (!kernel->scale) {
        kernel->scale = pen_keep(run, live->count, sizeof *kernel->scale);
        if (!kernel->scale)
            return PEN_NO_MEMORY;
        for (int64_t c = 0; c < live->count; c++)
            kernel->scale[c] = 1;
    }
    PEN_TRY(spread(run, live, m, 1, NULL, &kernel->landmarks));
    PEN_TRY(spread(run, live, 1, 0, NULL, &kernel->scale));
    kernel->inputs = live->given;
    return spread(run, live, 1, 0, live->values, &kernel->origin);
}

pen_status pen_live_fit_keep(const pen_live_fit *live, pen_run *run, pen_model *model)
{
    if (!live->columns)
        return PEN_OK;
    if (model->kernel.form.kind != PEN_KERNEL_NONE) {
        PEN_TRY(spread_kernel(run, live, &model->kernel, model->d));
        pen_model_show_kernel(model);
        return PEN_OK;
    }
    PEN_TRY(spread(run, live, model->k, 0, NULL, &model->projection));
    PEN_TRY(spread(run, live, 1, 0, live->values, &model->mean));
    PEN_TRY(spread(run, live, 1, 0, NULL, &model->scale));
    PEN_TRY(spread(run, live, 1, 0, NULL, &model->deviation));
    model->d = live->given;
    return PEN_OK;
}
