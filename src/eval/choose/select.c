/* select.c - chooses what to fit if no method is named. For labels without pairs it tries
 * projections with classifiers (eval/choose/candidates.c) in the same trials. */
#include "classifiers/affine_classifier.h"
#include "core/arguments.h"
#include "core/folds.h"
#include "eval/choose/candidates.h"
#include "eval/measures/chance.h"
#include "eval/choose/compare_result.h"
#include "eval/trials/embedding.h"
#include "eval/choose/expect.h"
#include "eval/trials/label_trials.h"
#include "eval/choose/members.h"
#include "eval/choose/budget.h"
#include "eval/measures/summary.h"
#include "eval/trials/sample_rows.h"
#include "eval/trials/trial_score.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The usual temperature of the mean of the members. */
static const double USUAL = 1.2;

/* ---- the trials ---- */

/* Candidate i is reading i; candidates with the same map share a fit. */
static pen_status open_table(pen_run *run, const pen_trial_set *trials, const int *map,
                             const pen_selection *s, pen_trial_table *out)
{
    PEN_TRY(pen_trial_table_open(run, trials, s->count, 0,
                                 PEN_WANT_ANSWERS | PEN_WANT_CLASSES | PEN_WANT_SHARES, out));
    for (int64_t i = 0, first = 0; i < s->count; i++) {
        const pen_spec *const spec = s->candidates[i].spec;
        pen_trial_table_ask(out, i, spec->common.classifier, 1, &spec->common.dim, 1);
        if (i + 1 < s->count && map[i + 1] == map[i])
            continue;
        pen_trial_table_fit(out, s->candidates[first].spec, first, i + 1 - first);
        first = i + 1;
    }
    return PEN_OK;
}

static void unscored(pen_chosen *e)
{
    e->score = e->accuracy = e->brier = e->log_loss = (double)NAN;
}

/* Sums up a candidate over the rows of all trials. */
static void summarize(const pen_trial_table *table, int64_t i, pen_chosen *e)
{
    const pen_predictions all = pen_trials_sum(table, i);

    e->accuracy = pen_predictions_accuracy(&all);
    e->brier = pen_predictions_brier(&all, 0);
    e->score = pen_predictions_score(&all);
    e->temperature = pen_trials_temperature(table->trials, &e->spec->common.classifier, &all);
    e->log_loss = pen_predictions_log_loss(&all, e->temperature);
}

/* A candidate that fails in one trial is out; if all fail, the call returns the first failure. */
static pen_status try_all(pen_run *run, pen_trial_table *table, pen_chosen *candidates)
{
    const pen_trial_set *const trials = table->trials;
    const pen_error *first = NULL;
    int left = 0;

    PEN_TRY(pen_trials_try(run, "trials", table));
    for (int64_t i = 0; i < table->count; i++) {
        pen_chosen *const e = &candidates[i];
        const pen_error *failure = NULL;
        for (int64_t t = 0; t < trials->count && !failure; t++) {
            const pen_error *const why = &table->readings[t * table->count + i].failure;
            failure = why->code != PEN_OK && trials->starts[t + 1] > trials->starts[t] ? why : NULL;
        }
        first = first ? first : failure;
        left += !failure;
        if (!failure) {
            summarize(table, i, e);
            continue;
        }
        snprintf(e->failure, sizeof e->failure, "%.*s", (int)sizeof e->failure - 1,
                 failure->message);
        unscored(e);
    }
    return left > 0 ? PEN_OK : pen_fail_as(run, first);
}

/* ---- the choice ---- */

static int64_t best_of(int64_t count, const pen_chosen *candidates)
{
    int64_t best = -1;

    for (int64_t i = 0; i < count; i++)
        if (!isnan(candidates[i].score)
            && (best < 0 || candidates[i].score > candidates[best].score))
            best = i;
    return best;
}

static pen_status set_temperature(pen_run *run, pen_chosen *e, double temperature)
{
    e->temperature = temperature;
    return pen_spec_set_number(e->spec, "temperature", temperature, pen_run_error(run));
}

/* Sets the temperature of the mean of the members' tempered probabilities. */
static pen_status temper_mean(pen_run *run, const pen_trial_table *table, pen_selection *out)
{
    const int64_t c = out->classes;
    const pen_trial_set *const trials = table->trials;
    int64_t *members, count;
    double *mean, *q;
    pen_predictions all;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_members_list(run, out, &members, &count));
    PEN_TRY(PEN_NEW2(run, mean, q, c));
    pen_predictions_open(c, &all);
    for (int64_t i = 0; i < table->held; i++) {
        memset(mean, 0, (size_t)c * sizeof *mean);
        for (int64_t m = 0; m < count; m++) {
            memcpy(q, table->p + (members[m] * table->held + i) * c, (size_t)c * sizeof *q);
            pen_temper(c, out->candidates[members[m]].temperature, q);
            for (int64_t k = 0; k < c; k++)
                mean[k] += q[k] / (double)count;
        }
        pen_predictions_add(&all, mean, pen_largest_share(c, mean),
                            trials->class_of[trials->held[i]], q);
    }
    out->mean_temperature = pen_predictions_temperature(&all, trials->protocol.runs, USUAL);
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status choose(pen_run *run, const pen_trial_table *table, int64_t unlabelled,
                         const pen_control *control, pen_selection *out)
{
    const int32_t **predicted;

    PEN_TRY(PEN_NEW(run, predicted, table->count));
    out->best = best_of(out->count, out->candidates);
    out->margin =
        pen_standard_error(out->candidates[out->best].score, table->trials->classes.labelled);
    for (int64_t i = 0; i < out->count; i++) {
        pen_chosen *const e = &out->candidates[i];
        e->member = e->score >= out->candidates[out->best].score - out->margin;
        predicted[i] = *e->failure ? NULL : table->classes + i * table->held;
        if (!*e->failure)
            PEN_TRY(set_temperature(run, e, e->temperature));
    }
    PEN_TRY(temper_mean(run, table, out));
    PEN_TRY(pen_expect_accuracy(run, table->trials, unlabelled, control, out));
    return pen_chance_test(run, table->trials, table->count, predicted, &out->p_value,
                           &out->predicts);
}

/* ---- the call ---- */

/* The most rows to learn from, times the effort. */
enum { MOST_ROWS = 5000 };

/* Without trials: class scores by the kernel, which did best then. */
static pen_status take_scores(pen_run *run, const char *why, pen_selection *out)
{
    pen_predictions none;

    pen_predictions_open(out->classes, &none);
    out->mean_temperature = pen_predictions_temperature(&none, 1, USUAL);
    out->temperature = pen_predictions_temperature(&none, 1, PEN_USUAL_OF_PROJECTION);
    for (int64_t i = 0; i < out->count; i++) {
        pen_chosen *const e = &out->candidates[i];
        if (strcmp(e->name, PEN_CANDIDATE_WITHOUT_TRIALS) == 0)
            out->best = i;
        unscored(e);
        PEN_TRY(
            set_temperature(run, e,
                            pen_predictions_temperature(
                                &none, 1, pen_usual_temperature(e->spec->common.classifier.kind))));
    }
    out->candidates[out->best].member = 1;
    out->margin = (double)NAN;
    snprintf(out->reason, sizeof out->reason, "%s", why);
    return PEN_OK;
}

static pen_status select_by_trials(pen_run *run, const pen_data *data, double effort,
                                   const int *map, int64_t unlabelled, const pen_control *control,
                                   pen_selection *out)
{
    pen_trial_set trials;
    pen_trial_table table;
    pen_data some;

    PEN_TRY(pen_label_trials_open(run, data, pen_label_trials_rows(effort, data->x.cols), out->seed,
                                  &some, &trials));
    out->folds = trials.protocol.folds;
    out->runs = trials.protocol.runs;
    PEN_TRY(open_table(run, &trials, map, out, &table));
    PEN_TRY(try_all(run, &table, out->candidates));
    return choose(run, &table, unlabelled, control, out);
}

static pen_status count_classes(pen_run *run, const pen_data *data, pen_view *classes,
                                pen_selection *out)
{
    PEN_TRY(pen_rows_label(run, data->labels, data->x.rows, classes));
    PEN_TRY(pen_rows_group(run, data->groups, classes));
    out->classes = classes->classes;
    out->labelled = classes->labelled;
    out->rows = data->x.rows;
    return PEN_OK;
}

/* Takes a sample of many rows. */
static pen_status take_sample(pen_run *run, double effort, uint64_t seed, pen_data *data,
                              pen_view *classes, pen_selection *out)
{
    const int64_t most = pen_effort_limit(effort, MOST_ROWS);
    int64_t *rows, count;

    if (data->x.rows <= most)
        return PEN_OK;
    PEN_TRY(pen_data_sample(run, data, most, seed, &rows, &count));
    PEN_TRY(PEN_KEEP(run, out->sample, count));
    memcpy(out->sample, rows, (size_t)count * sizeof *rows);
    PEN_TRY(pen_data_pick(run, data, count, rows, data));
    return count_classes(run, data, classes, out);
}

/* ---- a method ---- */

/* Labels can be held out, so trials decide. Pairs and rows cannot; their methods come from
 * measurements (docs/evaluation.md). */
enum { MOST_COMPONENTS = 50 };
static const double VARIANCE = 0.95;

struct rule {
    const char *method, *reason;
};
static const struct rule rules_by_links[2][2] = {
    /* [has must-links][has cannot-links] */
    { { "pca", "there are neither labels nor pairs" },
      { "ssdr", "there are cannot-links only, and no labels to hold out" } },
    { { "ssdr", "there are must-links only, and no labels to hold out" },
      { "wbdr", "there are pairs of both kinds, and no labels to hold out" } }
};
static const struct rule rule_for_one_class = {
    "pca", "labels of one class say nothing, and there are no pairs"
};
static const struct rule rule_for_single_labels = {
    "fme", "classes have one label each, too few to hold any out"
};

static pen_status set_components(pen_spec *spec, pen_error *err)
{
    PEN_TRY(pen_spec_set_number(spec, "pca", VARIANCE, err));
    PEN_TRY(pen_spec_set_number(spec, "dim", MOST_COMPONENTS, err));
    return pen_spec_set_number(spec, "allow_fewer", 1, err);
}

/* Sets `pca` for many columns, as in trials: with them, fme can fit any scores. */
static pen_status set_wide(pen_run *run, const pen_data *data, pen_spec *spec)
{
    const char *pca;

    PEN_TRY(pen_plan_components(run, &data->x, data->x.rows, NULL, &pca));
    return pca ? pen_spec_set(spec, "pca", pca, pen_run_error(run)) : PEN_OK;
}

/* Chooses if nothing can be held out. classes: of the labels. */
static pen_status choose_untried(pen_run *run, const pen_data *data, const pen_view *classes,
                                 pen_selection *out)
{
    pen_error *const err = pen_run_error(run);
    const int must = data->must_link_count > 0, cannot = data->cannot_link_count > 0,
              single = classes->classes > 1 && !must && !cannot,
              one_class = classes->classes == 1 && !must && !cannot;
    const struct rule *const rule = single      ? &rule_for_single_labels
                                    : one_class ? &rule_for_one_class
                                                : &rules_by_links[must][cannot];

    snprintf(out->reason, sizeof out->reason, "%s", rule->reason);
    PEN_TRY(pen_spec_new(rule->method, &out->spec, err));
    if (!must && !cannot && !single)
        PEN_TRY(set_components(out->spec, err));
    return single ? set_wide(run, data, out->spec) : PEN_OK;
}

/* Takes the recommended method, tuned. */
static pen_status take_recommended(pen_run *run, const pen_comparison *found, pen_selection *out)
{
    PEN_TRY(PEN_KEEP(run, out->candidates, found->count));
    out->count = found->count;
    out->best = found->chosen;
    for (int64_t i = 0; i < found->count; i++) {
        const pen_compared *const from = &found->candidates[i];
        pen_chosen *const to = &out->candidates[i];
        memcpy(to->name, from->name, sizeof to->name);
        memcpy(to->failure, from->failure, sizeof to->failure);
        to->accuracy = to->score = from->score;
        to->brier = from->brier;
        to->log_loss = from->log_loss;
        to->member = i < found->alike;
    }
    out->folds = found->folds;
    out->runs = found->runs;
    out->accuracy = found->candidates[found->chosen].score;
    out->margin = out->error = found->margin;
    out->chance = found->chance;
    out->p_value = found->p_value;
    out->predicts = found->predicts;
    return pen_spec_copy(found->candidates[found->chosen].spec, &out->spec, pen_run_error(run));
}

static pen_status compare_methods(pen_run *run, const pen_spec *spec, const pen_data *data,
                                  const pen_control *control, pen_selection *out)
{
    const pen_auto *const own = spec->own;
    const pen_trials trials = { .seed = out->seed, .effort = own->effort };
    pen_comparison *found;

    PEN_TRY(
        pen_compare_all(&spec->common.pairs, data, &trials, control, &found, pen_run_error(run)));
    const pen_status status = take_recommended(run, found, out);
    pen_comparison_free(found);
    return status;
}

/* Chooses a method for pairs, or without labels of two classes. */
static pen_status choose_method(pen_run *run, const pen_spec *spec, const pen_data *data,
                                const pen_view *classes, const pen_control *control,
                                pen_selection *out)
{
    const int tried = pen_trials_possible(classes);
    char steps[PEN_PARAM_SIZE];
    pen_error *const err = pen_run_error(run);

    pen_spec_get(spec, "row_steps", steps, sizeof steps);
    PEN_REQUIRE(run, !tried || !*steps, PEN_BAD_ARGUMENT,
                "row_steps does not apply to labels with pairs, for which methods are compared: "
                "name a method");
    PEN_TRY(tried ? compare_methods(run, spec, data, control, out)
                  : choose_untried(run, data, classes, out));
    if (out->spec->method->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS)) {
        out->spec->common.pairs = spec->common.pairs;
        out->spec->common.seed = spec->common.seed;
    }
    if (*steps)
        PEN_TRY(pen_spec_set(out->spec, "row_steps", steps, err));
    if (spec->common.dim == 0)
        return PEN_OK;
    PEN_TRY(pen_spec_set_number(out->spec, "dim", (double)spec->common.dim, err));
    return pen_spec_set_number(out->spec, "allow_fewer", 0, err);
}

/* Parameters of an ensemble need labels without pairs. */
static pen_status check_wanted(pen_run *run, const pen_spec *spec, const pen_data *data,
                               const pen_selection *s)
{
    const pen_auto *const own = spec->own;
    const enum pen_classifier_kind kind = spec->common.classifier.kind;
    const int named = kind != PEN_CLASSIFIER_AUTO;

    PEN_REQUIRE(run, !named || (kind >= PEN_CLASSIFIER_NEAREST && kind <= PEN_CLASSIFIER_LOGISTIC),
                PEN_BAD_ARGUMENT, "the classifier of auto must be one of %s to %s, got %s",
                pen_classifier_names[PEN_CLASSIFIER_NEAREST],
                pen_classifier_names[PEN_CLASSIFIER_LOGISTIC], pen_classifier_names[kind]);
    PEN_REQUIRE(run, (!own->ensemble && !named) || (s->classes > 1 && !pen_has_pairs(spec, data)),
                s->labelled == 0  ? PEN_NO_LABELS
                : s->classes == 1 ? PEN_ONE_CLASS
                                  : PEN_BAD_ARGUMENT,
                "%s applies to labels of at least 2 classes without pairs, got %lld labelled rows "
                "of %lld classes",
                own->ensemble ? "ensemble" : "classifier", (long long)s->labelled,
                (long long)s->classes);
    return PEN_OK;
}

static pen_status select_best(pen_run *run, const pen_spec *spec, const pen_data *given,
                              const pen_control *control, pen_selection **out)
{
    const pen_auto *const own = spec->own;
    int map[PEN_MOST_CANDIDATES];
    pen_view classes = { .n = 0 };
    pen_data data;
    int64_t most;

    PEN_TRY(pen_check_trial_data(run, given));
    PEN_TRY(PEN_KEEP(run, *out, 1));
    pen_selection *const s = *out;
    data = *given;
    s->seed = (uint64_t)spec->common.seed;
    PEN_TRY(count_classes(run, &data, &classes, s));
    PEN_TRY(check_wanted(run, spec, &data, s));
    const int64_t unlabelled = s->rows - s->labelled;
    s->accuracy = s->error = s->p_value = s->margin = (double)NAN;
    s->predicts = 1;
    if (classes.classes < 2 || pen_has_pairs(spec, &data))
        return choose_method(run, spec, &data, &classes, control, s);
    s->chance = (double)pen_class_largest(&classes) / (double)classes.labelled;
    PEN_TRY(take_sample(run, own->effort, s->seed, &data, &classes, s));
    PEN_TRY(pen_folds_most(run, &classes, &most));
    const int tried = most >= PEN_LEAST_LABELS && own->effort > 0;
    PEN_TRY(PEN_KEEP(run, s->candidates, PEN_MOST_CANDIDATES));
    PEN_TRY(pen_candidates_make(run, &data, tried ? s->classes : 0, spec, s->candidates, map,
                                &s->count));
    if (tried)
        return select_by_trials(run, &data, own->effort, map, unlabelled, control, s);
    return take_scores(run,
                       own->effort > 0
                           ? classes.group
                                 ? "no class has labels in three groups, too few to hold any out"
                                 : "no class has three labels, too few to hold any out"
                           : "effort is 0",
                       s);
}

pen_status pen_select(const pen_spec *spec, const pen_data *data, const pen_control *control,
                      pen_selection **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_selection_free, select_best(run, spec, data, control, out));
}
