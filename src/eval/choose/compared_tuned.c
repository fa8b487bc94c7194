/* compared_tuned.c - the second pass of a comparison: tuning within each trial, on the rows that
 * are not held out. */
#include "eval/choose/compare_passes.h"
#include "eval/trials/embedding.h"
#include "eval/measures/summary.h"
#include "eval/trials/task_pool.h"
#include "eval/trials/sample_rows.h"
#include "model/spec.h"

#include <math.h>
#include <string.h>

/* The data with all labels, or those that a trial would keep of them. */
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

/* Tune over the planned combinations, for each classifier of the fit; PEN_CANCELLED: stopped before
 * all were tried. */
static pen_status tune_all(pen_run *run, const pen_comparing *k, const pen_data *data, int64_t f,
                           pen_tuning ***out)
{
    const pen_shared_fit *const fit = &k->list.fits[f];
    enum pen_classifier_kind *kinds;
    pen_tuning **found;

    PEN_TRY(PEN_NEW2(run, kinds, found, fit->count));
    for (int64_t q = 0; q < fit->count; q++)
        kinds[q] = k->list.pairs[fit->first + q].classifier;
    PEN_TRY(pen_tune_classifiers(run, data, k->inner, fit->spec, fit->count, kinds,
                                 k->shares[f].combinations, found));
    *out = found;
    if (found[0]->count == k->shares[f].combinations)
        return PEN_OK;
    free_found(fit->count, found);
    return pen_fail(run, PEN_CANCELLED, "cancelled");
}

/* The fit and the trial of a piece: by fit, cheapest first, so that in a call that is stopped some
 * methods are tuned completely rather than all of them in part. The trial after the last one tunes
 * on all labelled rows. */
static int64_t fit_of(const pen_comparing *k, int64_t piece, int64_t *trial)
{
    *trial = piece % (k->trials->count + 1);
    return k->order[piece / (k->trials->count + 1)];
}

/* Classifiers that found the same combination share a fit, each in its own dimensions. Read those
 * from q on that have the combination of q, and not a classifier before it. */
static pen_status read_group(pen_run *run, const pen_comparing *k, const pen_trial *c,
                             const pen_shared_fit *fit, int64_t trial, pen_tuning **found,
                             int64_t q, const pen_control *control)
{
    const pen_candidate *const best = &found[q]->candidates[0];
    pen_trial_reading *const own = pen_comparing_reading(k, 1, fit->first, trial), *readings;

    PEN_TRY(PEN_NEW(run, readings, fit->count));
    for (int64_t o = 0; o < fit->count; o++) {
        const pen_candidate *const other = &found[o]->candidates[0];
        readings[o] = own[o];
        readings[o].dim_count = o >= q && !isnan(other->score) && other->order == best->order;
        readings[o].classifier = other->spec->common.classifier;
        readings[o].classifier.kind = own[o].classifier.kind;
        readings[o].dims = &other->spec->common.dim;
        readings[o].fewer = other->spec->common.allow_fewer;
        readings[o].accuracy = k->candidates[fit->first + o].trials + trial;
    }
    const pen_status status = pen_trial_read(run, c, best->spec, fit->count, readings, control);
    for (int64_t o = 0; o < fit->count; o++) {
        if (readings[o].dim_count == 0)
            continue;
        own[o] = readings[o];
        own[o].failure.code = status == PEN_OK ? own[o].failure.code : status;
    }
    return status;
}

/* A combination that fails in the trial is a failure of the classifiers that found it. */
static pen_status read_tuned(pen_run *run, const pen_comparing *k, const pen_trial *c,
                             const pen_shared_fit *fit, int64_t trial, pen_tuning **found,
                             const pen_control *control)
{
    for (int64_t q = 0; q < fit->count; q++) {
        const pen_candidate *const best = &found[q]->candidates[0];
        int64_t before = 0;
        while (before < q
               && (isnan(found[before]->candidates[0].score)
                   || found[before]->candidates[0].order != best->order))
            before++;
        if (isnan(best->score) || before < q)
            continue;
        const pen_status status = read_group(run, k, c, fit, trial, found, q, control);
        if (pen_ends_call(status))
            return status;
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
            k->candidates[fit->first + q].found = found[q];
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
static double stability_of(const pen_comparing *k, int64_t candidate)
{
    const int64_t stability_count = k->trials->stability_count, count = k->trials->count;
    int64_t same = 0;

    for (int64_t t = 0; stability_count > 0 && t < count; t++)
        if (pen_comparing_found(k, candidate, t)->predicted[0] < 0)
            return (double)NAN;
    for (int64_t t = 1; t < count; t++)
        for (int64_t u = 0; u < t; u++) {
            const int32_t *const a = pen_comparing_found(k, candidate, t)->predicted,
                                 *const b = pen_comparing_found(k, candidate, u)->predicted;
            for (int64_t i = 0; i < stability_count; i++)
                same += a[i] == b[i];
        }
    return stability_count > 0 && count > 1
               ? (double)same / ((double)stability_count * (double)count * (double)(count - 1) / 2)
               : (double)NAN;
}

/* Was the candidate tuned in all trials, and on all labelled rows, where a combination works? */
static int tuned_everywhere(const pen_comparing *k, int64_t candidate)
{
    const pen_tuning *const found = k->candidates[candidate].found;
    int done = found && !isnan(found->candidates[0].score);

    for (int64_t t = 0; t < k->trials->count; t++)
        done &= pen_comparing_reading(k, 1, candidate, t)->failure.code == PEN_OK;
    return done;
}

static void note_losses(const pen_comparing *k, int64_t candidate)
{
    pen_compared *const e = &k->candidates[candidate];
    const double temperature = pen_comparing_temperature(k, candidate),
                 count = (double)k->trials->count;
    double aside = 0;

    e->log_loss = e->brier = 0;
    for (int64_t t = 0; t < k->trials->count; t++) {
        const pen_trial_reading *const r = pen_comparing_found(k, candidate, t);
        e->log_loss += pen_predictions_log_loss(&r->answer, temperature) / count;
        e->brier += pen_predictions_brier(&r->answer, temperature) / count;
        aside += r->dropped;
    }
    e->aside = aside / count;
}

/* A candidate with a piece that failed or did not run is scored with default parameters, if these
 * work, and so is one that tuning made worse. One that works only with other parameters has not
 * failed. */
static void note_tuned(pen_comparing *k, int64_t c)
{
    const int64_t f = k->list.pairs[c].fit;
    pen_compared *const e = &k->candidates[c];
    const int tuned = k->shares[f].combinations > 0 && tuned_everywhere(k, c);
    double mean, deviation;

    pen_summarize(e->trials, 1, k->trials->count, &mean, &deviation);
    k->is_tuned[c] = (char)tuned;
    e->combinations = tuned ? k->shares[f].combinations : 0;
    k->tuned += tuned;
    if (tuned)
        *e->failure = '\0';
    if (tuned && !isnan(e->untuned) && mean < e->untuned - PEN_SAME_SCORE)
        k->is_tuned[c] = 0;
    if (k->is_tuned[c])
        e->dim = e->found->candidates[0].dim;
    if (*e->failure)
        return;
    for (int64_t t = 0; !k->is_tuned[c] && t < k->trials->count; t++)
        e->trials[t] = pen_comparing_curve(k, c, t)[k->dim_count];
    pen_summarize(e->trials, 1, k->trials->count, &e->score, &e->deviation);
    e->stability = stability_of(k, c);
    note_losses(k, c);
}

/* Candidates with the same answers for all held-out rows name the first of them in the list. */
static void note_same_answers(const pen_comparing *k)
{
    const size_t size = (size_t)k->starts[k->trials->count] * sizeof(int32_t);

    for (int64_t c = 0; c < k->count; c++) {
        pen_compared *const e = &k->candidates[c];
        for (int64_t o = 0; o <= c && !e->same_as && !*e->failure; o++)
            if (!*k->candidates[o].failure
                && memcmp(pen_comparing_found(k, c, 0)->told, pen_comparing_found(k, o, 0)->told,
                          size)
                       == 0)
                e->same_as = k->candidates[o].name;
    }
}

pen_status pen_comparing_tune(pen_run *run, pen_comparing *k)
{
    const pen_task_pool tasks = { "tuning methods", pen_times(k->listed, k->trials->count + 1),
                                  tune_one, k };
    pen_error *why;

    PEN_TRY(PEN_NEW(run, why, tasks.pieces));
    int any = 0;
    for (int64_t f = 0; f < k->list.fit_count; f++)
        any |= k->shares[f].combinations > 0;
    const pen_status status = k->stopped ? PEN_CANCELLED
                              : any      ? pen_tasks_run(run, &tasks, why)
                                         : PEN_OK;
    k->stopped = status == PEN_CANCELLED;
    if (status != PEN_CANCELLED)
        PEN_TRY(status);
    for (int64_t c = 0; c < k->count; c++)
        if (k->is_tried[c])
            note_tuned(k, c);
    note_same_answers(k);
    for (int64_t c = 0; c < k->count; c++)
        if (!*k->candidates[c].failure && !k->list.fits[k->list.pairs[c].fit].baseline)
            return PEN_OK; /* there is a result, even if stopped */
    PEN_REQUIRE(run, status != PEN_CANCELLED, PEN_CANCELLED, "cancelled");
    const pen_compared *const first = &k->candidates[k->list.fits[k->order[1]].first];
    if (k->list.fit_count == 2)
        return pen_fail(run, first->code, "%s", first->failure);
    return pen_fail(run, PEN_BAD_DATA, "no method works on these data; %s: %s", first->method->name,
                    first->failure);
}
