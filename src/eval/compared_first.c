/* compared_first.c - the first pass of a comparison: specs as they are. */
#include "eval/comparing.h"
#include "eval/summary.h"
#include "eval/task_pool.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A fit for each number of dimensions takes long, and is made where that is asked for; scores are
 * those of all, and of a baseline all dimensions are the columns. */
static int has_curve(const pen_comparing *k, int64_t candidate)
{
    const pen_compared_pair *const pair = &k->list.pairs[candidate];
    const pen_shared_fit *const fit = &k->list.fits[pair->fit];
    const int unnested = (fit->spec->method->traits & PEN_UNNESTED) != 0;

    return !fit->baseline && fit->spec->common.dim == 0
           && (unnested ? k->asked : pair->classifier != PEN_CLASSIFIER_SCORES);
}

static pen_trial_reading first_reading(const pen_comparing *k, int64_t candidate, int64_t trial)
{
    pen_trial_reading reading = pen_comparing_reading(k, 0, candidate, trial);
    const pen_shared_fit *const fit = &k->list.fits[k->list.pairs[candidate].fit];
    const int64_t first = has_curve(k, candidate) && !k->asked ? 0 : k->dim_count;
    double *const curve = pen_comparing_curve(k, candidate, trial);

    for (int64_t i = 0; i < first && !k->asked; i++)
        curve[i] = (double)NAN;
    reading.dim_count = k->dim_count + 1 - first;
    reading.dims = first ? &fit->spec->common.dim : k->dims;
    reading.scores.accuracy = curve + first;
    reading.scores.given = k->given + pen_comparing_at(k, candidate, trial);
    return reading;
}

/* The dimensions that were asked for, of fits that give no more than these. */
static pen_status read_curves(pen_run *run, const pen_comparing *k, const pen_trial *c, int64_t f,
                              int64_t trial, const pen_control *control)
{
    const pen_shared_fit *const fit = &k->list.fits[f];
    pen_trial_reading *readings;
    int64_t count = 0;

    PEN_TRY(PEN_NEW(run, readings, fit->count));
    for (int64_t i = fit->first; i < fit->first + fit->count; i++) {
        double *const curve = pen_comparing_curve(k, i, trial);
        for (int64_t d = 0; d < k->dim_count; d++)
            curve[d] = (double)NAN;
        if (k->is_tried[i] && has_curve(k, i))
            readings[count++] =
                (pen_trial_reading){ .classifier = pen_compared_classifier(&k->list, i),
                                     .dim_count = k->dim_count,
                                     .dims = k->dims,
                                     .scores.accuracy = curve };
    }
    return count > 0 ? pen_trial_read(run, c, fit->spec, count, readings, control) : PEN_OK;
}

/* Piece p: trial p / listed, the fit at p % listed, so that rounds are completed one after the
 * other. */
static pen_status try_untuned(void *context, pen_run *run, const pen_control *control,
                              int64_t piece)
{
    const pen_comparing *k = context;
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
    if (k->asked)
        PEN_TRY(read_curves(run, k, &c, f, trial, control));
    const pen_status status =
        pen_comparing_read(run, k, 0, &c, fit->spec, count, whose, readings, control);
    k->seconds[f * k->room + trial] = pen_task_clock() - begun;
    return status;
}

static void fail(pen_compared *e, pen_status code, const char *why)
{
    e->code = code;
    snprintf(e->failure, sizeof e->failure, "%.*s", (int)sizeof e->failure - 1, why);
}

/* The mean of entry i of the curve over the trials. */
static double curve_mean(const pen_comparing *k, int64_t candidate, int64_t i)
{
    double sum = 0;
    for (int64_t t = 0; t < k->trials->count; t++)
        sum += pen_comparing_curve(k, candidate, t)[i];
    return sum / (double)k->trials->count;
}

static void note_untuned(const pen_comparing *k, int64_t c)
{
    pen_compared *const e = &k->candidates[c];

    for (int64_t i = 0; i < k->dim_count; i++)
        e->curve[i] = curve_mean(k, c, i);
    e->untuned = curve_mean(k, c, k->dim_count);
    e->score = e->untuned;
    e->dim = pen_least(k->given + pen_comparing_at(k, c, 0), k->trials->count);
    for (int64_t t = 0; t < k->trials->count; t++) {
        const double *const curve = pen_comparing_curve(k, c, t);
        e->trials[t] = curve[k->dim_count];
        memcpy(e->curve_trials + t * k->dim_count, curve, (size_t)k->dim_count * sizeof *curve);
    }
}

/* The trials of a fit that was tried, of which candidate c is one; i: the place of the fit. */
static void note_trials(const pen_comparing *k, int64_t i, int64_t c, const char *state,
                        const pen_error *why)
{
    static const pen_error interrupted = { PEN_CANCELLED, "interrupted", 0 };
    pen_compared *const e = &k->candidates[c];

    e->tried = state[i] != 0 ? PEN_TRIED : PEN_NOT_REACHED;
    for (int64_t t = 0; t < k->trials->count; t++) {
        const int64_t piece = t * k->listed + i;
        e->seconds += k->seconds[k->order[i] * k->room + t];
        if (*e->failure || k->passes[0].state[pen_comparing_at(k, c, t)] == TASK_DONE)
            continue;
        const pen_error *const error = state[piece] == TASK_DONE
                                           ? &k->why[pen_comparing_at(k, c, t)]
                                       : state[piece] == TASK_FAILED ? &why[piece]
                                                                     : &interrupted;
        fail(e, error->code, error->message);
    }
    if (!*e->failure)
        note_untuned(k, c);
}

static void note_first_pass(const pen_comparing *k, const char *state, const pen_error *why)
{
    for (int64_t c = 0; c < k->count; c++) {
        pen_compared *const e = &k->candidates[c];
        e->untuned = e->score = e->stability = e->deviation = (double)NAN;
        e->log_loss = e->brier = e->aside = (double)NAN;
        for (int64_t i = 0; i < k->dim_count; i++)
            e->curve[i] = (double)NAN;
        if (!k->is_tried[c]) {
            e->tried = PEN_LEFT_OUT;
            fail(e, PEN_BAD_DATA, "its trials cost too much for the effort");
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
static pen_status count_rounds(pen_run *run, pen_comparing *k, const char *state)
{
    int64_t rounds = k->room, tried = 0;

    for (int64_t i = 0; i < k->listed; i++) {
        int64_t t = 0;
        while (t < k->room && state[t * k->listed + i] != 0)
            t++;
        tried += t > 0 && !k->list.fits[k->order[i]].baseline;
        rounds = t > 0 ? pen_min(rounds, t) : rounds;
    }
    PEN_REQUIRE(run, tried > 0, PEN_CANCELLED, "cancelled");
    k->trials->count = rounds;
    return PEN_OK;
}

pen_status pen_comparing_try_untuned(pen_run *run, pen_comparing *k)
{
    const pen_task_pool tasks = { "trials", pen_times(k->listed, k->room), try_untuned, k };
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
