/* compared_first.c - the first pass of a comparison: specs as they are. */
#include "eval/choose/compare_passes.h"
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

/* All dimensions of a curve at once; those that were asked for in fits of their own, which give no
 * more than these. */
static void ask(const pen_comparing *k, int64_t candidate, int64_t trial)
{
    const pen_spec *const spec = k->list.fits[k->list.pairs[candidate].fit].spec;
    const int curved = has_curve(k, candidate), alone = k->asked || !curved;
    double *const curve = pen_comparing_curve(k, candidate, trial);
    pen_trial_reading *const own = pen_comparing_reading(k, 0, candidate, trial);

    if (!k->is_tried[candidate])
        return;
    own->dim_count = alone ? 1 : k->dim_count + 1;
    own->dims = alone ? &spec->common.dim : k->dims;
    own->fewer = alone && spec->common.allow_fewer;
    own->accuracy = alone ? curve + k->dim_count : curve;
    if (k->asked && curved) {
        own[k->count].classifier = own->classifier;
        own[k->count].dim_count = k->dim_count;
        own[k->count].dims = k->dims;
        own[k->count].accuracy = curve;
    }
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
    e->dim = pen_trials_least_given(&k->passes[0], c);
    for (int64_t t = 0; t < k->trials->count; t++) {
        const double *const curve = pen_comparing_curve(k, c, t);
        e->trials[t] = curve[k->dim_count];
        memcpy(e->curve_trials + t * k->dim_count, curve, (size_t)k->dim_count * sizeof *curve);
    }
}

static void note_trials(const pen_comparing *k, int64_t c)
{
    const pen_trial_reading *const first = pen_comparing_reading(k, 0, c, 0);
    pen_compared *const e = &k->candidates[c];

    e->tried = first->failure.code == PEN_CANCELLED ? PEN_NOT_REACHED : PEN_TRIED;
    for (int64_t t = 0; t < k->trials->count; t++) {
        const pen_trial_reading *const r = pen_comparing_reading(k, 0, c, t);
        e->seconds += r->seconds + (k->asked ? r[k->count].seconds : 0);
        if (!*e->failure && r->failure.code != PEN_OK)
            fail(e, r->failure.code, r->failure.message);
    }
    if (!*e->failure)
        note_untuned(k, c);
}

static void note_first_pass(const pen_comparing *k)
{
    for (int64_t c = 0; c < k->count; c++) {
        pen_compared *const e = &k->candidates[c];
        e->untuned = e->score = e->stability = e->deviation = (double)NAN;
        e->log_loss = e->brier = e->aside = (double)NAN;
        for (int64_t i = 0; i < k->dim_count; i++)
            e->curve[i] = (double)NAN;
        if (k->is_tried[c]) {
            note_trials(k, c);
        } else {
            e->tried = PEN_LEFT_OUT;
            fail(e, PEN_BAD_DATA, "its trials cost too much for the effort");
        }
    }
}

/* With the curves of its candidates, which are a piece of work of their own. */
static int is_complete(const pen_comparing *k, const pen_shared_fit *fit, int64_t trial)
{
    const pen_trial_reading *const own = pen_comparing_reading(k, 0, fit->first, trial),
                                   *const curves = own + k->count;
    int complete = own->failure.code != PEN_CANCELLED;

    for (int64_t i = 0; k->asked && i < fit->count; i++)
        complete &= curves[i].dim_count == 0 || curves[i].failure.code != PEN_CANCELLED;
    return complete;
}

/* Trials run in rounds. Only rounds that every method completed count; methods without any
 * completed trial are disregarded. */
static pen_status count_rounds(pen_run *run, pen_comparing *k)
{
    int64_t rounds = k->room, tried = 0;

    for (int64_t i = 0; i < k->listed; i++) {
        const pen_shared_fit *const fit = &k->list.fits[k->order[i]];
        int64_t t = 0;
        while (t < k->room && is_complete(k, fit, t))
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
    pen_trial_fit *fits;
    int64_t count = 0;

    PEN_TRY(PEN_NEW(run, fits, pen_times(2, k->listed)));
    for (int64_t i = 0; i < k->listed; i++) {
        const pen_shared_fit *const fit = &k->list.fits[k->order[i]];
        if (k->asked)
            fits[count++] = (pen_trial_fit){ fit->spec, k->count + fit->first, fit->count };
        fits[count++] = (pen_trial_fit){ fit->spec, fit->first, fit->count };
    }
    for (int64_t i = 0; i < k->count * k->room; i++)
        ask(k, i / k->room, i % k->room);
    k->passes[0].fits = fits;
    k->passes[0].fit_count = count;
    const pen_status status = pen_trials_try(run, "trials", &k->passes[0]);
    k->stopped = status == PEN_CANCELLED;
    if (!k->stopped)
        PEN_TRY(status);
    PEN_TRY(count_rounds(run, k));
    note_first_pass(k);
    return PEN_OK;
}
