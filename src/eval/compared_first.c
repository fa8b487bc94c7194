/* compared_first.c - the first pass of a comparison: default parameters. */
#include "eval/comparing.h"
#include "eval/summary.h"
#include "eval/task_pool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A fit for each number of dimensions would take too long, scores are those of all, and of a
 * baseline all dimensions are the columns. */
static int has_curve(const pen_comparing *k, int64_t candidate)
{
    const pen_compared_pair *const pair = &k->list.pairs[candidate];
    const pen_shared_fit *const fit = &k->list.fits[pair->fit];

    return !fit->baseline && !(fit->method->traits & PEN_UNNESTED)
           && pair->classifier != PEN_CLASSIFIER_SCORES;
}

static pen_trial_reading first_reading(const pen_comparing *k, int64_t candidate, int64_t trial)
{
    pen_trial_reading reading = pen_comparing_reading(k, 0, candidate, trial);
    const int64_t first = has_curve(k, candidate) ? 0 : k->dim_count;
    double *const curve = pen_comparing_curve(k, candidate, trial);

    for (int64_t i = 0; i < first; i++)
        curve[i] = (double)NAN;
    reading.dim_count = k->dim_count + 1 - first;
    reading.dims = k->dims + first;
    reading.scores.accuracy = curve + first;
    reading.scores.first_answer = reading.dim_count - 1;
    reading.scores.given = k->given + pen_comparing_at(k, candidate, trial);
    return reading;
}

/* Piece p: trial p / listed, the fit at p % listed, so that rounds are completed one after the
 * other. */
static pen_status try_default(void *context, pen_run *run, const pen_control *control,
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
    const pen_status status = pen_trial_read(run, &c, k->defaults[f], count, readings, control);
    k->seconds[f * k->room + trial] = pen_task_clock() - begun;
    for (int64_t q = 0; q < count && status == PEN_OK; q++) {
        const int failed = readings[q].failure.code != PEN_OK;
        k->passes[0].state[pen_comparing_at(k, whose[q], trial)] = failed ? TASK_FAILED : TASK_DONE;
        k->why[pen_comparing_at(k, whose[q], trial)] = readings[q].failure;
    }
    return status;
}

static void fail(pen_compared *e, const char *why)
{
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

static void note_default(const pen_comparing *k, int64_t c)
{
    pen_compared *const e = &k->candidates[c];

    for (int64_t i = 0; i < k->dim_count; i++)
        e->curve[i] = curve_mean(k, c, i);
    e->untuned = curve_mean(k, c, k->dim_count);
    e->score = e->untuned;
    e->dim = pen_least(k->given + pen_comparing_at(k, c, 0), k->trials->count);
    for (int64_t t = 0; t < k->trials->count; t++)
        e->trials[t] = pen_comparing_curve(k, c, t)[k->dim_count];
}

/* The trials of a fit that was tried, of which candidate c is one; i: the place of the fit. */
static void note_trials(const pen_comparing *k, int64_t i, int64_t c, const char *state,
                        const pen_error *why)
{
    pen_compared *const e = &k->candidates[c];

    e->tried = state[i] != 0 ? PEN_TRIED : PEN_NOT_REACHED;
    for (int64_t t = 0; t < k->trials->count; t++) {
        const int64_t piece = t * k->listed + i;
        e->seconds += k->seconds[k->order[i] * k->room + t];
        if (*e->failure || k->passes[0].state[pen_comparing_at(k, c, t)] == TASK_DONE)
            continue;
        fail(e, state[piece] == TASK_DONE     ? k->why[pen_comparing_at(k, c, t)].message
                : state[piece] == TASK_FAILED ? why[piece].message
                                              : "interrupted");
    }
    if (!*e->failure)
        note_default(k, c);
}

static void note_first_pass(const pen_comparing *k, const char *state, const pen_error *why)
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

pen_status pen_comparing_try_defaults(pen_run *run, pen_comparing *k)
{
    const pen_task_pool tasks = { "default parameters", pen_times(k->listed, k->room), try_default,
                                  k };
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
