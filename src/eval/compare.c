/* compare.c - comparing methods and classifiers: first with default parameters, then tuned within
 * each trial on the rows not held out, as far as the budget allows. A fit is made once, for all of
 * its classifiers.
 *
 * What is tried is decided before the first trial, from the costs of the methods (eval/plan.h): the
 * result depends on the data, the seed and the settings only. */
#include "core/arguments.h"
#include "core/cache.h"
#include "eval/chance.h"
#include "eval/comparing.h"
#include "eval/given_folds.h"
#include "eval/ranking.h"
#include "eval/task_pool.h"
#include "model/spec.h"

#include <math.h>
#include <string.h>

enum { STABILITY_ROWS = 500 };

/* Candidates whose tuned parameters are not used get the defaults; failed ones get no spec. */
static pen_status settle_specs(pen_run *run, const pen_comparing *k)
{
    pen_error err;

    for (int64_t c = 0; c < k->count; c++) {
        pen_compared *const e = &k->candidates[c];
        if (!k->is_tuned[c] || *e->failure) {
            pen_spec_free(e->spec);
            e->spec = NULL;
        }
        if (*e->failure)
            continue;
        if (!e->spec && pen_spec_copy(k->defaults[k->list.pairs[c].fit], &e->spec, &err) != PEN_OK)
            return pen_fail_as(run, &err);
        PEN_TRY(pen_compared_set_classifier(run, &k->list, c, e->spec));
    }
    return PEN_OK;
}

/* The most columns that a method sees: coordinates of a kernel are as many as rows, or more than a
 * curve shows. */
static int64_t most_columns(const pen_compared_list *list, const pen_data *data)
{
    int64_t most = data->x.cols;

    for (int64_t f = 0; f < list->fit_count; f++)
        if (list->fits[f].kernel != PEN_KERNEL_NONE)
            most = pen_max(most, data->x.rows);
    return most;
}

/* The labels of the classes of the trials, ascending. */
static pen_status note_classes(pen_run *run, const pen_trials *trials, pen_comparison *out)
{
    const int64_t count = trials->classes.classes;

    PEN_TRY(PEN_KEEP(run, out->classes, count));
    out->class_count = count;
    for (int64_t c = 0; c < count; c++)
        out->classes[c] = trials->labels[trials->classes.members[trials->classes.starts[c]]];
    return PEN_OK;
}

/* Counts the held-out rows of all trials, true by predicted class; told: their predicted classes,
 * trial after trial, and within each in the order of the rows. */
static pen_status note_confusion(pen_run *run, const pen_trials *trials, const int32_t *told,
                                 pen_comparison *out)
{
    const int64_t c = out->class_count;
    int64_t *rows, count;

    PEN_TRY(PEN_KEEP(run, out->confusion, pen_times(c, c)));
    PEN_TRY(pen_trials_list_held(run, trials, &rows, &count));
    for (int64_t e = 0; e < count; e++)
        out->confusion[trials->class_of[rows[e]] * c + told[e]]++;
    return PEN_OK;
}

/* Merges the bins of all trials, at the temperature at which they are told. */
static pen_status note_calibration(pen_run *run, const pen_comparing *k, int64_t candidate,
                                   pen_comparison *out)
{
    double temperature;
    const pen_predictions *const answers =
        pen_comparing_answers(k, k->is_tuned[candidate], candidate, &temperature);
    const int at = pen_temperature_place(temperature);

    PEN_TRY(PEN_KEEP(run, out->calibration, PEN_CALIBRATION_BINS));
    pen_calibration_bin *const sums = out->calibration;
    for (int64_t i = 0; i < k->trials->count * PEN_CALIBRATION_BINS; i++) {
        const pen_calibration_bin *const bin =
            &answers[i / PEN_CALIBRATION_BINS].bins[at][i % PEN_CALIBRATION_BINS];
        pen_calibration_bin *const sum = &sums[i % PEN_CALIBRATION_BINS];
        sum->predicted += bin->predicted;
        sum->right += bin->right;
        sum->rows += bin->rows;
    }
    for (int64_t b = 0; b < PEN_CALIBRATION_BINS; b++) {
        sums[b].predicted = sums[b].rows ? sums[b].predicted / (double)sums[b].rows : (double)NAN;
        sums[b].right = sums[b].rows ? sums[b].right / (double)sums[b].rows : (double)NAN;
    }
    return PEN_OK;
}

/* How the predictions of the recommended candidate went. */
static pen_status describe_chosen(pen_run *run, const pen_comparing *k, pen_comparison *out)
{
    const int64_t c = out->candidates[out->chosen].order;
    const int pass = k->is_tuned[c];

    PEN_TRY(note_classes(run, k->trials, out));
    PEN_TRY(note_confusion(run, k->trials, pen_comparing_told(k, pass, c, 0), out));
    return note_calibration(run, k, c, out);
}

/* Whether the candidates, which are in the order of the list, do better than guesses. */
static pen_status test_chance(pen_run *run, const pen_comparing *k, pen_comparison *out)
{
    const int64_t held = k->starts[k->trials->count];
    const pen_mark_t mark = pen_mark(run);
    int32_t *classes;

    PEN_TRY(PEN_NEW(run, classes, pen_times(k->count, held)));
    for (int64_t c = 0; c < k->count; c++) {
        memcpy(classes + c * held, pen_comparing_told(k, k->is_tuned[c], c, 0),
               (size_t)held * sizeof *classes);
        if (*out->candidates[c].failure)
            classes[c * held] = -1;
    }
    const pen_told told = { k->trials, k->count, held, classes };
    PEN_TRY(pen_chance_test(run, &told, &out->p_value, &out->predicts));
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status run_comparison(pen_run *run, pen_comparing *k, pen_comparison *out)
{
    PEN_TRY(pen_comparing_try_defaults(run, k));
    PEN_TRY(pen_comparing_tune(run, k));
    PEN_TRY(settle_specs(run, k));
    out->trials = k->trials->count;
    out->held_out = pen_trials_held_out(k->trials, out->trials);
    out->tuned = k->tuned;
    PEN_TRY(test_chance(run, k, out));
    pen_ranking_make(k->trials, out);
    return describe_chosen(run, k, out);
}

static pen_status check_arguments(pen_run *run, const char *const *names, int64_t count,
                                  const pen_protocol *protocol, pen_comparison **out)
{
    PEN_TRY(pen_check_given(run, out, "out"));
    /* with and without kernels, and with each classifier */
    const int64_t most = pen_method_count() * PEN_KERNEL_PRECOMPUTED * PEN_CLASSIFIER_SCORES;

    PEN_REQUIRE(
        run, !names || (count >= 1 && count <= most), PEN_BAD_ARGUMENT,
        "count must be in [1, %lld], the number of methods with all kernels and classifiers, got "
        "%lld",
        (long long)most, (long long)count);
    PEN_TRY(pen_check_names(run, names, count, "names"));
    PEN_REQUIRE(run, !protocol || protocol->effort >= 0, PEN_BAD_ARGUMENT,
                "effort must be >= 0, got %g", protocol->effort);
    return PEN_OK;
}

static pen_status plan_and_run(pen_run *run, pen_comparing *k, pen_comparison *out)
{
    const int64_t fits = k->list.fit_count;
    pen_spec **defaults;

    PEN_TRY(PEN_FILLED(run, defaults, fits, 0));
    k->candidates = out->candidates;
    pen_status status = pen_comparing_defaults(run, k, defaults);
    if (status == PEN_OK)
        status = pen_comparing_plan(run, k, out);
    if (status == PEN_OK)
        status = pen_comparing_open(run, k);
    if (status == PEN_OK)
        status = run_comparison(run, k, out);
    for (int64_t f = 0; f < fits; f++)
        pen_spec_free(defaults[f]);
    return status;
}

static pen_status compare(pen_run *run, const char *const *names, int64_t count,
                          const pen_data *data, const pen_protocol *protocol, pen_comparison **out)
{
    pen_protocol outer = protocol ? *protocol : (pen_protocol){ .folds = 0 }, inner;
    pen_comparing k = { .count = 0 };
    pen_trials trials;

    PEN_TRY(check_arguments(run, names, count, protocol, out));
    PEN_TRY(pen_cache_open(run));
    outer.runs = pen_runs_of(&outer, PEN_COMPARE_RUNS);
    PEN_TRY(pen_trials_open(run, data, &outer, &trials));
    PEN_TRY(pen_trials_sample_for_stability(run, &trials, STABILITY_ROWS));
    PEN_TRY(pen_compared_list_make(run, names, count, &trials.protocol, &k.list));
    k.count = k.list.count;
    inner = trials.protocol;
    PEN_TRY(pen_comparing_inner_folds(run, &trials, &inner.folds));
    inner.runs = 1;
    inner.fold_of = NULL; /* dealt anew among the rows not held out */
    inner.labels = (pen_label_sample){ .seed = 0 };
    inner.shuffle = 0;
    inner.kernels = 0;
    k.trials = &trials;
    k.inner = &inner;
    k.dim_count = pen_min(PEN_COMPARED_CURVE, most_columns(&k.list, data));
    for (int64_t i = 0; i < k.dim_count; i++)
        k.dims[i] = i + 1;
    k.dims[k.dim_count] = 0;
    PEN_TRY(pen_comparison_new(run, &k.list, trials.count, k.dim_count, out));
    (*out)->folds = trials.protocol.folds;
    (*out)->inner_folds = inner.folds;
    return plan_and_run(run, &k, *out);
}

pen_status pen_compare(const char *const *names, int64_t count, const pen_data *data,
                       const pen_protocol *protocol, const pen_control *control,
                       pen_comparison **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_comparison_free,
             compare(run, names, count, data, protocol, out));
}
