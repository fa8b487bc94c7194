/* tune.c - trials of combinations of parameters, and their ranking. */
#include "eval/choose/tune.h"

#include "eval/measures/summary.h"
#include "eval/trials/trial_score.h"
#include "model/kernel_fit.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct tuning {
    pen_trial_table table; /* combination c by classifier q is reading c x classifier_count + q */
    int64_t count, classifier_count;
    int64_t dim_count, dims[PEN_MOST_TUNED_DIMS + 1];
};

/* Dimensions 1 to PEN_MOST_TUNED_DIMS, and all; for an unnested method or a given `dim` only that
 * number. */
static void choose_dims(const pen_spec *spec, const pen_array *x, const pen_candidate *candidates,
                        struct tuning *t)
{
    int64_t most = 0; /* the most columns that the method sees */

    for (int64_t c = 0; c < t->count; c++)
        most = pen_max(
            most, pen_kernel_fit_columns(&candidates[c].spec->common.kernel, x->rows, x->cols));
    if (spec->common.dim != 0 || spec->method->traits & PEN_UNNESTED)
        most = 0;
    t->dim_count = pen_min(PEN_MOST_TUNED_DIMS, most);
    for (int64_t i = 0; i < t->dim_count; i++)
        t->dims[i] = i + 1;
    t->dims[t->dim_count++] = spec->common.dim;
}

/* The accuracy over all held-out rows in dims[i] dimensions; NaN unless every trial gives this
 * number. */
static double score_of(const struct tuning *t, int64_t at, int64_t i)
{
    const int64_t *const starts = t->table.trials->starts;
    double correct = 0;

    for (int64_t r = 0; r < t->table.trials->count; r++) /* count rows, so that ties are exact */
        correct += round((double)(starts[r + 1] - starts[r])
                         * t->table.readings[r * t->table.count + at].accuracy[i]);
    return correct / (double)t->table.held;
}

/* The fewest dimensions with a score within one standard error of the best; -1: no number is
 * available in every trial. */
static int64_t choose_dim(const struct tuning *t, int64_t at)
{
    double best = -1;
    int64_t i;

    for (i = 0; i < t->dim_count; i++)
        best = fmax(best, score_of(t, at, i));
    const double least =
        best - pen_standard_error(best, t->table.trials->classes.labelled) - PEN_SAME_SCORE;
    for (i = 0; best >= 0 && i < t->dim_count; i++)
        if (score_of(t, at, i) >= least)
            return i;
    return -1;
}

/* Sets score and dim of a candidate from its trials, or the reason of a failure. */
static void judge(const struct tuning *t, int64_t at, pen_candidate *c)
{
    const char *why = NULL;

    c->score = (double)NAN;
    for (int64_t r = 0; r < t->table.trials->count && !why; r++) {
        const pen_error *const failure = &t->table.readings[r * t->table.count + at].failure;
        why = failure->code != PEN_OK ? failure->message : NULL;
    }
    const int64_t i = why ? -1 : choose_dim(t, at);
    if (i < 0) {
        snprintf(c->failure, sizeof c->failure, "%.*s", (int)sizeof c->failure - 1,
                 why ? why : "no number of dimensions is available in every trial");
        return;
    }
    c->score = score_of(t, at, i);
    c->spec->common.dim = t->dims[i];
    /* if the method decides: the fewest of the trials */
    c->dim = t->dims[i] > 0 ? t->dims[i] : pen_trials_least_given(&t->table, at);
}

static int by_score(const void *a, const void *b)
{
    const pen_candidate *p = a, *q = b;

    if (isnan(p->score) != isnan(q->score))
        return isnan(p->score) - isnan(q->score);
    if (!isnan(p->score) && p->score != q->score)
        return p->score < q->score ? 1 : -1;
    if (p->dim != q->dim)
        return p->dim > q->dim ? 1 : -1;
    return (p->order > q->order) - (p->order < q->order);
}

/* Returns the first failure unless some combination works for some classifier. */
static pen_status check_any(pen_run *run, const struct tuning *t, pen_tuning *const *out)
{
    const pen_status first = t->table.readings[0].failure.code;

    for (int64_t q = 0; q < t->classifier_count; q++)
        if (!isnan(out[q]->candidates[0].score))
            return PEN_OK;
    return pen_fail(run, first != PEN_OK ? first : PEN_RANK_TOO_SMALL, "%s",
                    out[0]->candidates[0].failure);
}

/* Makes room for accuracies of each combination in each trial, by kind of classifier. */
static pen_status open_table(pen_run *run, struct tuning *t, const pen_trial_set *trials,
                             const pen_candidate *candidates, const enum pen_classifier_kind *kinds)
{
    PEN_TRY(pen_trial_table_open(run, trials, pen_times(t->count, t->classifier_count),
                                 t->dim_count, 0, &t->table));
    for (int64_t at = 0; at < t->table.count; at++) {
        const pen_spec *const spec = candidates[at / t->classifier_count].spec;
        pen_classifier_params classifier = spec->common.classifier;
        classifier.kind = kinds[at % t->classifier_count];
        pen_trial_table_ask(&t->table, at, classifier, t->dim_count, t->dims, 0);
        if (at % t->classifier_count == 0)
            pen_trial_table_fit(&t->table, spec, at, t->classifier_count);
    }
    return PEN_OK;
}

static pen_status tune(pen_run *run, struct tuning *t, const pen_trial_set *trials,
                       const pen_spec *spec, int64_t most, const enum pen_classifier_kind *kinds,
                       pen_tuning **found)
{
    pen_grid grid;

    PEN_TRY(pen_grid_open(run, spec, &grid));
    t->count = pen_min(most, grid.size);
    for (int64_t q = 0; q < t->classifier_count; q++) {
        PEN_TRY(PEN_KEEP(run, found[q], 1));
        PEN_TRY(PEN_KEEP(run, found[q]->candidates, t->count));
        found[q]->count = t->count;
        for (int64_t c = 0; c < t->count; c++) {
            found[q]->candidates[c].order = c;
            PEN_TRY(pen_grid_spec(run, &grid, c, &found[q]->candidates[c].spec));
        }
    }
    const pen_candidate *const candidates = found[0]->candidates;
    choose_dims(spec, &trials->data->x, candidates, t);
    PEN_TRY(open_table(run, t, trials, candidates, kinds));
    PEN_TRY(pen_trials_try(run, "tuning", &t->table));
    for (int64_t q = 0; q < t->classifier_count; q++) {
        for (int64_t c = 0; c < t->count; c++)
            judge(t, c * t->classifier_count + q, &found[q]->candidates[c]);
        qsort(found[q]->candidates, (size_t)t->count, sizeof *candidates, by_score);
    }
    return check_any(run, t, found);
}

pen_status pen_tune_classifiers(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                                const pen_spec *spec, int64_t count,
                                const enum pen_classifier_kind *kinds, int64_t most,
                                pen_tuning **found)
{
    pen_trial_set trials;
    struct tuning t = { .classifier_count = count };

    for (int64_t q = 0; q < count; q++)
        found[q] = NULL;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_trials_open(run, data, protocol, &trials));
    const pen_status status = tune(run, &t, &trials, spec, most, kinds, found);
    pen_release(run, mark);
    for (int64_t q = 0; status != PEN_OK && q < count; q++) {
        pen_tuning_free(found[q]);
        found[q] = NULL;
    }
    return status;
}

void pen_tuning_free(pen_tuning *tuning)
{
    if (!tuning)
        return;
    for (int64_t i = 0; tuning->candidates && i < tuning->count; i++)
        pen_spec_free(tuning->candidates[i].spec);
    free(tuning->candidates);
    free(tuning);
}
