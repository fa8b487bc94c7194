/* calibrated_fit.c - fits a method and tempers its probabilities by trials on its labels. */
#include "eval/calibrated_fit.h"

#include "classifiers/predictions.h"
#include "core/arguments.h"
#include "core/folds.h"
#include "eval/trials/embedding.h"
#include "eval/trials/label_trials.h"
#include "eval/trials/trial_score.h"
#include "eval/typical_fit.h"
#include "model/classifier_fit.h"
#include "model/held_out_fit.h"
#include "model/model.h"
#include "model/spec.h"
#include "problem/prepared_rows.h"
#include "solve/choose_beta.h"

#include <stdio.h>

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

pen_status pen_calibrated_fit(pen_run *run, const pen_spec *spec, const pen_data *data,
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
