/* fit_selected.c - the model of a selection: its map, or its members together. */
#include "core/arguments.h"
#include "core/cache.h"
#include "model/model.h"
#include "model/spec.h"

#include <stdlib.h>

/* The members, the best one first. */
static pen_status list_members(pen_run *run, const pen_selection *s, const pen_spec ***specs,
                               int64_t *count)
{
    PEN_TRY(PEN_NEW(run, *specs, s->count));
    *count = 0;
    (*specs)[(*count)++] = s->candidates[s->best].spec;
    for (int64_t i = 0; i < s->count; i++)
        if (s->candidates[i].member && i != s->best)
            (*specs)[(*count)++] = s->candidates[i].spec;
    return PEN_OK;
}

/* Adds the probabilities that a model gives the rows of its fit: those of the fit, if it has some,
 * for they know the neighbors of a row. */
static pen_status add_shares(pen_run *run, const pen_model *model, const pen_array *x,
                             const pen_control *control, double *sum)
{
    const int64_t count = x->rows * pen_model_class_count(model);
    const double *shares = pen_model_propagated(model);
    int32_t *classes;
    double *p;
    pen_error err;

    const pen_mark_t mark = pen_mark(run);
    if (!shares) {
        PEN_TRY(PEN_NEW(run, classes, x->rows));
        PEN_TRY(PEN_NEW(run, p, count));
        if (pen_predict(model, x, classes, p, control, &err) != PEN_OK)
            return pen_fail_as(run, &err);
        shares = p;
    }
    for (int64_t i = 0; i < count; i++)
        sum[i] += shares[i];
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status average_rows(pen_run *run, pen_model *const *models, int64_t count,
                               const pen_array *x, const pen_control *control, pen_model **out)
{
    const int64_t numbers = pen_times(x->rows, pen_model_class_count(models[0]));

    (*out)->rows = x->rows;
    PEN_TRY(PEN_KEEP(run, (*out)->propagated, numbers));
    for (int64_t m = 0; m < count; m++)
        PEN_TRY(add_shares(run, models[m], x, control, (*out)->propagated));
    for (int64_t i = 0; i < numbers; i++)
        (*out)->propagated[i] /= (double)count;
    return PEN_OK;
}

static pen_status join_members(pen_run *run, pen_model *const *models, int64_t count,
                               const pen_data *data, pen_answers answer, const pen_control *control,
                               pen_model **out)
{
    pen_error err;

    if (pen_join((const pen_model *const *)models, count, out, &err) != PEN_OK)
        return pen_fail_as(run, &err);
    return answer == PEN_ANSWER_ROWS ? average_rows(run, models, count, &data->x, control, out)
                                     : PEN_OK;
}

static pen_status fit_members(pen_run *run, const pen_selection *s, const pen_data *data,
                              pen_answers answer, const pen_control *control, pen_model **out)
{
    const pen_spec **specs;
    pen_model **models;
    pen_error err;
    int64_t count;

    PEN_TRY(list_members(run, s, &specs, &count));
    PEN_TRY(PEN_FILLED(run, models, count, 0));
    pen_status status = PEN_OK;
    for (int64_t m = 0; m < count && status == PEN_OK; m++)
        if (pen_model_fit(pen_run_cache(run), specs[m], data, control, &models[m], &err) != PEN_OK)
            status = pen_fail_as(run, &err);
    if (status == PEN_OK)
        status = join_members(run, models, count, data, answer, control, out);
    for (int64_t m = 0; m < count; m++)
        pen_model_free(models[m]);
    return status;
}

static pen_status check_members(pen_run *run, const pen_selection *s)
{
    PEN_REQUIRE(run, s->labelled > 0, PEN_NO_LABELS,
                "a choice by trials needs labelled rows, got none");
    PEN_REQUIRE(run, s->classes >= 2, PEN_ONE_CLASS,
                "a choice by trials needs labelled rows of at least 2 classes, got 1");
    PEN_REQUIRE(run, s->count > 0, PEN_BAD_ARGUMENT,
                "a choice by trials learns from labels, got pairs");
    return PEN_OK;
}

static pen_status fit_selected(pen_run *run, const pen_selection *s, const pen_data *data,
                               pen_answers answer, const pen_control *control, pen_model **out)
{
    pen_error err;

    PEN_TRY(pen_check_given(run, s, "selection"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_trial_data(run, data));
    PEN_TRY(pen_cache_open(run));
    PEN_REQUIRE(run, answer >= PEN_ANSWER_MAP && answer <= PEN_ANSWER_ROWS, PEN_BAD_ARGUMENT,
                "the answer must be a map, classes, or classes and rows, got %d", (int)answer);
    PEN_REQUIRE(run, s->map, PEN_BAD_ARGUMENT,
                "nothing was selected: pairs are compared by all methods");
    if (answer != PEN_ANSWER_MAP)
        PEN_TRY(check_members(run, s));
    if (answer != PEN_ANSWER_MAP)
        return fit_members(run, s, data, answer, control, out);
    return pen_fit(s->map, data, control, out, &err) == PEN_OK ? PEN_OK : pen_fail_as(run, &err);
}

pen_status pen_fit_selected(const pen_selection *selection, const pen_data *data,
                            pen_answers answer, const pen_control *control, pen_model **out,
                            pen_error *err)
{
    PEN_MAKE(control, err, out, pen_model_free,
             fit_selected(run, selection, data, answer, control, out));
}
