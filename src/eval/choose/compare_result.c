/* compare_result.c - the result of a comparison: its memory, the order of candidates, the
 * recommendation, and access functions. */
#include "eval/choose/compare_result.h"

#include "classifiers/classifier.h"
#include "eval/measures/student.h"
#include "eval/measures/summary.h"
#include "model/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static pen_status new_candidate(pen_run *run, const pen_compared_list *list, int64_t c,
                                int64_t trials, int64_t dim_count, pen_compared *out)
{
    const pen_shared_fit *const fit = &list->fits[list->pairs[c].fit];
    const pen_method *const method = fit->spec->method;

    *out = (pen_compared){ .method = method,
                           .classifier = pen_classifier_names[list->pairs[c].classifier],
                           .baseline = fit->baseline || (method->traits & PEN_BASELINE) != 0,
                           .named = fit->named,
                           .order = c };
    pen_compared_name(list, c, out->name, sizeof out->name);
    PEN_TRY(PEN_KEEP(run, out->trials, trials));
    PEN_TRY(PEN_KEEP(run, out->curve, dim_count));
    PEN_TRY(PEN_KEEP(run, out->curve_trials, pen_times(trials, dim_count)));
    for (int64_t i = 0; i < trials * dim_count; i++)
        out->curve_trials[i] = (double)NAN;
    for (int64_t i = 0; i < dim_count; i++)
        out->curve[i] = (double)NAN;
    out->untuned = out->score = out->stability = out->deviation = (double)NAN;
    out->log_loss = out->brier = out->aside = (double)NAN;
    return PEN_OK;
}

pen_status pen_comparison_new(pen_run *run, const pen_compared_list *list, int64_t trials,
                              int64_t dim_count, pen_comparison **out)
{
    PEN_TRY(PEN_KEEP(run, *out, 1));
    pen_comparison *const c = *out;
    c->trials = trials;
    c->dim_count = dim_count;
    c->shuffled = (double)NAN;
    PEN_TRY(PEN_KEEP(run, c->dims, dim_count + 1)); /* then 0: the method's own number */
    PEN_TRY(PEN_KEEP(run, c->candidates, list->count));
    c->count = list->count;
    for (int64_t m = 0; m < list->count; m++)
        PEN_TRY(new_candidate(run, list, m, trials, dim_count, &c->candidates[m]));
    return PEN_OK;
}

int pen_compared_has_curve(const pen_comparison *c, const pen_compared *e)
{
    int any = 0;

    for (int64_t i = 0; i < c->dim_count; i++)
        any |= !isnan(e->curve[i]);
    return any;
}

static void free_candidate(pen_compared *e)
{
    pen_tuning_free(e->found);
    pen_spec_free(e->spec);
    free(e->trials);
    free(e->curve);
    free(e->curve_trials);
}

void pen_comparison_free(pen_comparison *comparison)
{
    if (!comparison)
        return;
    for (int64_t m = 0; comparison->candidates && m < comparison->count; m++)
        free_candidate(&comparison->candidates[m]);
    free(comparison->candidates);
    free(comparison->dims);
    free(comparison->confusion);
    free(comparison->classes);
    free(comparison->calibration);
    free(comparison->picture);
    free(comparison->json);
    free(comparison->text[0]);
    free(comparison->text[1]);
    free(comparison);
}

/* ---- the order of the candidates, tests against the best, and the choice ---- */

/* The highest score first; ties: baselines, then the cheapest. */
static int by_score(const void *a, const void *b)
{
    const pen_compared *p = a, *q = b;

    if (isnan(p->score) != isnan(q->score))
        return isnan(p->score) - isnan(q->score);
    if (!isnan(p->score) && fabs(p->score - q->score) > PEN_SAME_SCORE)
        return p->score < q->score ? 1 : -1;
    if (p->baseline != q->baseline)
        return q->baseline - p->baseline;
    if (p->cost != q->cost)
        return p->cost > q->cost ? 1 : -1;
    return strcmp(p->name, q->name);
}

/* A paired t-test, corrected because trials share most of their rows, so that their differences
 * vary less than in independent trials. Nadeau, Bengio 2003. */
static double paired_test(const pen_trial_set *trials, const pen_compared *a, const pen_compared *b)
{
    const double count = (double)trials->count, held = pen_trials_share(trials);
    double mean = 0, variance = 0;

    if (trials->count < 2)
        return (double)NAN;

    for (int64_t t = 0; t < trials->count; t++)
        mean += (a->trials[t] - b->trials[t]) / count;
    for (int64_t t = 0; t < trials->count; t++)
        variance += pow(a->trials[t] - b->trials[t] - mean, 2) / (count - 1);
    if (variance == 0)
        return mean == 0 ? 1 : 0;
    return pen_student_two_sided(mean / sqrt((1 / count + held / (1 - held)) * variance),
                                 count - 1);
}

/* The most stable candidate within one standard error of the best, among baselines or among others;
 * -1: none. */
static int64_t most_stable(const pen_comparison *c, int baseline)
{
    int64_t best = -1;

    for (int64_t m = 0; m < c->alike; m++)
        if (c->candidates[m].baseline == baseline
            && (best < 0
                || c->candidates[m].stability > c->candidates[best].stability + PEN_SAME_SCORE))
            best = m;
    return best;
}

/* A baseline serves for comparison: it is recommended only if no other candidate is as good. */
static void choose(pen_comparison *c)
{
    const double best = c->candidates[0].score;

    c->margin = pen_standard_error(best, c->held_out);
    while (c->alike < c->count
           && c->candidates[c->alike].score >= best - c->margin - PEN_SAME_SCORE)
        c->alike++;
    const int64_t method = most_stable(c, 0);
    c->chosen = method >= 0 ? method : most_stable(c, 1);
}

/* Among candidates with the same predictions, which name the first of them in the list, all but the
 * best get the name of the best. */
static void name_same(pen_comparison *c)
{
    pen_compared *const e = c->candidates;

    for (int64_t m = c->count - 1; m >= 0; m--) {
        const char *const group = e[m].same_as;
        int64_t first = 0;
        while (first < m && (!group || e[first].same_as != group))
            first++;
        e[m].same_as = first < m ? e[first].name : NULL;
    }
}

void pen_comparison_rank(const pen_trial_set *trials, pen_comparison *c)
{
    pen_compared *const candidates = c->candidates;

    c->chance = (double)pen_class_largest(&trials->classes) / (double)trials->classes.labelled;
    qsort(candidates, (size_t)c->count, sizeof *candidates, by_score);
    for (int64_t m = 0; m < c->count; m++)
        candidates[m].p = m == 0 || isnan(candidates[m].score)
                              ? (double)NAN
                              : paired_test(trials, &candidates[0], &candidates[m]);
    choose(c);
    name_same(c);
}

/* ---- access ---- */

int64_t pen_comparison_place(const pen_comparison *c, int64_t m)
{
    const char *const twin = c->candidates[m].same_as;
    int64_t place = 1;

    for (int64_t o = 0; o < m && c->candidates[o].name != twin; o++)
        place += !c->candidates[o].same_as;
    return place;
}

const char *pen_comparison_json(const pen_comparison *comparison)
{
    return comparison ? comparison->json : NULL;
}

const char *pen_comparison_text(const pen_comparison *comparison, int verbose)
{
    return comparison ? comparison->text[verbose != 0] : NULL;
}

const pen_spec *pen_comparison_spec(const pen_comparison *comparison, int64_t index)
{
    if (!comparison || index < 0 || index > comparison->count)
        return NULL;
    return comparison->candidates[index ? index - 1 : comparison->chosen].spec;
}
