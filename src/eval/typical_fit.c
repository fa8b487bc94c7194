/* typical_fit.c - keeps what a model needs to rate how typical rows are. */
#include "eval/typical_fit.h"

#include "core/array.h"
#include "core/rng.h"
#include "core/sort.h"
#include "eval/trials/sample_rows.h"
#include "model/spec.h"

#include <stdlib.h>

enum {
    KEPT = 2000,
    MEASURED = 500,
    FOLDS = 5,
    ENOUGH = 200,
    FEW = 10, /* rows for each column */
    MOST_ROWS = 5000,
    MOST_VALUES = 1 << 20, /* five more fits of them take little time */
    DRAW_TAG = 6100
};

/* Embeds rows of x in y [count x (k + 1)]. */
static pen_status embed(pen_run *run, const pen_model *model, const pen_array *x, int64_t count,
                        const int64_t *rows, double **y)
{
    pen_array some;

    PEN_TRY(pen_array_pick(run, x, count, rows, &some));
    PEN_TRY(PEN_NEW(run, *y, pen_times(count, model->k + 1)));
    return pen_model_embed_measured(run, model, &some, *y);
}

/* Measures distances [count] of rows `out` from rows `in` [rest], both embedded by `model`. */
static pen_status measure(pen_run *run, const pen_model *model, const pen_array *x, int64_t rest,
                          const int64_t *in, int64_t count, const int64_t *out, double *distances)
{
    pen_typical t;
    double *y, *z;

    PEN_TRY(embed(run, model, x, pen_min(rest, KEPT), in, &y));
    PEN_TRY(embed(run, model, x, count, out, &z));
    PEN_TRY(pen_typical_open(run, pen_min(rest, KEPT), model->k + 1, y, &t));
    return pen_typical_measure(run, &t, count, z, distances);
}

/* Fits without the rows of a fold, and measures these. If the fit fails, no row is measured. */
static pen_status leave_out(pen_run *run, const pen_spec *spec, const pen_data *data,
                            const int64_t *order, int fold, const pen_control *control,
                            double *distances, int64_t *count)
{
    int64_t *in, *out, rest = 0, left = 0;
    pen_model *model;
    pen_data others;
    pen_error err;

    PEN_TRY(PEN_NEW2(run, in, out, data->x.rows));
    for (int64_t i = 0; i < data->x.rows; i++)
        if (i % FOLDS != fold)
            in[rest++] = order[i];
        else if (*count + left < MEASURED)
            out[left++] = order[i];
    if (rest == 0 || left == 0)
        return PEN_OK;
    PEN_TRY(pen_data_pick(run, data, rest, in, &others));
    if (pen_model_fit(NULL, spec, &others, control, &model, &err) != PEN_OK)
        return pen_ends_call(err.code) ? pen_fail_as(run, &err) : PEN_OK;
    const pen_status status =
        measure(run, model, &data->x, rest, in, left, out, distances + *count);
    pen_model_free(model);
    *count += left;
    return status;
}

static int learns_from_few(const pen_spec *spec, const pen_data *data, const pen_model *model)
{
    const enum pen_kernel_kind kernel = model->kernel.form.kind;
    const int64_t n = data->x.rows;

    return spec && n <= MOST_ROWS && pen_times(n, data->x.cols) <= MOST_VALUES
           && data->must_link_count + data->cannot_link_count == 0 && !data->graph
           && kernel != PEN_KERNEL_PRECOMPUTED && (kernel != PEN_KERNEL_NONE || n / FEW < model->d);
}

pen_status pen_typical_learn(pen_run *run, const pen_spec *spec, const pen_data *data,
                             const pen_control *control, pen_model *model)
{
    const int64_t n = data->x.rows, kept = pen_min(n, KEPT);
    pen_rng rng = { DRAW_TAG };
    int64_t *order, *turn, count = 0;
    double *y, *distances;
    pen_typical t;

    if (!pen_model_classifier(model))
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_data_order(run, data, &order));
    PEN_TRY(PEN_NEW(run, turn, n));
    PEN_TRY(PEN_NEW(run, distances, MEASURED));
    pen_rng_permutation(&rng, n, turn);
    for (int64_t i = 0; i < n; i++)
        turn[i] = order[turn[i]];
    PEN_TRY(embed(run, model, &data->x, kept, turn, &y));
    PEN_TRY(pen_typical_open(run, kept, model->k + 1, y, &t));
    for (int f = 0; f < FOLDS && count < ENOUGH && learns_from_few(spec, data, model); f++)
        PEN_TRY(leave_out(run, spec, data, turn, f, control, distances, &count));
    if (count == 0) {
        count = pen_min(n, MEASURED);
        PEN_TRY(pen_typical_measure(run, &t, count, y, distances));
    }
    qsort(distances, (size_t)count, sizeof *distances, pen_by_double);
    t.measured = count;
    t.distances = distances;
    PEN_TRY(pen_model_keep_typical(run, &t, model));
    pen_release(run, mark);
    return PEN_OK;
}
