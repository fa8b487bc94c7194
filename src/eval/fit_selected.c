/* fit_selected.c - pen_fit: fits a method, or if none is named the selection: a projection learned
 * from its members, or a method. Notes the trials. */
#include "core/array.h"
#include "core/cache.h"
#include "eval/trials/embedding.h"
#include "eval/calibrated_fit.h"
#include "eval/choose/members.h"
#include "eval/choose/projection.h"
#include "eval/choose/select.h"
#include "eval/trials/sample_rows.h"
#include "eval/typical_fit.h"
#include "core/arguments.h"
#include "problem/prepared_rows.h"
#include "model/model.h"
#include "model/spec.h"

#include <string.h>

/* ---- more labels ---- */

/* The most labelled rows of the classifier for each row of the sample. */
enum { MOST_KNOWN = 4 };

/* Finds labelled rows outside the sample; the sample has rows of each class. */
static pen_status find_more(pen_run *run, const pen_selection *s, const pen_data *data,
                            const pen_view *classes, pen_projection_rows *out)
{
    int64_t *rows, count, kept = 0, at = 0;
    pen_view all = { .n = data->x.rows };
    int32_t *class_of, *of;
    pen_array *more;

    if (!s->sample)
        return PEN_OK;
    PEN_TRY(pen_rows_label(run, data->labels, data->x.rows, &all));
    if (all.labelled == classes->labelled || all.classes != classes->classes)
        return PEN_OK;
    PEN_TRY(pen_rows_classes(run, &all, &class_of));
    PEN_TRY(pen_data_sample(run, data, pen_min(data->x.rows, MOST_KNOWN * s->rows), s->seed, &rows,
                            &count));
    PEN_TRY(PEN_NEW(run, of, count));
    PEN_TRY(PEN_NEW(run, more, 1));
    for (int64_t i = 0; i < count; i++) {
        while (at < s->rows && s->sample[at] < rows[i])
            at++;
        const int in_sample = at < s->rows && s->sample[at] == rows[i];
        if (in_sample || data->labels[rows[i]] == PEN_UNLABELLED)
            continue;
        of[kept] = class_of[rows[i]];
        rows[kept++] = rows[i];
    }
    if (kept == 0)
        return PEN_OK;
    PEN_TRY(pen_array_pick(run, &data->x, kept, rows, more));
    out->more = more;
    out->more_classes = of;
    return PEN_OK;
}

/* ---- the model ---- */

/* Lets the members predict instead of the classifier. */
static pen_status keep_members(pen_run *run, pen_model **models, int64_t count, double temperature,
                               pen_model *model)
{
    model->mean_temperature = temperature;
    PEN_TRY(PEN_KEEP(run, model->members, count));
    for (int64_t i = 0; i < count; i++) {
        model->members[model->member_count++] = models[i];
        models[i] = NULL;
    }
    return PEN_OK;
}

/* Keeps the probabilities of the rows: p for rows of the sample, predictions of the model for
 * others. */
static pen_status keep_rows(pen_run *run, const pen_selection *s, const pen_data *data,
                            const double *p, const pen_control *control, pen_model *model)
{
    const int64_t c = s->classes, n = data->x.rows;

    model->rows = n;
    PEN_TRY(PEN_KEEP(run, model->propagated, pen_times(n, c)));
    if (s->sample)
        PEN_TRY(pen_shares_predict(run, model, &data->x, control, model->propagated));
    for (int64_t i = 0; i < s->rows; i++)
        memcpy(model->propagated + (s->sample ? s->sample[i] : i) * c, p + i * c,
               (size_t)c * sizeof *p);
    return PEN_OK;
}

static pen_status join_names(pen_run *run, const pen_selection *s, const int64_t *members,
                             int64_t count, const char **out)
{
    char *names;

    PEN_TRY(PEN_FILLED(run, names, pen_times(count, sizeof s->candidates->name) + 1, 0));
    for (int64_t m = 0; m < count; m++) {
        strcat(names, m > 0 ? " " : "");
        strcat(names, s->candidates[members[m]].name);
    }
    *out = names;
    return PEN_OK;
}

/* models [s->count]: the fitted members, or NULL. */
static pen_status learn(pen_run *run, const pen_selection *s, const pen_spec *spec,
                        const pen_data *data, const pen_control *control, pen_model **models,
                        pen_model **out)
{
    const int ensemble = ((const pen_auto *)spec->own)->ensemble;
    pen_projection_rows rows = { .more = NULL };
    pen_view classes = { .n = 0 };
    pen_data sample = *data;
    int64_t *members, count;
    int32_t *class_of;
    double *p;

    if (s->sample)
        PEN_TRY(pen_data_pick(run, data, s->rows, s->sample, &sample));
    sample.groups = NULL;
    PEN_TRY(pen_rows_label(run, sample.labels, s->rows, &classes));
    PEN_TRY(pen_rows_classes(run, &classes, &class_of));
    PEN_TRY(PEN_NEW(run, p, pen_times(s->rows, s->classes)));
    PEN_TRY(pen_members_list(run, s, &members, &count));
    PEN_TRY(pen_members_tell(run, s, &sample, class_of, control, ensemble ? models : NULL, p));
    PEN_TRY(find_more(run, s, data, &classes, &rows));
    PEN_TRY(join_names(run, s, members, count, &rows.members));
    rows.data = &sample;
    rows.is_sample = s->sample != NULL;
    rows.p = p;
    rows.steps = pen_members_steps(s);
    rows.temperature = s->temperature;
    PEN_TRY(pen_projection_learn(run, &rows, spec, control, out));
    if (ensemble)
        PEN_TRY(keep_members(run, models, count, s->mean_temperature, *out));
    PEN_TRY(pen_typical_learn(run, NULL, &sample, control, *out));
    return keep_rows(run, s, data, p, control, *out);
}

static pen_status fit_projection(pen_run *run, const pen_selection *s, const pen_spec *spec,
                                 const pen_data *data, const pen_control *control, pen_model **out)
{
    pen_model **models;

    PEN_TRY(s->sample ? pen_cache_open(run) : pen_rows_share(run, data));
    PEN_TRY(PEN_FILLED(run, models, s->count, 0));
    const pen_status status = learn(run, s, spec, data, control, models, out);
    for (int64_t m = 0; m < s->count; m++)
        pen_model_free(models[m]);
    return status;
}

static pen_status fit_method(pen_run *run, const pen_spec *spec, const pen_data *data,
                             const pen_control *control, pen_model **out)
{
    const pen_data own = pen_data_for(spec, data);

    return pen_calibrated_fit(run, spec, &own, control, out);
}

static pen_status fit_selected(pen_run *run, const pen_selection *s, const pen_spec *spec,
                               const pen_data *data, const pen_control *control, pen_model **out)
{
    PEN_TRY(s->spec ? fit_method(run, s->spec, data, control, out)
                    : fit_projection(run, s, spec, data, control, out));
    return pen_selection_tell(run, s, *out);
}

static pen_status fit_auto(pen_run *run, const pen_spec *spec, const pen_data *data,
                           const pen_control *control, pen_model **out)
{
    pen_selection *found;

    PEN_TRY(pen_select(spec, data, control, &found, pen_run_error(run)));
    const pen_status status = fit_selected(run, found, spec, data, control, out);
    pen_selection_free(found);
    return status;
}

static pen_status fit(pen_run *run, const pen_spec *spec, const pen_data *data,
                      const pen_control *control, pen_model **out)
{
    pen_data taken;

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_rows_take(run, data, &taken));
    const int is_auto = spec->method == &pen_method_auto;
    PEN_TRY((is_auto ? fit_auto : pen_calibrated_fit)(run, spec, &taken, control, out));
    return pen_model_keep_reading(run, "data", data->reading, *out);
}

pen_status pen_fit(const pen_spec *spec, const pen_data *data, const pen_control *control,
                   pen_model **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_model_free, fit(run, spec, data, control, out));
}
