/* compare.c - comparing methods and readers: first with default parameters, then tuned within each
 * trial on the rows not held out, as far as the budget allows. A fit is made once, for all of its
 * readers.
 *
 * What is tried is decided before the first trial, from the costs of the methods (eval/plan.h): the
 * result depends on the data, the seed and the settings only. A time limit, where one is set, cuts
 * that short. */
#include "core/arguments.h"
#include "core/cache.h"
#include "eval/compared_list.h"
#include "eval/compared_outcome.h"
#include "eval/plan.h"
#include "eval/ranking.h"
#include "eval/summary.h"
#include "eval/task_pool.h"
#include "eval/trial_score.h"
#include "eval/tune.h"
#include "model/spec.h"
#include "readers/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INNER_FOLDS = 3, CURVE = 9, STABILITY_ROWS = 500 };

/* The part of the budget that the readers of the baseline may take. */
static const double BASELINE = 0.1;

/* What a pass has found, of candidate c in trial t at c x room + t. */
struct pass {
    char *state;                 /* [count x room] TASK_DONE, or not; 0 of others */
    pen_answer_summary *answers; /* [count x room] */
    pen_calibration_bin *bins;   /* [count x room x PEN_CALIBRATION_BINS] */
    int32_t *predicted;          /* [count x room x stability_count] */
    int32_t *told;               /* [count x starts[room]] */
};

struct comparison {
    pen_trials *trials;
    int64_t room; /* the number of trials planned; trials->count is the number completed in time */
    const pen_protocol *inner; /* with 0 folds: too few labels to tune */
    pen_compared_list list;    /* fits, and the candidates that share them */
    int64_t count;             /* list.count */
    pen_compared *candidates;  /* [count] */
    char *is_tried;            /* [count] 0: it costs too much */
    pen_spec **defaults;       /* [fits] */
    pen_share *shares;         /* [fits] */
    int64_t *order; /* [fits] the baseline, then methods, cheapest first; `listed` are tried */
    int64_t listed, dim_count;
    int64_t dims[CURVE + 1]; /* the last is the method's own */
    double *curves;          /* [count x room x (dim_count + 1)] */
    pen_error *why;          /* [count x room] failures of readers in the first pass */
    int64_t *given;          /* [count x room] the method's own number of dimensions */
    double *seconds;         /* [fits x room] taken in the first pass */
    struct pass passes[2];   /* with default parameters, and tuned */
    int64_t *starts; /* [room + 1] trial t holds out rows starts[t] .. starts[t + 1] - 1 of all */
    int64_t *most;   /* [fits] the number of combinations to try; 0: none */
    char *settled;   /* [count] TASK_DONE: tuned on all labelled rows */
    char *is_tuned;  /* [count] 1: tuned, and no worse than the defaults */
    int64_t *tuned_dims; /* [count] dimensions, tuned on all labelled rows */
    int64_t tuned;       /* the number of candidates tuned in time */
    int stopped;         /* the caller requested a stop before tuning began */
    int late;            /* the time limit was reached before all was tried */
    double until;
};

/* ---- what a candidate is asked ---- */

static int64_t at(const struct comparison *k, int64_t candidate, int64_t trial)
{
    return candidate * k->room + trial;
}

static int32_t *predicted_of(const struct comparison *k, int pass, int64_t candidate, int64_t trial)
{
    return k->passes[pass].predicted + at(k, candidate, trial) * k->trials->stability_count;
}

static int32_t *told_of(const struct comparison *k, int pass, int64_t candidate, int64_t trial)
{
    return k->passes[pass].told + candidate * k->starts[k->room] + k->starts[trial];
}

static pen_calibration_bin *bins_of(const struct comparison *k, int pass, int64_t candidate)
{
    return k->passes[pass].bins + at(k, candidate, 0) * PEN_CALIBRATION_BINS;
}

static int is_vote(const struct comparison *k, int64_t candidate)
{
    return k->list.pairs[candidate].reader == PEN_READER_NEAREST;
}

/* What is wanted of a candidate in a trial, in all passes. */
static pen_trial_reading reading_of(const struct comparison *k, int pass, int64_t candidate,
                                    int64_t trial)
{
    const pen_trial_scores scores = { .predicted = predicted_of(k, pass, candidate, trial),
                                      .told = told_of(k, pass, candidate, trial),
                                      .answer = k->passes[pass].answers + at(k, candidate, trial),
                                      .bins = bins_of(k, pass, candidate)
                                              + trial * PEN_CALIBRATION_BINS };

    return (pen_trial_reading){ .reader = pen_compared_reader(&k->list, candidate),
                                .scores = scores };
}

/* ---- first pass: default parameters ---- */

static double *curve_of(const struct comparison *k, int64_t candidate, int64_t trial)
{
    return k->curves + at(k, candidate, trial) * (k->dim_count + 1);
}

/* A fit for each number of dimensions would take too long, scores are those of all, and of a
 * baseline all dimensions are the columns. */
static int has_curve(const struct comparison *k, int64_t candidate)
{
    const pen_compared_pair *const pair = &k->list.pairs[candidate];
    const pen_shared_fit *const fit = &k->list.fits[pair->fit];

    return !fit->baseline && !(fit->method->traits & PEN_UNNESTED)
           && pair->reader != PEN_READER_SCORES;
}

static pen_trial_reading first_reading(const struct comparison *k, int64_t candidate, int64_t trial)
{
    pen_trial_reading reading = reading_of(k, 0, candidate, trial);
    const int64_t first = has_curve(k, candidate) ? 0 : k->dim_count;
    double *const curve = curve_of(k, candidate, trial);

    for (int64_t i = 0; i < first; i++)
        curve[i] = (double)NAN;
    reading.dim_count = k->dim_count + 1 - first;
    reading.dims = k->dims + first;
    reading.scores.accuracy = curve + first;
    reading.scores.given = k->given + at(k, candidate, trial);
    return reading;
}

/* Piece p: trial p / listed, the fit at p % listed, so that rounds are completed one after the
 * other. */
static pen_status try_default(void *context, pen_run *run, const pen_control *control,
                              int64_t piece)
{
    const struct comparison *k = context;
    const int64_t f = k->order[piece % k->listed], trial = piece / k->listed;
    const pen_shared_fit *const fit = &k->list.fits[f];
    const double begun = pen_task_clock();
    pen_trial_reading *readings;
    int64_t *whose, count = 0;
    pen_trial c;

    PEN_TRY(PEN_NEW(run, readings, fit->count));
    PEN_TRY(PEN_NEW(run, whose, fit->count));
    for (int64_t i = fit->first; i < fit->first + fit->count; i++)
        if (k->is_tried[i]) {
            readings[count] = first_reading(k, i, trial);
            whose[count++] = i;
        }
    PEN_TRY(pen_trial_open(run, k->trials, trial, &c));
    const pen_status status = pen_trial_read(run, &c, k->defaults[f], count, readings, control);
    k->seconds[f * k->room + trial] = pen_task_clock() - begun;
    for (int64_t q = 0; q < count && status == PEN_OK; q++) {
        const int failed = readings[q].failure.code != PEN_OK;
        k->passes[0].state[at(k, whose[q], trial)] = failed ? TASK_FAILED : TASK_DONE;
        k->why[at(k, whose[q], trial)] = readings[q].failure;
    }
    return status;
}

static void fail(pen_compared *e, const char *why)
{
    snprintf(e->failure, sizeof e->failure, "%.*s", (int)sizeof e->failure - 1, why);
}

/* The mean of entry i of the curve over the trials. */
static double curve_mean(const struct comparison *k, int64_t candidate, int64_t i)
{
    double sum = 0;
    for (int64_t t = 0; t < k->trials->count; t++)
        sum += curve_of(k, candidate, t)[i];
    return sum / (double)k->trials->count;
}

static void note_default(const struct comparison *k, int64_t c)
{
    pen_compared *const e = &k->candidates[c];

    for (int64_t i = 0; i < k->dim_count; i++)
        e->curve[i] = curve_mean(k, c, i);
    e->untuned = curve_mean(k, c, k->dim_count);
    e->score = e->untuned;
    e->dim = pen_least(k->given + at(k, c, 0), k->trials->count);
    for (int64_t t = 0; t < k->trials->count; t++)
        e->trials[t] = curve_of(k, c, t)[k->dim_count];
}

/* The trials of a fit that was tried, of which candidate c is one; i: the place of the fit. */
static void note_trials(const struct comparison *k, int64_t i, int64_t c, const char *state,
                        const pen_error *why)
{
    pen_compared *const e = &k->candidates[c];

    e->tried = state[i] != 0 ? PEN_TRIED : PEN_NOT_REACHED;
    for (int64_t t = 0; t < k->trials->count; t++) {
        const int64_t piece = t * k->listed + i;
        e->seconds += k->seconds[k->order[i] * k->room + t];
        if (*e->failure || k->passes[0].state[at(k, c, t)] == TASK_DONE)
            continue;
        fail(e, state[piece] == TASK_DONE     ? k->why[at(k, c, t)].message
                : state[piece] == TASK_FAILED ? why[piece].message
                : k->stopped                  ? "interrupted"
                                              : "time limit reached");
    }
    if (!*e->failure)
        note_default(k, c);
}

static void note_first_pass(const struct comparison *k, const char *state, const pen_error *why)
{
    for (int64_t c = 0; c < k->count; c++) {
        pen_compared *const e = &k->candidates[c];
        e->untuned = e->score = e->stability = e->deviation = (double)NAN;
        e->log_loss = e->brier = (double)NAN;
        for (int64_t i = 0; i < k->dim_count; i++)
            e->curve[i] = (double)NAN;
        if (!k->is_tried[c]) {
            e->tried = PEN_LEFT_OUT;
            fail(e, "its trials cost too much for the budget");
        }
    }
    for (int64_t i = 0; i < k->listed; i++) {
        const pen_shared_fit *const fit = &k->list.fits[k->order[i]];
        for (int64_t c = fit->first; c < fit->first + fit->count; c++)
            if (k->is_tried[c])
                note_trials(k, i, c, state, why);
    }
}

/* Trials run in rounds. Only rounds that every method completed count; methods without any
 * completed trial are disregarded. */
static pen_status count_rounds(pen_run *run, struct comparison *k, const char *state)
{
    int64_t rounds = k->room, tried = 0;

    for (int64_t i = 0; i < k->listed; i++) {
        int64_t t = 0;
        while (t < k->room && state[t * k->listed + i] != 0)
            t++;
        tried += t > 0 && !k->list.fits[k->order[i]].baseline;
        rounds = t > 0 ? pen_min(rounds, t) : rounds;
        k->late |= t < k->room && !k->stopped;
    }
    PEN_REQUIRE(run, tried > 0, PEN_CANCELLED,
                "time limit reached before any method had completed a trial; allow more time");
    k->trials->count = rounds;
    return PEN_OK;
}

static pen_status try_defaults(pen_run *run, struct comparison *k)
{
    const pen_task_pool tasks = { "default parameters", pen_times(k->listed, k->room), try_default,
                                  k, k->until };
    char *state;
    pen_error *why;

    PEN_TRY(PEN_NEW(run, state, tasks.pieces));
    PEN_TRY(PEN_NEW(run, why, tasks.pieces));
    memset(k->seconds, 0, (size_t)(k->list.fit_count * k->room) * sizeof *k->seconds);
    const pen_status status = pen_tasks_run(run, &tasks, state, why);
    k->stopped = status == PEN_CANCELLED;
    if (!k->stopped)
        PEN_TRY(status);
    PEN_TRY(count_rounds(run, k, state));
    note_first_pass(k, state, why);
    return PEN_OK;
}

/* ---- second pass: tuning ---- */

/* The data with all labels, or with the shuffled ones and then without listed pairs, which would
 * reveal the true classes. */
static pen_data everything(const pen_trials *trials)
{
    pen_data all = *trials->data;

    all.labels = trials->labels;
    if (trials->protocol.shuffle)
        all.must_link_count = all.cannot_link_count = 0;
    return all;
}

static void free_found(int64_t count, pen_tuning **found)
{
    for (int64_t q = 0; q < count; q++)
        pen_tuning_free(found[q]);
}

/* Tune over the planned combinations, for each reader of the fit; PEN_CANCELLED if time runs out
 * before all are tried. */
static pen_status tune_all(pen_run *run, const struct comparison *k, const pen_protocol *inner,
                           const pen_data *data, int64_t f, pen_tuning ***out)
{
    const pen_shared_fit *const fit = &k->list.fits[f];
    pen_reader_params *readers;
    pen_tuning **found;

    PEN_TRY(PEN_NEW(run, readers, fit->count));
    PEN_TRY(PEN_NEW(run, found, fit->count));
    for (int64_t q = 0; q < fit->count; q++)
        readers[q] = pen_compared_reader(&k->list, fit->first + q);
    PEN_TRY(pen_tune_readers(run, data, inner, k->defaults[f], fit->count, readers, 0, k->most[f],
                             0, found));
    *out = found;
    if (found[0]->count == k->most[f])
        return PEN_OK;
    free_found(fit->count, found);
    return pen_fail(run, PEN_CANCELLED, "time limit reached");
}

/* The fit and the trial of a piece: by fit, cheapest first, so that when time runs out some methods
 * are tuned completely rather than all of them in part. The trial after the last one tunes on all
 * labelled rows. */
static int64_t fit_of(const struct comparison *k, int64_t piece, int64_t *trial)
{
    *trial = piece % (k->trials->count + 1);
    return k->order[piece / (k->trials->count + 1)];
}

/* Keep what was found on all labelled rows; a reader for which every combination fails has none. */
static void settle(const struct comparison *k, int64_t first, int64_t count, pen_tuning **found)
{
    for (int64_t q = 0; q < count; q++) {
        pen_candidate *const best = &found[q]->candidates[0];
        if (isnan(best->score))
            continue;
        k->candidates[first + q].spec = best->spec;
        k->tuned_dims[first + q] = best->dim;
        k->settled[first + q] = TASK_DONE;
        best->spec = NULL;
    }
}

/* Readers that found the same combination share a fit, each in its own dimensions. Read those from
 * q on that have the combination of q, and not a reader before it. */
static pen_status read_group(pen_run *run, const struct comparison *k, const pen_trial *c,
                             const pen_shared_fit *fit, int64_t trial, pen_tuning **found,
                             int64_t q, const pen_control *control)
{
    const pen_candidate *const best = &found[q]->candidates[0];
    pen_trial_reading *readings;
    int64_t *whose, count = 0;

    PEN_TRY(PEN_NEW(run, readings, fit->count));
    PEN_TRY(PEN_NEW(run, whose, fit->count));
    for (int64_t o = q; o < fit->count; o++) {
        const pen_candidate *const other = &found[o]->candidates[0];
        if (isnan(other->score) || other->order != best->order)
            continue;
        readings[count] = reading_of(k, 1, fit->first + o, trial);
        readings[count].dim_count = 1;
        readings[count].dims = &other->spec->common.dim;
        readings[count].scores.accuracy = k->candidates[fit->first + o].trials + trial;
        whose[count++] = fit->first + o;
    }
    const pen_status status = pen_trial_read(run, c, best->spec, count, readings, control);
    for (int64_t i = 0; i < count; i++)
        k->passes[1].state[at(k, whose[i], trial)] =
            status == PEN_OK && readings[i].failure.code == PEN_OK ? TASK_DONE : TASK_FAILED;
    return status;
}

/* A combination that fails in the trial is a failure of the readers that found it. */
static pen_status read_tuned(pen_run *run, const struct comparison *k, const pen_trial *c,
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
        if (status == PEN_NO_MEMORY || status == PEN_CANCELLED || status == PEN_INTERNAL)
            return status;
    }
    return PEN_OK;
}

static pen_status tune_one(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct comparison *k = context;
    int64_t trial;
    const int64_t f = fit_of(k, piece, &trial);
    const pen_shared_fit *const fit = &k->list.fits[f];
    pen_protocol inner;
    pen_tuning **found;
    pen_trial c;

    if (k->most[f] == 0)
        return PEN_OK;
    if (trial == k->trials->count) {
        const pen_data all = everything(k->trials);
        PEN_TRY(tune_all(run, k, k->inner, &all, f, &found));
        settle(k, fit->first, fit->count, found);
        free_found(fit->count, found);
        return PEN_OK;
    }
    PEN_TRY(pen_trial_open(run, k->trials, trial, &c));
    PEN_TRY(pen_trial_protocol(run, &c, k->inner, &inner));
    PEN_TRY(tune_all(run, k, &inner, &c.data, f, &found));
    const pen_status status = read_tuned(run, k, &c, fit, trial, found, control);
    free_found(fit->count, found);
    return status;
}

static double mean_of_trials(const struct comparison *k, const pen_compared *e)
{
    double mean, deviation;

    pen_summarize(e->trials, 1, k->trials->count, &mean, &deviation);
    return mean;
}

/* The fraction of the stability sample classified alike in two trials, averaged over all pairs of
 * trials; NaN if the sample is empty or a trial has no predictions. */
static double stability_of(const struct comparison *k, int64_t candidate)
{
    const int pass = k->is_tuned[candidate];
    const int64_t stability_count = k->trials->stability_count, count = k->trials->count;
    int64_t same = 0;

    for (int64_t t = 0; stability_count > 0 && t < count; t++)
        if (predicted_of(k, pass, candidate, t)[0] < 0)
            return (double)NAN;
    for (int64_t t = 1; t < count; t++)
        for (int64_t u = 0; u < t; u++) {
            const int32_t *const a = predicted_of(k, pass, candidate, t), *const b = predicted_of(
                                                                              k, pass, candidate,
                                                                              u);
            for (int64_t i = 0; i < stability_count; i++)
                same += a[i] == b[i];
        }
    return stability_count > 0 && count > 1
               ? (double)same / ((double)stability_count * (double)count * (double)(count - 1) / 2)
               : (double)NAN;
}

/* Was the candidate tuned in all trials, and on all labelled rows? */
static int tuned_everywhere(const struct comparison *k, int64_t candidate)
{
    int done = k->settled[candidate] == TASK_DONE;

    for (int64_t t = 0; t < k->trials->count; t++)
        done &= k->passes[1].state[at(k, candidate, t)] == TASK_DONE;
    return done;
}

static void note_losses(const struct comparison *k, int64_t candidate)
{
    const pen_answer_summary *const a =
        k->passes[(int)k->is_tuned[candidate]].answers + at(k, candidate, 0);
    pen_compared *const e = &k->candidates[candidate];

    e->log_loss = e->brier = 0;
    for (int64_t t = 0; t < k->trials->count; t++) {
        e->log_loss += a[t].log_loss / (double)k->trials->count;
        e->brier += a[t].brier / (double)k->trials->count;
    }
}

/* A candidate with a piece that failed or did not run is scored with default parameters, if these
 * work, and so is one that tuning made worse. One that works only with other parameters has not
 * failed. */
static void note_tuned(struct comparison *k, int64_t c)
{
    const int64_t f = k->list.pairs[c].fit;
    pen_compared *const e = &k->candidates[c];
    const int tuned = k->most[f] > 0 && tuned_everywhere(k, c);

    k->is_tuned[c] = (char)tuned;
    e->combinations = tuned ? k->most[f] : 0;
    k->tuned += tuned;
    if (tuned)
        *e->failure = '\0';
    if (tuned && !isnan(e->untuned) && mean_of_trials(k, e) < e->untuned - PEN_SAME_SCORE)
        k->is_tuned[c] = 0;
    if (k->is_tuned[c])
        e->dim = k->tuned_dims[c];
    if (*e->failure)
        return;
    for (int64_t t = 0; !k->is_tuned[c] && t < k->trials->count; t++)
        e->trials[t] = curve_of(k, c, t)[k->dim_count];
    pen_summarize(e->trials, 1, k->trials->count, &e->score, &e->deviation);
    e->stability = stability_of(k, c);
    note_losses(k, c);
}

static void note_second_pass(struct comparison *k, const char *state, int stopped)
{
    const int64_t pieces = k->trials->count + 1;

    for (int64_t i = 0; i < k->listed; i++) {
        const pen_shared_fit *const fit = &k->list.fits[k->order[i]];
        for (int64_t t = 0; t < pieces && k->most[k->order[i]] > 0; t++)
            k->late |= state[i * pieces + t] == 0 && !stopped;
        for (int64_t c = fit->first; c < fit->first + fit->count; c++)
            if (k->is_tried[c])
                note_tuned(k, c);
    }
}

/* Candidates with the same answers for all held-out rows name the first of them in the list. */
static void note_same_answers(const struct comparison *k)
{
    const size_t size = (size_t)k->starts[k->trials->count] * sizeof(int32_t);

    for (int64_t c = 0; c < k->count; c++) {
        pen_compared *const e = &k->candidates[c];
        for (int64_t o = 0; o <= c && !e->same_as && !*e->failure; o++)
            if (!*k->candidates[o].failure
                && memcmp(told_of(k, k->is_tuned[c], c, 0), told_of(k, k->is_tuned[o], o, 0), size)
                       == 0)
                e->same_as = k->candidates[o].name;
    }
}

static pen_status tune_methods(pen_run *run, struct comparison *k)
{
    const pen_task_pool tasks = { "tuning methods", pen_times(k->listed, k->trials->count + 1),
                                  tune_one, k, k->until };
    char *state;
    pen_error *why;

    PEN_TRY(PEN_NEW(run, state, tasks.pieces));
    PEN_TRY(PEN_NEW(run, why, tasks.pieces));
    memset(state, 0, (size_t)tasks.pieces);
    const pen_status status = k->stopped ? PEN_CANCELLED : pen_tasks_run(run, &tasks, state, why);
    if (status != PEN_CANCELLED)
        PEN_TRY(status);
    note_second_pass(k, state, status == PEN_CANCELLED);
    note_same_answers(k);
    for (int64_t c = 0; c < k->count; c++)
        if (!*k->candidates[c].failure && !k->candidates[c].baseline)
            return PEN_OK; /* there is a result, even if stopped */
    PEN_REQUIRE(run, status != PEN_CANCELLED, PEN_CANCELLED, "cancelled");
    const pen_compared *const first = &k->candidates[k->list.fits[k->order[1]].first];
    return pen_fail(run, PEN_BAD_DATA, "no method works on these data; %s: %s",
                    pen_method_name(first->method), first->failure);
}

/* Candidates whose tuned parameters are not used get the defaults; failed ones get no spec. */
static pen_status settle_specs(pen_run *run, const struct comparison *k)
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
        PEN_TRY(pen_compared_set_reader(run, &k->list, c, &k->trials->protocol, e->spec));
    }
    return PEN_OK;
}

/* ---- the call ---- */

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

static pen_status new_candidate(pen_run *run, const pen_compared_list *list, int64_t c,
                                int64_t trials, int64_t dim_count, pen_compared *out)
{
    const pen_shared_fit *const fit = &list->fits[list->pairs[c].fit];

    *out = (pen_compared){ .method = fit->method,
                           .reader = pen_reader_names[list->pairs[c].reader],
                           .baseline = fit->baseline,
                           .order = c };
    pen_compared_name(list, c, out->name, sizeof out->name);
    out->trials = pen_keep(run, trials, sizeof *out->trials);
    out->curve = pen_keep(run, dim_count, sizeof *out->curve);
    return out->trials && out->curve ? PEN_OK : PEN_NO_MEMORY;
}

static pen_status new_comparison(pen_run *run, const pen_compared_list *list, int64_t trials,
                                 int64_t dim_count, pen_comparison **out)
{
    pen_comparison *const c = *out = pen_keep(run, 1, sizeof *c);

    if (!c)
        return PEN_NO_MEMORY;
    c->trials = trials;
    c->dim_count = dim_count;
    c->dims = pen_keep(run, dim_count, sizeof *c->dims);
    c->candidates = pen_keep(run, list->count, sizeof *c->candidates);
    if (!c->dims || !c->candidates)
        return PEN_NO_MEMORY;
    c->count = list->count;
    for (int64_t i = 0; i < dim_count; i++)
        c->dims[i] = i + 1;
    for (int64_t m = 0; m < list->count; m++)
        PEN_TRY(new_candidate(run, list, m, trials, dim_count, &c->candidates[m]));
    return PEN_OK;
}

void pen_comparison_free(pen_comparison *comparison)
{
    if (!comparison)
        return;
    for (int64_t m = 0; comparison->candidates && m < comparison->count; m++) {
        pen_spec_free(comparison->candidates[m].spec);
        free(comparison->candidates[m].trials);
        free(comparison->candidates[m].curve);
    }
    free(comparison->candidates);
    free(comparison->dims);
    free(comparison->confusion);
    free(comparison->classes);
    free(comparison->calibration);
    free(comparison);
}

static pen_status make_defaults(pen_run *run, struct comparison *k, pen_spec **defaults)
{
    const pen_trials *const t = k->trials;
    const char *pca;

    k->defaults = defaults;
    PEN_TRY(pen_plan_components(run, &t->data->x, pen_trials_fewest_rows(t), NULL, &pca));
    for (int64_t f = 0; f < k->list.fit_count; f++)
        PEN_TRY(pen_compared_defaults(run, &k->list.fits[f], t, pca, &defaults[f]));
    return PEN_OK;
}

/* The folds for tuning without the held-out rows: no more than the largest class then has rows in
 * any trial; 0: it has one. */
static pen_status inner_folds(pen_run *run, const pen_trials *trials, int64_t *folds)
{
    *folds = INNER_FOLDS;
    for (int64_t t = 0; t < trials->count; t++) {
        pen_rows known = { .n = 0 };
        pen_trial c;
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(pen_trial_open(run, trials, t, &c));
        PEN_TRY(pen_rows_label(run, c.data.labels, c.data.x.rows, &known));
        *folds = pen_min(*folds, pen_class_largest(&known));
        pen_release(run, mark);
    }
    *folds = *folds < 2 ? 0 : *folds;
    return PEN_OK;
}

/* The baseline is tried first, lda in any case, and other readers as far as a tenth of the budget
 * goes. Returns what it takes. */
static double plan_baseline(struct comparison *k, const pen_costs *costs, double budget,
                            int64_t classified)
{
    static const enum pen_reader_kind kinds[] = { PEN_READER_LDA, PEN_READER_NEAREST,
                                                  PEN_READER_LOGISTIC };
    const pen_shared_fit *const fit = &k->list.fits[0];
    double trial = pen_costs_trial(costs, k->defaults[0]);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const double more = pen_costs_reader(costs, k->defaults[0], kinds[i], classified);
        int64_t c = fit->first;
        while (k->list.pairs[c].reader != kinds[i])
            c++;
        k->is_tried[c] = i == 0 || (trial + more) * (double)k->room <= BASELINE * budget;
        trial += k->is_tried[c] ? more : 0;
    }
    k->shares[0] = (pen_share){ .trial = trial, .grid = 1, .tried = 1 };
    k->order[0] = 0;
    return trial * (double)k->room;
}

static double cost_of_trial(const struct comparison *k, const pen_costs *costs, int64_t f,
                            int64_t classified)
{
    const pen_shared_fit *const fit = &k->list.fits[f];
    double cost = pen_costs_trial(costs, k->defaults[f]);

    for (int64_t c = fit->first; c < fit->first + fit->count; c++)
        cost += pen_costs_reader(costs, k->defaults[f], k->list.pairs[c].reader, classified);
    return cost;
}

/* The number of combinations to try of a fit: the most useful ones, more with a larger budget. */
static pen_status combinations_of(pen_run *run, const struct comparison *k, int64_t f,
                                  int64_t *count)
{
    const double most = PEN_COMPARE_COMBINATIONS * fmax(k->trials->protocol.effort, 1);
    const pen_mark_t mark = pen_mark(run);
    pen_grid grid;

    PEN_TRY(pen_grid_open(run, k->defaults[f], &grid));
    *count = (double)grid.size > most ? (int64_t)most : grid.size;
    pen_release(run, mark);
    return PEN_OK;
}

/* Methods share what the baseline leaves. */
static pen_status plan_methods(pen_run *run, struct comparison *k, const pen_costs *costs,
                               double budget, int64_t classified)
{
    const int64_t count = k->list.fit_count - 1;

    for (int64_t f = 1; f <= count; f++) {
        k->shares[f] = (pen_share){ .trial = cost_of_trial(k, costs, f, classified) };
        PEN_TRY(combinations_of(run, k, f, &k->shares[f].grid));
    }
    pen_plan_shares(fmax(budget, 0), k->inner->folds, count, k->shares + 1, k->order + 1,
                    &k->trials->count);
    k->listed = 1;
    for (int64_t i = 1; i <= count; i++) { /* those left out may stand between the others */
        const int64_t f = ++k->order[i];   /* the baseline is before them */
        const pen_shared_fit *const fit = &k->list.fits[f];
        memset(k->is_tried + fit->first, k->shares[f].tried, (size_t)fit->count);
        if (k->shares[f].tried)
            k->order[k->listed++] = f;
    }
    return PEN_OK;
}

/* Decide what is tried. */
static pen_status plan(pen_run *run, struct comparison *k, pen_comparison *out)
{
    const pen_protocol *const p = &k->trials->protocol;
    const double budget = PEN_COMPARE_BUDGET * (p->effort > 0 ? p->effort : 1);
    const int64_t classified = k->trials->classes.labelled / p->folds + k->trials->stability_count;
    pen_costs costs;

    PEN_TRY(PEN_NEW(run, k->shares, k->list.fit_count));
    PEN_TRY(PEN_NEW(run, k->order, k->list.fit_count));
    PEN_TRY(PEN_NEW(run, k->is_tried, k->count));
    PEN_TRY(pen_costs_open(run, k->trials->data, &costs));
    costs.shared = !p->inductive;
    k->room = k->trials->count;
    const double rest = budget - plan_baseline(k, &costs, budget, classified);
    PEN_TRY(plan_methods(run, k, &costs, rest, classified));
    k->room = k->trials->count;
    for (int64_t c = 0; c < k->count; c++) {
        const pen_share *const share = &k->shares[k->list.pairs[c].fit];
        out->candidates[c].cost = share->trial * (double)k->room / budget;
        out->candidates[c].grid = share->grid;
    }
    return PEN_OK;
}

static pen_status new_pass(pen_run *run, const struct comparison *k, struct pass *out)
{
    const int64_t pieces = pen_times(k->count, k->room);

    PEN_TRY(PEN_NEW(run, out->state, pieces));
    memset(out->state, 0, (size_t)pieces);
    PEN_TRY(PEN_NEW(run, out->answers, pieces));
    PEN_TRY(PEN_NEW(run, out->bins, pen_times(pieces, PEN_CALIBRATION_BINS)));
    PEN_TRY(PEN_NEW(run, out->predicted, pen_times(pieces, k->trials->stability_count)));
    return PEN_NEW(run, out->told, pen_times(k->count, k->starts[k->room]));
}

static pen_status new_lists(pen_run *run, struct comparison *k)
{
    const int64_t pieces = pen_times(k->count, k->room), fits = k->list.fit_count;
    const pen_trials *const t = k->trials;
    const int64_t n = t->data->x.rows;

    PEN_TRY(PEN_NEW(run, k->starts, k->room + 1));
    k->starts[0] = 0;
    for (int64_t r = 0; r < k->room; r++) {
        k->starts[r + 1] = k->starts[r];
        for (int64_t i = 0; i < n; i++)
            k->starts[r + 1] += t->folds[r / t->protocol.folds * n + i] == r % t->protocol.folds;
    }
    PEN_TRY(PEN_NEW(run, k->curves, pen_times(pieces, k->dim_count + 1)));
    PEN_TRY(PEN_NEW(run, k->why, pieces));
    PEN_TRY(PEN_NEW(run, k->given, pieces));
    PEN_TRY(PEN_NEW(run, k->seconds, pen_times(fits, k->room)));
    PEN_TRY(PEN_NEW(run, k->most, fits));
    PEN_TRY(PEN_NEW(run, k->settled, k->count));
    PEN_TRY(PEN_NEW(run, k->is_tuned, k->count));
    PEN_TRY(PEN_NEW(run, k->tuned_dims, k->count));
    memset(k->settled, 0, (size_t)k->count);
    memset(k->is_tuned, 0, (size_t)k->count);
    for (int64_t f = 0; f < fits; f++)
        k->most[f] = k->shares[f].combinations;
    PEN_TRY(new_pass(run, k, &k->passes[0]));
    return new_pass(run, k, &k->passes[1]);
}

/* How the predictions of the recommended candidate went. */
static pen_status describe_chosen(pen_run *run, const struct comparison *k, pen_comparison *out)
{
    const int64_t c = out->candidates[out->chosen].order;
    const int pass = k->is_tuned[c];

    PEN_TRY(pen_outcome_classes(run, k->trials, out));
    PEN_TRY(pen_outcome_confusion(run, k->trials, told_of(k, pass, c, 0), out));
    return is_vote(k, c) ? PEN_OK
                         : pen_outcome_calibration(run, k->trials, bins_of(k, pass, c), out);
}

static pen_status run_comparison(pen_run *run, struct comparison *k, pen_comparison *out)
{
    PEN_TRY(try_defaults(run, k));
    PEN_TRY(tune_methods(run, k));
    PEN_TRY(settle_specs(run, k));
    out->trials = k->trials->count;
    out->held_out = pen_trials_held_out(k->trials, out->trials);
    out->tuned = k->tuned;
    out->cut_short = k->late;
    pen_ranking_make(k->trials, out);
    return describe_chosen(run, k, out);
}

static pen_status check_arguments(pen_run *run, const char *const *names, int64_t count,
                                  const pen_protocol *protocol, double seconds,
                                  pen_comparison **out)
{
    PEN_TRY(pen_check_given(run, out, "out"));
    /* with and without kernels, and with each reader */
    const int64_t most = pen_method_count() * PEN_KERNEL_PRECOMPUTED * PEN_READER_SCORES;

    PEN_REQUIRE(
        run, !names || (count >= 1 && count <= most), PEN_BAD_ARGUMENT,
        "count must be in [1, %lld], the number of methods with all kernels and readers, got "
        "%lld",
        (long long)most, (long long)count);
    PEN_TRY(pen_check_names(run, names, count, "names"));
    PEN_REQUIRE(run, !protocol || protocol->effort >= 0, PEN_BAD_ARGUMENT,
                "effort must be >= 0, got %g", protocol->effort);
    PEN_REQUIRE(run, seconds >= 0, PEN_BAD_ARGUMENT, "seconds must be >= 0, got %g", seconds);
    return PEN_OK;
}

static pen_status plan_and_run(pen_run *run, struct comparison *k, pen_comparison *out)
{
    const int64_t fits = k->list.fit_count;
    pen_spec **defaults;

    PEN_TRY(PEN_NEW(run, defaults, fits));
    memset(defaults, 0, (size_t)fits * sizeof(pen_spec *));
    k->candidates = out->candidates;
    pen_status status = make_defaults(run, k, defaults);
    if (status == PEN_OK)
        status = plan(run, k, out);
    if (status == PEN_OK)
        status = new_lists(run, k);
    if (status == PEN_OK)
        status = run_comparison(run, k, out);
    for (int64_t f = 0; f < fits; f++)
        pen_spec_free(defaults[f]);
    return status;
}

static pen_status compare(pen_run *run, const char *const *names, int64_t count,
                          const pen_data *data, const pen_protocol *protocol, double seconds,
                          pen_comparison **out)
{
    pen_protocol outer = protocol ? *protocol : (pen_protocol){ .folds = 0 }, inner;
    struct comparison k = { .until = seconds > 0 ? pen_task_clock() + seconds : 0 };
    pen_trials trials;

    PEN_TRY(check_arguments(run, names, count, protocol, seconds, out));
    outer.runs = outer.runs ? outer.runs : PEN_COMPARE_RUNS;
    PEN_TRY(pen_trials_open(run, data, &outer, &trials));
    PEN_TRY(pen_trials_sample_for_stability(run, &trials, STABILITY_ROWS));
    PEN_TRY(pen_compared_list_make(run, names, count, &trials.protocol, &k.list));
    k.count = k.list.count;
    inner = trials.protocol;
    PEN_TRY(inner_folds(run, &trials, &inner.folds));
    inner.runs = 1;
    inner.labels = (pen_label_sample){ .seed = 0 };
    inner.shuffle = 0;
    inner.kernels = 0;
    k.trials = &trials;
    k.inner = &inner;
    k.dim_count = pen_min(CURVE, most_columns(&k.list, data));
    for (int64_t i = 0; i < k.dim_count; i++)
        k.dims[i] = i + 1;
    k.dims[k.dim_count] = 0;
    PEN_TRY(new_comparison(run, &k.list, trials.count, k.dim_count, out));
    (*out)->folds = trials.protocol.folds;
    (*out)->inner_folds = inner.folds;
    return plan_and_run(run, &k, *out);
}

pen_status pen_compare(const char *const *names, int64_t count, const pen_data *data,
                       const pen_protocol *protocol, double seconds, const pen_control *control,
                       pen_comparison **out, pen_error *err)
{
    pen_cache *cache;
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(control, err, &run));
    pen_status status = pen_cache_new(run, &cache);
    if (status == PEN_OK) {
        pen_run_share(run, cache);
        status = compare(run, names, count, data, protocol, seconds, out);
        pen_cache_free(cache);
    }
    pen_run_close(run);
    if (status != PEN_OK && out) {
        pen_comparison_free(*out);
        *out = NULL;
    }
    if (status == PEN_OK && err)
        *err = (pen_error){ .code = PEN_OK }; /* stopped during tuning: no error */
    return status;
}
