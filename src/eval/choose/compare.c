/* compare.c - compares methods and classifiers: first as given, then tuned within each trial on the
 * rows not held out, as far as the effort allows. All classifiers of a fit share it.
 *
 * The plan is made before the first trial, from the costs of the methods (eval/choose/budget.h), so
 * the result depends on the data, the seed and the settings only. */
#include "core/arguments.h"
#include "problem/prepared_rows.h"
#include "eval/measures/chance.h"
#include "eval/choose/compare_passes.h"
#include "eval/trials/task_pool.h"
#include "model/spec.h"
#include "pairs/pairs.h"

#include <math.h>
#include <string.h>

enum { STABILITY_ROWS = 500, MOST_SPECS = 10000, MOST_DIMS = 10000 };
#define MOST_EFFORT 1e9

/* Candidates that do not use tuned parameters get their given spec; failed ones get no spec. */
static pen_status settle_specs(pen_run *run, const pen_comparing *k)
{
    for (int64_t c = 0; c < k->list.count; c++) {
        pen_compared *const e = &k->out->candidates[c];
        const pen_spec *const spec =
            e->is_tuned ? e->found->candidates[0].spec : k->list.fits[k->list.pairs[c].fit].spec;
        if (*e->failure)
            continue;
        PEN_TRY(pen_spec_copy(spec, &e->spec, pen_run_error(run)));
        PEN_TRY(pen_compared_set_classifier(run, &k->list, c, e->spec));
    }
    return PEN_OK;
}

/* The most columns that a method sees. Coordinates of a kernel may be as many as the rows, or more
 * than a curve shows. */
static int64_t most_columns(const pen_compared_list *list, const pen_data *data)
{
    int64_t most = data->x.cols;

    for (int64_t f = 0; f < list->fit_count; f++)
        if (list->fits[f].spec->common.kernel.kind != PEN_KERNEL_NONE)
            most = pen_max(most, data->x.rows);
    return most;
}

/* The labels of the classes of the trials, ascending. */
static pen_status note_classes(pen_run *run, const pen_trial_set *trials, pen_comparison *out)
{
    const int64_t count = trials->classes.classes;

    PEN_TRY(PEN_KEEP(run, out->classes, count));
    out->class_count = count;
    for (int64_t c = 0; c < count; c++)
        out->classes[c] = trials->labels[trials->classes.members[trials->classes.starts[c]]];
    return PEN_OK;
}

/* Counts the held-out rows of all trials, true by predicted class. */
static pen_status note_confusion(pen_run *run, const pen_trial_set *trials,
                                 const int32_t *predicted, pen_comparison *out)
{
    const int64_t c = out->class_count;

    PEN_TRY(PEN_KEEP(run, out->confusion, pen_times(c, c)));
    for (int64_t e = 0; e < trials->starts[trials->count]; e++)
        out->confusion[trials->class_of[trials->held[e]] * c + predicted[e]]++;
    return PEN_OK;
}

/* Merges the bins of all trials, at the temperature of the predictions. */
static pen_status note_calibration(pen_run *run, const pen_comparing *k, const pen_compared *chosen,
                                   pen_comparison *out)
{
    const int at = pen_temperature_place(pen_comparing_temperature(k, chosen));

    PEN_TRY(PEN_KEEP(run, out->calibration, PEN_CALIBRATION_BINS));
    pen_calibration_bin *const sums = out->calibration;
    for (int64_t i = 0; i < k->trials->count * PEN_CALIBRATION_BINS; i++) {
        const pen_calibration_bin *const bin =
            &pen_comparing_found(k, chosen, i / PEN_CALIBRATION_BINS)
                 ->answer.bins[at][i % PEN_CALIBRATION_BINS];
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

/* Describes the predictions of the recommended candidate. */
static pen_status describe_chosen(pen_run *run, const pen_comparing *k, pen_comparison *out)
{
    const pen_compared *const chosen = &out->candidates[out->chosen];

    PEN_TRY(note_classes(run, k->trials, out));
    PEN_TRY(note_confusion(run, k->trials, pen_comparing_found(k, chosen, 0)->classes, out));
    return note_calibration(run, k, chosen, out);
}

/* Tests whether the candidates do better than guessing. */
static pen_status test_chance(pen_run *run, const pen_comparing *k, pen_comparison *out)
{
    const int32_t **predicted;

    PEN_TRY(PEN_NEW(run, predicted, out->count));
    for (int64_t c = 0; c < out->count; c++) {
        const pen_compared *const e = &out->candidates[c];
        predicted[c] = *e->failure ? NULL : pen_comparing_found(k, e, 0)->classes;
    }
    return pen_chance_test(run, k->trials, out->count, predicted, &out->p_value, &out->predicts);
}

static pen_status run_comparison(pen_run *run, pen_comparing *k)
{
    pen_comparison *const out = k->out;

    PEN_TRY(pen_comparing_plan(run, k));
    PEN_TRY(pen_comparing_try_untuned(run, k));
    PEN_TRY(pen_comparing_tune(run, k));
    PEN_TRY(settle_specs(run, k));
    out->trials = k->trials->count;
    out->held_out = pen_trials_held_out(k->trials, out->trials);
    out->interrupted = k->stopped;
    PEN_TRY(test_chance(run, k, out));
    pen_comparison_rank(k->trials, out);
    return describe_chosen(run, k, out);
}

/* ---- the request ---- */

static pen_status check_dims(pen_run *run, const pen_trials *t, const pen_compared_list *list)
{
    PEN_REQUIRE(run, !t->dims || (t->dim_count >= 1 && t->dim_count <= MOST_DIMS), PEN_BAD_ARGUMENT,
                "dim_count must be in [1, %d], got %lld", MOST_DIMS, (long long)t->dim_count);
    for (int64_t i = 0; t->dims && i < t->dim_count; i++)
        PEN_REQUIRE(run, t->dims[i] > (i > 0 ? t->dims[i - 1] : 0) && t->dims[i] <= INT32_MAX / 2,
                    PEN_BAD_ARGUMENT, "dims must be ascending whole numbers >= 1, got %lld",
                    (long long)t->dims[i]);
    for (int64_t f = 1; t->dims && f < list->fit_count; f++)
        PEN_REQUIRE(run, list->fits[f].spec->common.dim == 0, PEN_BAD_ARGUMENT,
                    "dims are for methods without `dim`, which %s has been given",
                    list->fits[f].spec->method->name);
    return PEN_OK;
}

static pen_status check_arguments(pen_run *run, const pen_spec *const *specs, int64_t count,
                                  const pen_trials *trials, pen_comparison **out)
{
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_REQUIRE(run, !specs || (count >= 1 && count <= MOST_SPECS), PEN_BAD_ARGUMENT,
                "count must be in [1, %d], got %lld", MOST_SPECS, (long long)count);
    for (int64_t i = 0; specs && i < count; i++)
        PEN_REQUIRE(run, specs[i], PEN_BAD_ARGUMENT, "specs[%lld] must not be NULL", (long long)i);
    PEN_REQUIRE(run, trials->effort >= 0 && trials->effort <= MOST_EFFORT, PEN_BAD_ARGUMENT,
                "effort must be in [0, %g], got %g", MOST_EFFORT, trials->effort);
    PEN_REQUIRE(run, PEN_IS_ZERO(trials->reserved), PEN_BAD_ARGUMENT, PEN_NOT_ZERO, "trials");
    return PEN_OK;
}

static pen_status read_protocol(pen_run *run, const pen_trials *trials, int shuffle,
                                pen_protocol *out)
{
    *out = (pen_protocol){ .folds = trials->folds,
                           .runs = trials->runs,
                           .seed = trials->seed,
                           .inductive = trials->inductive != 0,
                           .shuffle = shuffle,
                           .fold_of = trials->fold_of };
    return trials->keep_labels ? pen_label_sample_read(run, trials->keep_labels, &out->labels)
                               : PEN_OK;
}

/* ---- the call ---- */

static pen_status compare_list(pen_run *run, const pen_trials *asked, int all, pen_comparing *k,
                               pen_comparison **out)
{
    pen_trial_set *const trials = k->trials;

    k->inner = (pen_protocol){ .runs = 1,
                               .seed = trials->protocol.seed,
                               .inductive = trials->protocol.inductive };
    PEN_TRY(pen_trials_sample_for_stability(run, trials, STABILITY_ROWS));
    PEN_TRY(pen_comparing_inner_folds(run, trials, &k->inner.folds));
    if (all || asked->effort > 0)
        PEN_TRY(pen_compared_reduce(run, trials, &k->list));
    k->asked = asked->dims != NULL;
    k->dim_count = k->asked ? asked->dim_count
                            : pen_min(PEN_COMPARED_CURVE, most_columns(&k->list, trials->data));
    PEN_TRY(pen_comparison_new(run, &k->list, trials->count, k->dim_count, out));
    for (int64_t i = 0; i < k->dim_count; i++)
        (*out)->dims[i] = k->asked ? asked->dims[i] : i + 1;
    k->dims = (*out)->dims;
    (*out)->labelled = trials->classes.labelled;
    (*out)->folds = trials->protocol.folds;
    (*out)->runs = trials->protocol.runs;
    (*out)->inner_folds = k->inner.folds;
    k->out = *out;
    PEN_TRY(run_comparison(run, k));
    return asked->picture ? pen_comparing_draw(run, k) : PEN_OK;
}

/* Checks pairs first, because contradictions would fail the fits of all methods that learn from
 * pairs and leave only the other methods, and because rows of pairs serve as indices before a fit.
 * pairs: parameters for all methods; NULL: the parameters of each spec. */
static pen_status take_pairs(pen_run *run, const pen_data *data, const pen_pair_params *pairs,
                             const pen_compared_list *list)
{
    pen_view classes = { .n = data->x.rows };
    pen_pair_set opened;

    PEN_TRY(pen_rows_label(run, data->labels, data->x.rows, &classes));
    const pen_mark_t mark = pen_mark(run);
    for (int64_t f = 0; f < list->fit_count; f++) {
        pen_spec *const spec = list->fits[f].spec;
        const int learns = (spec->method->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS)) != 0;
        if (learns && pairs)
            spec->common.pairs = *pairs;
        pen_pair_params how = spec->common.pairs;
        if (!learns)
            how.contradictions = PEN_CONTRADICTIONS_DROP;
        /* the baseline, which comes first, checks for methods that do not learn from pairs */
        if ((learns || f == 0) && data->must_link_count + data->cannot_link_count > 0)
            PEN_TRY(pen_pairs_open(run, data, &how, spec->common.seed, &classes, PEN_ORDER_ROWS,
                                   &opened));
        pen_release(run, mark);
    }
    return PEN_OK;
}

/* Compares without making the texts. */
static pen_status compare_specs(pen_run *run, const pen_spec *const *specs, int64_t count,
                                const pen_pair_params *pairs, const pen_data *data,
                                const pen_trials *asked, int shuffle, pen_comparison **out)
{
    pen_comparing k = { .effort = asked->effort };
    pen_protocol protocol;
    pen_trial_set trials;

    PEN_TRY(read_protocol(run, asked, shuffle, &protocol));
    PEN_TRY(pen_trials_open(run, data, &protocol, &trials));
    k.trials = &trials;
    pen_status status = pen_compared_list_make(run, specs, count, asked, &k.list);
    if (status == PEN_OK)
        status = take_pairs(run, data, pairs, &k.list);
    if (status == PEN_OK)
        status = check_dims(run, asked, &k.list);
    if (status == PEN_OK)
        status = compare_list(run, asked, !specs, &k, out);
    pen_compared_list_free(&k.list);
    return status;
}

/* Scores the recommended candidate with shuffled labels. */
static pen_status score_shuffled(pen_run *run, const pen_data *data, const pen_trials *asked,
                                 pen_comparison *c)
{
    const pen_spec *const spec = pen_comparison_spec(c, 0);
    pen_trials trials = *asked;
    pen_comparison *found = NULL;

    trials.grid = NULL;
    trials.dims = NULL;
    trials.effort = 0;
    trials.picture = 0;
    trials.runs = c->runs;
    const pen_mark_t mark = pen_mark(run);
    const pen_status status = compare_specs(run, &spec, 1, NULL, data, &trials, 1, &found);
    for (int64_t m = 0; status == PEN_OK && m < found->count; m++)
        if (found->candidates[m].named)
            c->shuffled = found->candidates[m].score;
    pen_comparison_free(found);
    pen_release(run, mark);
    return status == PEN_CANCELLED ? PEN_OK : status;
}

static pen_status compare(pen_run *run, const pen_spec *const *specs, int64_t count,
                          const pen_pair_params *pairs, const pen_data *data_,
                          const pen_trials *given, pen_comparison **out)
{
    static const pen_trials usual = { 0 };
    const pen_trials *const trials = given ? given : &usual;
    const double begun = pen_task_clock();
    pen_data data;

    PEN_TRY(check_arguments(run, specs, count, trials, out));
    PEN_TRY(pen_rows_take(run, data_, &data));
    PEN_TRY(pen_rows_share(run, &data));
    PEN_TRY(compare_specs(run, specs, count, pairs, &data, trials, 0, out));
    if (trials->shuffled && !(*out)->interrupted)
        PEN_TRY(score_shuffled(run, &data, trials, *out));
    (*out)->seconds = pen_task_clock() - begun;
    const pen_comparison_facts facts = { &data, trials };
    PEN_TRY(pen_comparison_describe(run, &facts, *out));
    return pen_comparison_print(run, &facts, *out);
}

pen_status pen_compare(const pen_spec *const *specs, int64_t count, const pen_data *data,
                       const pen_trials *trials, const pen_control *control, pen_comparison **out,
                       pen_error *err)
{
    PEN_MAKE(control, err, out, pen_comparison_free,
             compare(run, specs, count, NULL, data, trials, out));
}

pen_status pen_compare_all(const pen_pair_params *pairs, const pen_data *data,
                           const pen_trials *trials, const pen_control *control,
                           pen_comparison **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_comparison_free,
             compare(run, NULL, 0, pairs, data, trials, out));
}
