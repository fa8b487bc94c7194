/* fit_selected.c - pen_fit: fits a method, or if none is named the selection: a projection learned
 * from its members, or a method. Notes the trials. */
#include "classifiers/predictions.h"
#include "core/array.h"
#include "core/cache.h"
#include "core/folds.h"
#include "eval/trials/embedding.h"
#include "eval/choose/members.h"
#include "eval/choose/projection.h"
#include "eval/choose/select.h"
#include "eval/trials/label_trials.h"
#include "eval/trials/sample_rows.h"
#include "eval/trials/trial_score.h"
#include "eval/typical_fit.h"
#include "core/arguments.h"
#include "model/classifier_fit.h"
#include "model/held_out_fit.h"
#include "problem/prepared_rows.h"
#include "model/model.h"
#include "model/spec.h"
#include "solve/choose_beta.h"

#include <stdio.h>
#include <string.h>

/* ---- a method, with calibrated probabilities ---- */

/* New rows and rows of the fit: class scores of rows of the fit know their neighbors, and are
 * surer. */
enum { NEW, FITTED, KINDS };

/* spec: its classifier is not auto. A trial whose fit fails, as with too few labels, does not
 * count. */
static pen_status try_all(pen_run *run, const pen_data *data, const pen_spec *spec,
                          pen_predictions *sums, int64_t *runs)
{
    pen_trial_set trials;
    pen_trial_table table;
    pen_data some;

    PEN_TRY(pen_label_trials_open(run, data, pen_label_trials_rows(1, data->x.cols), 0, &some,
                                  &trials));
    *runs = trials.protocol.runs;
    trials.as_new = 1;
    PEN_TRY(pen_trial_table_open(run, &trials, 1, 0, PEN_WANT_ANSWERS, &table));
    pen_trial_table_ask(&table, 0, spec->common.classifier, 1, &spec->common.dim, 1);
    pen_trial_table_fit(&table, spec, 0, 1);
    PEN_TRY(pen_trials_try(run, "calibration", &table));
    for (int64_t t = 0; t < trials.count; t++) {
        pen_predictions_merge(&table.readings[t].answer, &sums[NEW]);
        pen_predictions_merge(&table.readings[t].of_fit, &sums[FITTED]);
    }
    return PEN_OK;
}

/* Most values of the rows of trials: the trials may take nine times as long as the fit, but not
 * long. */
enum { MOST_VALUES = 1 << 22 };

/* Pairs and kernel values refer to all rows, so trials cannot take a part of them. */
static int is_small(const pen_spec *spec, const pen_data *data)
{
    const int64_t most = pen_label_trials_rows(1, data->x.cols);

    const int is_whole =
        pen_has_pairs(spec, data) || spec->common.kernel.kind == PEN_KERNEL_PRECOMPUTED;

    return (!is_whole || data->x.rows <= most)
           && pen_times(pen_min(data->x.rows, most), data->x.cols) <= MOST_VALUES;
}

/* Sets the parameters that pen_held_out_choose notes as "alpha=10 dim=3". */
static pen_status set_chosen(pen_run *run, const char *text, pen_spec *spec)
{
    char name[PEN_NOTE_SIZE], value[PEN_NOTE_SIZE];

    for (int length = 0; sscanf(text, " %63[^=]=%63s%n", name, value, &length) == 2; text += length)
        PEN_TRY(pen_spec_set(spec, name, value, pen_run_error(run)));
    spec->common.allow_fewer = 1; /* trials have fewer rows */
    return PEN_OK;
}

/* The spec with the values that the fit chose. If each trial chose its own, it would repeat all
 * eigenproblems. */
static pen_status settle(pen_run *run, const pen_spec *given, pen_model *model, pen_spec **out)
{
    pen_status status = PEN_OK;
    const char *text;
    double beta, chosen;

    PEN_TRY(pen_spec_copy(given, out, pen_run_error(run)));
    if (pen_held_out_asked(given) && pen_model_value(model, "info.chosen", NULL, &text))
        status = set_chosen(run, text, *out);
    else if (pen_spec_number(given, "beta", &beta, NULL) == PEN_OK && beta == PEN_BETA_AUTO
             && pen_model_value(model, "info.beta", &chosen, NULL))
        status = pen_spec_set_number(*out, "beta", chosen, pen_run_error(run));
    pen_about_free(atomic_exchange(&model->about, NULL)); /* more facts will follow */
    return status;
}

/* spec: gets the classifier of the model. */
static pen_status find_temperatures(pen_run *run, pen_spec *spec, const pen_data *data,
                                    double temperatures[KINDS])
{
    pen_data own = *data;
    pen_view classes = { .n = data->x.rows };
    int64_t most, runs = 1;
    pen_predictions sums[KINDS];

    spec->common.classifier.kind = pen_classifier_of(spec);
    own.graph = NULL;
    PEN_TRY(pen_rows_label(run, own.labels, own.x.rows, &classes));
    PEN_TRY(pen_rows_group(run, own.groups, &classes));
    PEN_TRY(pen_folds_most(run, &classes, &most));
    for (int kind = 0; kind < KINDS; kind++)
        pen_predictions_open(classes.classes, &sums[kind]);
    if (most >= PEN_LEAST_LABELS && is_small(spec, data))
        PEN_TRY(try_all(run, &own, spec, sums, &runs));
    for (int kind = 0; kind < KINDS; kind++)
        temperatures[kind] = pen_predictions_temperature(
            &sums[kind], runs, pen_usual_temperature(spec->common.classifier.kind));
    return PEN_OK;
}

/* Scores of rows of the fit are tempered even if the model gives none for new rows. */
static pen_status calibrate(pen_run *run, const pen_spec *spec, const pen_data *data,
                            pen_model *model)
{
    const int of_scores = pen_classifier_of(spec) == PEN_CLASSIFIER_SCORES && model->propagated,
              predicts = pen_model_classifier(model) != NULL;
    double temperatures[KINDS];
    pen_spec *settled = NULL;

    if (spec->common.classifier.temperature >= 0 || model->class_count < 2
        || !(predicts || of_scores))
        return PEN_OK;
    pen_status status = settle(run, spec, model, &settled);
    if (status == PEN_OK)
        status = find_temperatures(run, settled, data, temperatures);
    pen_spec_free(settled);
    PEN_TRY(status);
    if (of_scores)
        pen_model_temper(model->class_count, temperatures[FITTED], model);
    if (predicts)
        model->temperature = temperatures[NEW];
    return PEN_OK;
}

/* Fits a method, named or chosen. If `temperature` is auto, uses the temperature that fits the
 * predictions of trials best. */
static pen_status fit_calibrated(pen_run *run, const pen_spec *spec, const pen_data *data,
                                 const pen_control *control, pen_model **out)
{
    PEN_TRY(pen_check_data(run, data));
    const int tried = data->labels && spec->common.classifier.temperature < 0;
    if (data->rows || (tried && data->x.rows <= pen_label_trials_rows(1, data->x.cols)))
        PEN_TRY(pen_rows_share(run, data));
    PEN_TRY(pen_model_fit(pen_run_cache(run), spec, data, control, out, pen_run_error(run)));
    PEN_TRY(calibrate(run, spec, data, *out));
    if (data->rows) /* not the results of trials on a part of them */
        PEN_TRY(pen_rows_share(run, data));
    return pen_typical_learn(run, spec, data, control, *out);
}

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

    return fit_calibrated(run, spec, &own, control, out);
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
    PEN_TRY((is_auto ? fit_auto : fit_calibrated)(run, spec, &taken, control, out));
    return pen_model_keep_reading(run, "data", data->reading, *out);
}

pen_status pen_fit(const pen_spec *spec, const pen_data *data, const pen_control *control,
                   pen_model **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_model_free, fit(run, spec, data, control, out));
}
