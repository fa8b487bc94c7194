/* compare_passes.c - plans a comparison from the costs of the methods and a budget, and runs its
 * two passes: specs as given, then tuned within each trial on the rows not held out. */
#include "eval/choose/compare_passes.h"

#include "core/folds.h"
#include "eval/choose/grid.h"
#include "eval/measures/summary.h"
#include "eval/trials/task_pool.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the plan ---- */

enum { INNER_FOLDS = 3 };

/* The part of the budget that the classifiers of the baseline may take. */
static const double BASELINE = 0.1;

pen_status pen_comparing_inner_folds(pen_run *run, const pen_trial_set *trials, int64_t *folds)
{
    *folds = INNER_FOLDS;
    for (int64_t t = 0; t < trials->count; t++) {
        pen_view known = { .n = 0 };
        int64_t most;
        pen_trial c;
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(pen_trial_open(run, trials, t, &c));
        PEN_TRY(pen_rows_label(run, c.data.labels, c.data.x.rows, &known));
        PEN_TRY(pen_rows_group(run, c.data.groups, &known));
        PEN_TRY(pen_folds_most(run, &known, &most));
        *folds = pen_min(*folds, most);
        pen_release(run, mark);
    }
    *folds = *folds < 2 ? 0 : *folds;
    return PEN_OK;
}

/* Plans the baseline first: always with lda, and with other classifiers up to a tenth of the
 * budget. Returns the cost. */
static double plan_baseline(pen_comparing *k, const pen_costs *costs, double budget,
                            int64_t classified)
{
    static const enum pen_classifier_kind kinds[] = { PEN_CLASSIFIER_LDA, PEN_CLASSIFIER_NEAREST,
                                                      PEN_CLASSIFIER_LOGISTIC };
    const pen_shared_fit *const fit = &k->list.fits[0];
    const double trials = (double)k->trials->count;
    double trial = pen_costs_trial(costs, fit->spec);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const double more = pen_costs_classifier(costs, fit->spec, kinds[i], classified);
        int64_t c = fit->first;
        while (k->list.pairs[c].classifier != kinds[i])
            c++;
        const int tried = i == 0 || (trial + more) * trials <= BASELINE * budget;
        k->out->candidates[c].tried = tried ? PEN_TRIED : PEN_LEFT_OUT;
        trial += tried ? more : 0;
    }
    k->shares[0] = (pen_share){ .trial = trial, .grid = 1, .tried = 1 };
    k->order[0] = 0;
    return trial * trials;
}

static double cost_of_trial(const pen_comparing *k, const pen_costs *costs, int64_t f,
                            int64_t classified)
{
    const pen_shared_fit *const fit = &k->list.fits[f];
    double cost = pen_costs_trial(costs, fit->spec);

    for (int64_t c = fit->first; c < fit->first + fit->count; c++)
        cost += pen_costs_classifier(costs, fit->spec, k->list.pairs[c].classifier, classified);
    return cost;
}

enum { MOST_COMBINATIONS = 24 };

/* The number of combinations to try for a fit: all that the caller gave, or the most useful ones,
 * more with a larger budget. */
static pen_status combinations_of(pen_run *run, const pen_comparing *k, int64_t f, int64_t *count)
{
    const double most = MOST_COMBINATIONS * fmax(k->effort, 1);
    const pen_mark_t mark = pen_mark(run);
    pen_grid grid;

    PEN_TRY(pen_grid_open(run, k->list.fits[f].spec, &grid));
    *count = k->list.fits[f].has_grid || (double)grid.size <= most ? grid.size : (int64_t)most;
    pen_release(run, mark);
    return PEN_OK;
}

/* Methods share the rest of the budget after the baseline. */
static pen_status plan_methods(pen_run *run, pen_comparing *k, const pen_costs *costs,
                               double budget, int64_t classified)
{
    const int64_t count = k->list.fit_count - 1, inner = k->inner.folds;

    for (int64_t f = 1; f <= count; f++) {
        k->shares[f] = (pen_share){ .trial = cost_of_trial(k, costs, f, classified) };
        PEN_TRY(combinations_of(run, k, f, &k->shares[f].grid));
    }
    pen_plan_shares(fmax(budget, 0), k->effort > 0 ? inner : 0, count, k->shares + 1, k->order + 1,
                    &k->trials->count);
    for (int64_t f = 1; f <= count; f++)
        if (k->list.fits[f].has_grid) {
            k->shares[f].tried = 1;
            k->shares[f].combinations = inner > 0 ? k->shares[f].grid : 0;
        }
    k->listed = 1;
    for (int64_t i = 1; i <= count; i++) { /* left-out methods may come between */
        const int64_t f = ++k->order[i];   /* the baseline comes first */
        const pen_shared_fit *const fit = &k->list.fits[f];
        if (k->shares[f].tried)
            k->order[k->listed++] = f;
        for (int64_t c = fit->first; c < fit->first + fit->count; c++)
            k->out->candidates[c].tried = k->shares[f].tried ? PEN_TRIED : PEN_LEFT_OUT;
    }
    return PEN_OK;
}

pen_status pen_comparing_plan(pen_run *run, pen_comparing *k)
{
    const pen_protocol *const p = &k->trials->protocol;
    const double unit = PEN_COMPARE_BUDGET * (k->effort > 0 ? k->effort : 1);
    const double budget =
        k->effort == 0 && k->list.fits[k->list.fit_count - 1].named ? (double)INFINITY : unit;
    const int64_t classified = k->trials->classes.labelled / p->folds + k->trials->stability_count;
    pen_costs costs;

    PEN_TRY(PEN_NEW2(run, k->shares, k->order, k->list.fit_count));
    PEN_TRY(pen_costs_open(run, k->trials->data, &costs));
    costs.shared = !p->inductive;
    const double rest = budget - plan_baseline(k, &costs, budget, classified);
    PEN_TRY(plan_methods(run, k, &costs, rest, classified));
    for (int64_t c = 0; c < k->list.count; c++) {
        const pen_share *const share = &k->shares[k->list.pairs[c].fit];
        k->out->candidates[c].cost = share->trial * (double)k->trials->count / unit;
        k->out->candidates[c].grid = share->grid;
    }
    return PEN_OK;
}

/* ---- results of the passes ---- */

static const pen_trial_reading *reading(const pen_comparing *k, int pass, int64_t candidate,
                                        int64_t trial)
{
    return k->passes[pass].readings + trial * k->list.count + candidate;
}

/* The pass that counts for a candidate. */
static int pass_of(const pen_compared *e)
{
    return e->is_tuned ? PEN_TUNED : PEN_UNTUNED;
}

const pen_trial_reading *pen_comparing_found(const pen_comparing *k, const pen_compared *e,
                                             int64_t trial)
{
    return reading(k, pass_of(e), e->order, trial);
}

double pen_comparing_temperature(const pen_comparing *k, const pen_compared *e)
{
    const pen_classifier_params classifier = pen_compared_classifier(&k->list, e->order);
    const pen_predictions sum = pen_trials_sum(&k->passes[pass_of(e)], e->order);

    return pen_trials_temperature(k->trials, &classifier, &sum);
}

/* Notes accuracies in the method's own dimensions, which are the last requested, or in the
 * dimensions from tuning. */
static void note_accuracies(const pen_comparing *k, pen_compared *e)
{
    for (int64_t t = 0; t < k->trials->count; t++) {
        const pen_trial_reading *const r = pen_comparing_found(k, e, t);
        e->trials[t] = r->accuracy[e->is_tuned ? 0 : r->dim_count - 1];
    }
    pen_summarize(e->trials, 1, k->trials->count, &e->score, &e->deviation);
}

/* ---- specs as given ---- */

/* Fits for each number of dimensions take long, so they are made only on request. Scores use all
 * dimensions, and all dimensions of a baseline are the columns. */
static int has_curve(const pen_comparing *k, int64_t candidate)
{
    const pen_compared_pair *const pair = &k->list.pairs[candidate];
    const pen_shared_fit *const fit = &k->list.fits[pair->fit];
    const int unnested = (fit->spec->method->traits & PEN_UNNESTED) != 0;

    return !fit->baseline && fit->spec->common.dim == 0
           && (unnested ? k->asked : pair->classifier != PEN_CLASSIFIER_SCORES);
}

/* Requests all dimensions of a curve at once, and requested dimensions in separate fits, which give
 * no other dimensions. */
static void ask(pen_comparing *k, int64_t c)
{
    const pen_spec *const spec = k->list.fits[k->list.pairs[c].fit].spec;
    const pen_classifier_params classifier = pen_compared_classifier(&k->list, c);
    const int curved = has_curve(k, c);

    if (k->out->candidates[c].tried != PEN_TRIED)
        return;
    if (curved && !k->asked)
        pen_trial_table_ask(&k->passes[PEN_UNTUNED], c, classifier, k->dim_count + 1, k->dims, 0);
    else
        pen_trial_table_ask(&k->passes[PEN_UNTUNED], c, classifier, 1, &spec->common.dim,
                            spec->common.allow_fewer);
    if (curved && k->asked)
        pen_trial_table_ask(&k->passes[PEN_CURVES], c, classifier, k->dim_count, k->dims, 0);
}

static void fail(pen_compared *e, pen_status code, const char *why)
{
    e->code = code;
    snprintf(e->failure, sizeof e->failure, "%.*s", (int)sizeof e->failure - 1, why);
}

static void note_curve(const pen_comparing *k, int64_t c)
{
    const int64_t trials = k->trials->count;
    pen_compared *const e = &k->out->candidates[c];
    double deviation;

    if (!has_curve(k, c))
        return;
    for (int64_t t = 0; t < trials; t++)
        memcpy(e->curve_trials + t * k->dim_count,
               reading(k, k->asked ? PEN_CURVES : PEN_UNTUNED, c, t)->accuracy,
               (size_t)k->dim_count * sizeof *e->curve);
    for (int64_t i = 0; i < k->dim_count; i++)
        pen_summarize(e->curve_trials + i, k->dim_count, trials, &e->curve[i], &deviation);
}

static void note_untuned(const pen_comparing *k, int64_t c)
{
    pen_compared *const e = &k->out->candidates[c];

    if (e->tried == PEN_LEFT_OUT) {
        fail(e, PEN_BAD_DATA, "its trials cost too much for the effort");
        return;
    }
    if (reading(k, PEN_UNTUNED, c, 0)->failure.code == PEN_CANCELLED)
        e->tried = PEN_NOT_REACHED;
    for (int64_t t = 0; t < k->trials->count; t++) {
        const pen_trial_reading *const r = reading(k, PEN_UNTUNED, c, t);
        e->seconds += r->seconds + (k->asked ? reading(k, PEN_CURVES, c, t)->seconds : 0);
        if (!*e->failure && r->failure.code != PEN_OK)
            fail(e, r->failure.code, r->failure.message);
    }
    if (*e->failure)
        return;
    note_accuracies(k, e);
    e->untuned = e->score;
    e->dim = pen_trials_least_given(&k->passes[PEN_UNTUNED], c);
    note_curve(k, c);
}

/* Trials run in rounds. Only rounds that every method completed count; methods without a completed
 * trial are ignored. */
static pen_status count_rounds(pen_run *run, pen_comparing *k)
{
    int64_t rounds = k->trials->count, tried = 0;

    for (int64_t i = 0; i < k->listed; i++) {
        const pen_shared_fit *const fit = &k->list.fits[k->order[i]];
        int64_t t = 0;
        while (t < k->trials->count
               && reading(k, PEN_UNTUNED, fit->first, t)->failure.code != PEN_CANCELLED)
            t++;
        tried += t > 0 && !fit->baseline;
        rounds = t > 0 ? pen_min(rounds, t) : rounds;
    }
    PEN_REQUIRE(run, tried > 0, PEN_CANCELLED, "cancelled");
    k->trials->count = rounds;
    return PEN_OK;
}

pen_status pen_comparing_try_untuned(pen_run *run, pen_comparing *k)
{
    const unsigned wanted = PEN_WANT_ANSWERS | PEN_WANT_CLASSES | PEN_WANT_SAMPLED | PEN_WANT_BINS;
    const int64_t count = k->list.count;

    PEN_TRY(pen_trial_table_open(run, k->trials, count, k->asked ? 1 : k->dim_count + 1, wanted,
                                 &k->passes[PEN_UNTUNED]));
    PEN_TRY(pen_trial_table_open(run, k->trials, count, 1, wanted, &k->passes[PEN_TUNED]));
    PEN_TRY(pen_trial_table_open(run, k->trials, k->asked ? count : 0, k->dim_count, 0,
                                 &k->passes[PEN_CURVES]));
    for (int64_t c = 0; c < count; c++)
        ask(k, c);
    for (int64_t i = 0; i < k->listed; i++) {
        const pen_shared_fit *const fit = &k->list.fits[k->order[i]];
        pen_trial_table_fit(&k->passes[PEN_UNTUNED], fit->spec, fit->first, fit->count);
        if (k->asked)
            pen_trial_table_fit(&k->passes[PEN_CURVES], fit->spec, fit->first, fit->count);
    }
    pen_status status = pen_trials_try(run, "trials", &k->passes[PEN_UNTUNED]);
    if (status == PEN_OK && k->asked)
        status = pen_trials_try(run, "dimensions", &k->passes[PEN_CURVES]);
    k->stopped = status == PEN_CANCELLED;
    if (!k->stopped)
        PEN_TRY(status);
    PEN_TRY(count_rounds(run, k));
    for (int64_t c = 0; c < count; c++)
        note_untuned(k, c);
    return PEN_OK;
}

/* ---- tuned ---- */

/* Takes the data with all labels, or with as many as a trial keeps. */
static pen_status take_all(pen_run *run, const pen_trial_set *trials, pen_data *out)
{
    pen_label_sample keep = trials->protocol.labels;
    int32_t *labels;

    *out = *trials->data;
    out->labels = trials->labels;
    if (keep.per_class == 0 && keep.percent == 0)
        return PEN_OK;
    keep.seed = trials->protocol.seed;
    PEN_TRY(PEN_NEW(run, labels, out->x.rows));
    out->labels = labels;
    return pen_labels_draw(run, trials->labels, out->x.rows, trials->order, &keep, labels);
}

static void free_found(int64_t count, pen_tuning **found)
{
    for (int64_t q = 0; q < count; q++)
        pen_tuning_free(found[q]);
}

/* Tunes over the planned combinations, for each classifier of the fit. PEN_CANCELLED: stopped
 * before all were tried. */
static pen_status tune_all(pen_run *run, const pen_comparing *k, const pen_data *data, int64_t f,
                           pen_tuning ***out)
{
    const pen_shared_fit *const fit = &k->list.fits[f];
    enum pen_classifier_kind *kinds;
    pen_tuning **found;

    PEN_TRY(PEN_NEW2(run, kinds, found, fit->count));
    for (int64_t q = 0; q < fit->count; q++)
        kinds[q] = k->list.pairs[fit->first + q].classifier;
    PEN_TRY(pen_tune_classifiers(run, data, &k->inner, fit->spec, fit->count, kinds,
                                 k->shares[f].combinations, found));
    *out = found;
    if (found[0]->count == k->shares[f].combinations)
        return PEN_OK;
    free_found(fit->count, found);
    return pen_fail(run, PEN_CANCELLED, "cancelled");
}

/* The fit and the trial of a piece: by fit, cheapest first, so that a stopped call has tuned some
 * methods completely rather than all methods in part. The trial after the last one tunes on all
 * labelled rows. */
static int64_t fit_of(const pen_comparing *k, int64_t piece, int64_t *trial)
{
    *trial = piece % (k->trials->count + 1);
    return k->order[piece / (k->trials->count + 1)];
}

/* Classifiers with the same best combination share a fit, each in its own dimensions. If the
 * combination fails in the trial, these classifiers fail. */
static pen_status read_tuned(pen_run *run, const pen_comparing *k, const pen_trial *c,
                             const pen_shared_fit *fit, int64_t trial, pen_tuning **found,
                             const pen_control *control)
{
    const pen_trial_table *const table = &k->passes[PEN_TUNED];
    pen_trial_reading *const own = table->readings + trial * table->count + fit->first;

    for (int64_t q = 0; q < fit->count; q++) {
        const pen_candidate *const best = &found[q]->candidates[0];
        if (isnan(best->score) || own[q].dims)
            continue;
        for (int64_t o = q; o < fit->count; o++) {
            const pen_candidate *const other = &found[o]->candidates[0];
            own[o].dim_count = !isnan(other->score) && other->order == best->order;
            if (own[o].dim_count == 0)
                continue;
            own[o].classifier = other->spec->common.classifier;
            own[o].classifier.kind = k->list.pairs[fit->first + o].classifier;
            own[o].dims = &other->spec->common.dim;
            own[o].fewer = other->spec->common.allow_fewer;
        }
        PEN_TRY(pen_trial_read(run, c, best->spec, fit->count - q, own + q, control));
    }
    return PEN_OK;
}

static pen_status tune_one(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const pen_comparing *k = context;
    int64_t trial;
    const int64_t f = fit_of(k, piece, &trial);
    const pen_shared_fit *const fit = &k->list.fits[f];
    pen_tuning **found;
    pen_data all;
    pen_trial c;

    if (k->shares[f].combinations == 0)
        return PEN_OK;
    if (trial == k->trials->count) {
        PEN_TRY(take_all(run, k->trials, &all));
        PEN_TRY(tune_all(run, k, &all, f, &found));
        for (int64_t q = 0; q < fit->count; q++)
            k->out->candidates[fit->first + q].found = found[q];
        return PEN_OK;
    }
    PEN_TRY(pen_trial_open(run, k->trials, trial, &c));
    PEN_TRY(tune_all(run, k, &c.data, f, &found));
    const pen_status status = read_tuned(run, k, &c, fit, trial, found, control);
    free_found(fit->count, found);
    return status;
}

/* The fraction of the stability sample classified alike in two trials, averaged over all pairs of
 * trials; NaN if the sample is empty or a trial has no predictions. */
static double stability_of(const pen_comparing *k, const pen_compared *e)
{
    const int64_t stability_count = k->trials->stability_count, count = k->trials->count;
    int64_t same = 0;

    for (int64_t t = 0; stability_count > 0 && t < count; t++)
        if (pen_comparing_found(k, e, t)->sampled[0] < 0)
            return (double)NAN;
    for (int64_t t = 1; t < count; t++)
        for (int64_t u = 0; u < t; u++) {
            const int32_t *const a = pen_comparing_found(k, e, t)->sampled,
                                 *const b = pen_comparing_found(k, e, u)->sampled;
            for (int64_t i = 0; i < stability_count; i++)
                same += a[i] == b[i];
        }
    return stability_count > 0 && count > 1
               ? (double)same / ((double)stability_count * (double)count * (double)(count - 1) / 2)
               : (double)NAN;
}

/* Was the candidate tuned in all trials, and on all labelled rows, where a combination works? */
static int tuned_everywhere(const pen_comparing *k, const pen_compared *e)
{
    int done = e->found && !isnan(e->found->candidates[0].score);

    for (int64_t t = 0; t < k->trials->count; t++)
        done &= reading(k, PEN_TUNED, e->order, t)->failure.code == PEN_OK;
    return done;
}

static void note_losses(const pen_comparing *k, pen_compared *e)
{
    const double temperature = pen_comparing_temperature(k, e), count = (double)k->trials->count;
    double aside = 0;

    e->log_loss = e->brier = 0;
    for (int64_t t = 0; t < k->trials->count; t++) {
        const pen_trial_reading *const r = pen_comparing_found(k, e, t);
        e->log_loss += pen_predictions_log_loss(&r->answer, temperature) / count;
        e->brier += pen_predictions_brier(&r->answer, temperature) / count;
        aside += r->dropped;
    }
    e->aside = aside / count;
}

/* A candidate is scored with its given spec, if that works, when a piece of its tuning failed or
 * did not run, or tuning made it worse. A candidate that works only with other parameters has not
 * failed. */
static void note_tuned(const pen_comparing *k, pen_compared *e)
{
    if (tuned_everywhere(k, e)) {
        *e->failure = '\0';
        e->combinations = k->shares[k->list.pairs[e->order].fit].combinations;
        e->is_tuned = 1;
        k->out->tuned++;
        note_accuracies(k, e);
        e->is_tuned = isnan(e->untuned) || e->score >= e->untuned - PEN_SAME_SCORE;
    }
    if (*e->failure)
        return;
    if (e->is_tuned)
        e->dim = e->found->candidates[0].dim;
    note_accuracies(k, e);
    e->stability = stability_of(k, e);
    note_losses(k, e);
}

/* Candidates with the same predictions for all held-out rows name the first such candidate in the
 * list. */
static void note_same_answers(const pen_comparing *k)
{
    const size_t size = (size_t)k->trials->starts[k->trials->count] * sizeof(int32_t);
    pen_compared *const all = k->out->candidates;

    for (int64_t c = 0; c < k->list.count; c++)
        for (int64_t o = 0; o <= c && !all[c].same_as && !*all[c].failure; o++)
            if (!*all[o].failure
                && memcmp(pen_comparing_found(k, &all[c], 0)->classes,
                          pen_comparing_found(k, &all[o], 0)->classes, size)
                       == 0)
                all[c].same_as = all[o].name;
}

pen_status pen_comparing_tune(pen_run *run, pen_comparing *k)
{
    const pen_task_pool tasks = { "tuning methods", pen_times(k->listed, k->trials->count + 1),
                                  tune_one, k };
    pen_compared *const all = k->out->candidates;
    pen_error *why;

    PEN_TRY(PEN_NEW(run, why, tasks.pieces));
    const pen_status status = k->stopped ? PEN_CANCELLED : pen_tasks_run(run, &tasks, why);
    k->stopped = status == PEN_CANCELLED;
    if (!k->stopped)
        PEN_TRY(status);
    for (int64_t c = 0; c < k->list.count; c++)
        if (all[c].tried == PEN_TRIED)
            note_tuned(k, &all[c]);
    note_same_answers(k);
    for (int64_t c = 0; c < k->list.count; c++)
        if (!*all[c].failure && !k->list.fits[k->list.pairs[c].fit].baseline)
            return PEN_OK; /* the result counts, even if stopped */
    PEN_REQUIRE(run, !k->stopped, PEN_CANCELLED, "cancelled");
    const pen_compared *const first = &all[k->list.fits[k->order[1]].first];
    if (k->list.fit_count == 2)
        return pen_fail(run, first->code, "%s", first->failure);
    return pen_fail(run, PEN_BAD_DATA, "no method works on these data; %s: %s", first->method->name,
                    first->failure);
}
