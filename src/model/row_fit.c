/* row_fit.c - the steps before a fit. Its rows are stored once after them: logarithms of all values
 * in every pass would take longer than most fits. */
#include "model/row_fit.h"

#include "core/cache.h"

#include <stdlib.h>
#include <string.h>

/* ---- the rows ---- */

/* Steps and rows in one block of memory. */
struct kept_rows {
    pen_row_steps steps;
    pen_array x;
    int64_t numbers[]; /* selected, starts, then values, idf, then columns */
};

struct preparing {
    const pen_row_params *asked;
    const pen_array *x;
};

static pen_status prepare(pen_run *run, const struct preparing *p, pen_row_steps *steps,
                          pen_array *x)
{
    PEN_TRY(pen_row_steps_learn(run, p->asked, p->x, steps));
    return pen_row_steps_apply(run, steps, p->x, 0, p->x->rows, x);
}

/* Copies `bytes` to *next, which moves past them. */
static void *put(const void *from, int64_t bytes, char **next)
{
    void *const to = *next;

    if (!from)
        return NULL;
    memcpy(to, from, (size_t)bytes);
    *next += bytes;
    return to;
}

static pen_status keep(pen_run *run, void *context, void **value)
{
    pen_row_steps steps;
    pen_array x;

    PEN_TRY(prepare(run, context, &steps, &x));
    const int64_t entries = x.starts ? x.starts[x.rows] : x.rows * x.cols, eight = 8;
    const int64_t words = (steps.selected ? steps.kept : 0) + (x.starts ? x.rows + 1 : 0)
                          + (steps.idf ? steps.columns : 0);
    struct kept_rows *const kept =
        pen_keep(run,
                 pen_plus((int64_t)sizeof *kept,
                          pen_plus(pen_times(eight, words), pen_times(x.starts ? 12 : 8, entries))),
                 1);
    if (!kept)
        return PEN_NO_MEMORY;
    char *next = (char *)kept->numbers;
    kept->steps = steps;
    kept->x = x;
    kept->steps.selected = put(steps.selected, eight * steps.kept, &next);
    kept->steps.idf = put(steps.idf, eight * steps.columns, &next);
    kept->x.starts = put(x.starts, eight * (x.rows + 1), &next);
    kept->x.values = put(x.values, eight * entries, &next);
    kept->x.columns = put(x.columns, 4 * entries, &next);
    *value = kept;
    return PEN_OK;
}

static pen_status share(pen_run *run, const struct preparing *p, pen_row_steps *steps, pen_array *x)
{
    pen_cache_key *key;
    const void *value;

    PEN_TRY(PEN_NEW(run, key, 1));
    memset(key, 0, sizeof *key);
    key->values = p->x->values;
    key->stride = p->x->stride;
    key->step = pen_step(p->x);
    key->starts = p->x->starts;
    key->kind = PEN_CACHE_ROW_STEPS;
    key->steps.total = p->asked->total;
    key->steps.log1p = p->asked->log1p;
    key->steps.idf = p->asked->idf;
    key->steps.select = p->asked->select;
    PEN_TRY(pen_cache_get(run, pen_run_cache(run), key, keep, (void *)(uintptr_t)p, &value));
    const struct kept_rows *const kept = value;
    *steps = kept->steps;
    *x = kept->x;
    return PEN_OK;
}

/* The names of the columns that are left. */
static pen_status select_names(pen_run *run, const pen_row_steps *steps, pen_data *data)
{
    const char **names;

    if (!data->feature_names || !steps->selected)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, names, steps->kept));
    for (int64_t c = 0; c < steps->kept; c++)
        names[c] = data->feature_names[steps->selected[c]];
    data->feature_names = names;
    return PEN_OK;
}

pen_status pen_row_fit_open(pen_run *run, const pen_common *common, pen_data *data,
                            pen_row_steps *steps)
{
    const struct preparing p = { &common->row, &data->x };
    pen_array x;

    *steps = (pen_row_steps){ .columns = 0 };
    if (!pen_row_params_any(&common->row))
        return PEN_OK;
    PEN_REQUIRE(run, common->kernel.kind != PEN_KERNEL_PRECOMPUTED, PEN_BAD_ARGUMENT,
                "with kernel precomputed the rows are kernel values: set none of row_total, log1p, "
                "idf and select");
    PEN_TRY(pen_array_check(run, &data->x, "x"));
    PEN_TRY(pen_run_cache(run) ? share(run, &p, steps, &x) : prepare(run, &p, steps, &x));
    if (common->row.total < 0)
        pen_note(run, "row_total", steps->total);
    PEN_TRY(select_names(run, steps, data));
    data->x = x;
    return PEN_OK;
}

void pen_row_fit_known(const pen_common *common, int64_t columns, pen_row_steps *steps)
{
    *steps = (pen_row_steps){ .columns = 0 };
    if (pen_row_params_any(&common->row))
        *steps = (pen_row_steps){ .columns = columns,
                                  .total = common->row.total,
                                  .log1p = common->row.log1p,
                                  .kept = columns };
}

/* ---- the model ---- */

/* Rows from [kept x k] in their places among `columns` rows of zeros, if there are any. */
static pen_status spread(pen_run *run, const pen_row_steps *steps, int64_t k, double **numbers)
{
    if (!*numbers)
        return PEN_OK;
    double *const all = pen_keep(run, pen_times(steps->columns, k), sizeof *all);

    if (!all)
        return PEN_NO_MEMORY;
    memset(all, 0, (size_t)(steps->columns * k) * sizeof *all);
    for (int64_t c = 0; c < steps->kept; c++)
        memcpy(all + steps->selected[c] * k, *numbers + c * k, (size_t)k * sizeof *all);
    free(*numbers);
    *numbers = all;
    return PEN_OK;
}

pen_status pen_row_fit_keep(pen_run *run, const pen_row_steps *steps, pen_model *model)
{
    if (steps->columns == 0)
        return PEN_OK;
    model->row.steps = *steps;
    model->row.steps.idf = NULL;
    model->row.steps.selected = NULL;
    PEN_TRY(pen_model_numbers(run, steps->idf, steps->columns, &model->row.idf));
    model->row.steps.idf = model->row.idf;
    if (!steps->selected)
        return PEN_OK;
    double *numbers;
    PEN_TRY(PEN_NEW(run, numbers, steps->kept));
    for (int64_t c = 0; c < steps->kept; c++)
        numbers[c] = (double)steps->selected[c];
    PEN_TRY(pen_model_numbers(run, numbers, steps->kept, &model->row.selected));
    PEN_TRY(pen_model_number_columns(run, model));
    if (model->kernel.form.kind != PEN_KERNEL_NONE)
        return PEN_OK; /* what it projects are kernel values */
    PEN_TRY(spread(run, steps, model->k, &model->projection));
    PEN_TRY(spread(run, steps, 1, &model->mean));
    PEN_TRY(spread(run, steps, 1, &model->scale));
    PEN_TRY(spread(run, steps, 1, &model->deviation));
    model->d = steps->columns;
    return PEN_OK;
}
